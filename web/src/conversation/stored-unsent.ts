import { storeText } from '../state/local-storage.ts'
import type { Unsent } from './unsent.ts'

const PREFIX = 'segno.unsent.'
/** An accepted message this old is forgotten, even if it was never seen in a log. */
const STALE_MS = 86_400_000

const TOO_LARGE =
  'The page was loaded again before Segno answered, and the files were too large to keep. It may have arrived; if it ' +
  'has not, attach them again.'
const WHOSE = 'It was written before Segno knew who you are. If it is yours, try again.'

const names = ({ files, ...unsent }: Unsent): Unsent => ({
  ...unsent,
  files: files.map((file) => ({ ...file, data: '' })),
})

/** Stores a message until it is sent; once it is accepted, without the content of its files. */
export function storeUnsent(unsent: Unsent): void {
  const kept = unsent.state === 'accepted' ? names(unsent) : unsent
  if (storeText(PREFIX + unsent.key, JSON.stringify(kept))) return
  storeText(PREFIX + unsent.key, JSON.stringify({ ...names(unsent), state: 'refused', problem: TOO_LARGE }))
}

export const forgetUnsent = (key: string): void => void storeText(PREFIX + key, '')

/** The stored messages, the oldest first. */
export function readUnsent(): Unsent[] {
  const kept = textsUnder(PREFIX).flatMap((text): Unsent[] => {
    try {
      return [JSON.parse(text) as Unsent]
    } catch {
      return []
    }
  })
  const isStale = ({ state, at }: Unsent): boolean => state === 'accepted' && Date.now() - at > STALE_MS
  for (const { key } of kept.filter(isStale)) forgetUnsent(key)
  return kept
    .filter((one) => !isStale(one))
    .map((one): Unsent => (one.owner ? one : { ...one, owner: '', state: 'refused', problem: WHOSE }))
    .sort((a, b) => a.at - b.at)
}

/** Called when another tab has removed a message. */
export function onForgotten(tell: (key: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue === null) tell(key.slice(PREFIX.length))
  })
}

function textsUnder(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => localStorage.getItem(name) ?? [])
  } catch {
    return []
  }
}
