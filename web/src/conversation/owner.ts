import { get } from '../api/client.ts'
import { keyState } from '../api/key.ts'
import type { Me } from '../api/shapes.ts'
import { keepText, readKept } from '../state/kept.ts'
import { createStore } from '../state/store.ts'

const PLACE = 'segno.owner'

/** Whose page this is, or was when it was last known; empty while nobody knows. What somebody wrote is shown and sent for nobody else. */
export const owner = createStore(readKept(PLACE))

let { key } = keyState.get()
let isLearned = false

/** Who writes now; empty until the server has said it since the page was loaded. */
export const writer = (): string => (isLearned ? owner.get() : '')

let learning: Promise<void> | undefined

/** Resolves once the server has said who asks. */
export function learnOwner(): Promise<void> {
  learning ??= learn(key)
  return learning
}

async function learn(asWhom: string): Promise<void> {
  try {
    const { tenant, id } = await get<Me>('/api/me')
    if (asWhom !== key) return await learnOwner()
    isLearned = true
    // Two people never come to the same name, whatever is in those of their tenants.
    owner.set(`${tenant.replaceAll(/[%/]/g, encodeURIComponent)}/${id}`)
    keepText(PLACE, owner.get())
  } catch (error) {
    if (asWhom === key) learning = undefined
    throw error
  }
}

/** Another key may be another person's. */
keyState.subscribe(() => {
  if (keyState.get().key === key) return
  key = keyState.get().key
  learning = undefined
  isLearned = false
  keepText(PLACE, '')
  owner.set('')
})
