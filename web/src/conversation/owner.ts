import { client } from '../api/client.ts'
import { keyState } from '../api/key.ts'
import { storeText, readText } from '../state/local-storage.ts'
import { createStore } from '../state/store.ts'

const PLACE = 'segno.owner'

/** The user of this page, as last known; empty while unknown. Drafts are only shown to and sent for them. */
export const owner = createStore(readText(PLACE))

let { key } = keyState.get()
let isLearned = false

/** The current user; empty until the server has confirmed it since the page was loaded. */
export const writer = (): string => (isLearned ? owner.get() : '')

let learning: Promise<void> | undefined

/** Resolves once the server has said who the user is. */
export function learnOwner(): Promise<void> {
  learning ??= learn(key)
  return learning
}

async function learn(asWhom: string): Promise<void> {
  try {
    const { tenant, id } = await client.me()
    if (asWhom !== key) return await learnOwner()
    isLearned = true
    // Escaped, so that two users never get the same name whatever their tenant is called.
    owner.set(`${tenant.replaceAll(/[%/]/g, encodeURIComponent)}/${id}`)
    storeText(PLACE, owner.get())
  } catch (error) {
    if (asWhom === key) learning = undefined
    throw error
  }
}

/** Another key may belong to another person. */
keyState.subscribe(() => {
  if (keyState.get().key === key) return
  key = keyState.get().key
  learning = undefined
  isLearned = false
  storeText(PLACE, '')
  owner.set('')
})
