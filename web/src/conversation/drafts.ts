import { useSyncExternalStore } from 'react'
import type { Mode } from '../../../src/contract/outcome.ts'
import { storeText, readText } from '../state/local-storage.ts'
import { createStore } from '../state/store.ts'
import { owner } from './owner.ts'
import type { NewFile } from './unsent.ts'

/** A message that is not sent yet. Its text is stored in the browser, its files are not. */
export interface Draft {
  readonly text: string
  readonly files: readonly NewFile[]
  /** why some files could not be attached */
  readonly problems: readonly string[]
}

export const EMPTY: Draft = { text: '', files: [], problems: [] }

/** Kept while the page is open: who plans in one conversation does not act in the next by accident. */
export const modeStore = createStore<Mode>('act')

/** Every composer and every edit box has its own draft, under this name. */
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
    const text = readText(nameOf(place)) || claim(place)
    known.set(place, text === '' ? undefined : { ...EMPTY, text })
  }
  return known.get(place)
}

/** Takes over a draft that was written before the server said who the user is. */
function claim(place: string): string {
  const text = readText(nameOf(place, ''))
  if (text !== '' && storeText(nameOf(place), text)) storeText(nameOf(place, ''), '')
  return text
}

export function changeDraft(place: string, change: Partial<Draft>): void {
  set(place, { ...(draftAt(place) ?? EMPTY), ...change })
}

/** Puts text and files in front of a draft. */
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
  // If the stored text is not the one from here, another tab wrote it: leave it.
  if (text !== '' || readText(nameOf(place)) === before) storeText(nameOf(place), text)
  told()
}

let focusNext: string | undefined

/** Its field takes the focus when it is drawn next. */
export function focusSoon(place: string): void {
  focusNext = place
}

export function takesFocus(place: string): boolean {
  if (focusNext !== place) return false
  focusNext = undefined
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
      storeText(nameOf(place, ''), '')
      addToDraft(place, draft)
    }
  }
  told()
})

// Another tab has sent its text: store the draft of this one again.
addEventListener('storage', ({ key, oldValue, newValue }) => {
  if (key === null || newValue !== null) return
  for (const [place, draft] of known) {
    if (nameOf(place) === key && draft && draft.text !== oldValue) storeText(key, draft.text)
  }
})
