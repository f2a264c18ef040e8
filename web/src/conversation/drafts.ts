import { useSyncExternalStore } from 'react'
import type { Mode } from '../../../src/contract/outcome.ts'
import { keepText, readKept } from '../state/kept.ts'
import { createStore } from '../state/store.ts'
import { owner } from './owner.ts'
import type { NewFile } from './unsent.ts'

/** What somebody has written and not sent yet. Its text outlives the page, its files do not. */
export interface Draft {
  readonly text: string
  readonly files: readonly NewFile[]
  /** why other files are not with it */
  readonly problems: readonly string[]
}

export const EMPTY: Draft = { text: '', files: [], problems: [] }

/** Kept while the page is open: who plans in one conversation does not act in the next by accident. */
export const modeStore = createStore<Mode>('act')

/** Every composer and every box in which a message is edited is a place of its own. */
export const composerOf = (sessionId: string | undefined): string => sessionId ?? 'new'
export const editBoxOf = (sessionId: string, forkAt: number): string => `${sessionId}/${forkAt}`

const known = new Map<string, Draft | undefined>()
const changes = createStore(0)
const told = (): void => changes.set(changes.get() + 1)

export const useDraft = (place: string): Draft | undefined =>
  useSyncExternalStore(changes.subscribe, () => draftAt(place))

const nameOf = (place: string, whose = owner.get()): string => `segno.draft.${whose}.${place}`

export function draftAt(place: string): Draft | undefined {
  if (!known.has(place)) {
    const text = readKept(nameOf(place)) || claim(place)
    known.set(place, text === '' ? undefined : { ...EMPTY, text })
  }
  return known.get(place)
}

/** What was written before anybody knew by whom belongs to who comes next. */
function claim(place: string): string {
  const text = readKept(nameOf(place, ''))
  if (text !== '' && keepText(nameOf(place), text)) keepText(nameOf(place, ''), '')
  return text
}

export function changeDraft(place: string, change: Partial<Draft>): void {
  set(place, { ...(draftAt(place) ?? EMPTY), ...change })
}

/** Puts something before what is written there. */
export function addToDraft(place: string, { text, files, problems }: Draft): void {
  const before = draftAt(place) ?? EMPTY
  set(place, {
    text: [text, before.text].filter((one) => one.trim() !== '').join('\n\n'),
    files: [...files, ...before.files],
    problems: [...problems, ...before.problems],
  })
}

export const dropDraft = (place: string): void => set(place, undefined)

export function moveDraft(from: string, to: string): void {
  const draft = draftAt(from)
  if (!draft) return
  dropDraft(from)
  addToDraft(to, draft)
}

function set(place: string, next: Draft | undefined): void {
  const before = draftAt(place)?.text ?? ''
  const text = next?.text ?? ''
  known.set(place, next)
  // Where something else is kept than what was here, another tab has written it.
  if (text !== '' || readKept(nameOf(place)) === before) keepText(nameOf(place), text)
  told()
}

let wished: string | undefined

/** Its field takes the focus when it is drawn next. */
export function wishFor(place: string): void {
  wished = place
}

export function isWished(place: string): boolean {
  if (wished !== place) return false
  wished = undefined
  return true
}

let whose = owner.get()
owner.subscribe(() => {
  const before = whose
  const written = [...known]
  whose = owner.get()
  known.clear()
  if (before === '') {
    for (const [place, draft] of written) {
      if (!draft) continue
      keepText(nameOf(place, ''), '')
      addToDraft(place, draft)
    }
  }
  told()
})

// Another tab has sent what it had written at the same place: now what is written here is the draft.
addEventListener('storage', ({ key, oldValue, newValue }) => {
  if (key === null || newValue !== null) return
  for (const [place, draft] of known) {
    if (nameOf(place) === key && draft && draft.text !== oldValue) keepText(key, draft.text)
  }
})
