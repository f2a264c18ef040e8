import { keepText } from '../state/kept.ts'
import type { Unsent } from './unsent.ts'

const PREFIX = 'segno.unsent.'
/** Accepted so long ago and still not in a log that anybody looked at: it is of no use. */
const STALE_MS = 86_400_000

const TOO_LARGE =
  'The page was loaded again before Segno answered, and the files were too large to keep. It may have arrived; if it ' +
  'has not, attach them again.'
const WHOSE = 'It was written before Segno knew who you are. If it is yours, try again.'

const names = ({ files, ...unsent }: Unsent): Unsent => ({
  ...unsent,
  files: files.map((file) => ({ ...file, data: '' })),
})

/** Keeps a message until it is sent. Of one that the server has, only the names of its files are of use. */
export function keepUnsent(unsent: Unsent): void {
  const kept = unsent.state === 'accepted' ? names(unsent) : unsent
  if (keepText(PREFIX + unsent.key, JSON.stringify(kept))) return
  keepText(PREFIX + unsent.key, JSON.stringify({ ...names(unsent), state: 'refused', problem: TOO_LARGE }))
}

export const forgetUnsent = (key: string): void => void keepText(PREFIX + key, '')

/** What was kept when the page was left, the oldest first. */
export function readUnsent(): Unsent[] {
  const kept = keptUnder(PREFIX).flatMap((text): Unsent[] => {
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

/** Another tab has sent it, or somebody there does not want it any more. */
export function onForgotten(tell: (key: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue === null) tell(key.slice(PREFIX.length))
  })
}

function keptUnder(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => localStorage.getItem(name) ?? [])
  } catch {
    return []
  }
}
