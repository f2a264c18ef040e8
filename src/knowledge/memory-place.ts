import type { Memory } from '../contract/memory.ts'
import { sameWords } from '../lib/memory-text.ts'
import type { StoredMemory } from '../store/index.ts'
import { cosine } from './cosine.ts'

/**
 * How near two memories of a category that differ in one place have to be for the newer one to stand for the older one.
 * Measured with the built-in embedder: dates, numbers and wishes that differ are above it, most things that can both
 * hold below.
 */
const NEAR = 0.9
/** Of these, how many words may differ, in one place; with more it may be about somebody else. */
const OTHER_WORDS = 2
/** and how many are the same */
const SAME_WORDS = 2

export interface Said extends Pick<Memory, 'content' | 'category' | 'status'> {
  readonly vector?: StoredMemory['vector']
  /** the words of the memory that it replaces, if somebody named it */
  readonly replaces?: string
}

/** The memory that says the same already. */
export function sameAs(content: string, known: readonly StoredMemory[]): StoredMemory | undefined {
  const words = sameWords(content)
  return known.find((memory) => memory.status !== 'replaced' && sameWords(memory.content) === words)
}

/**
 * The memory that a new one stands for from now on: the named one, or the nearest of its category. What nobody kept yet
 * replaces nothing.
 */
export function replacedBy(said: Said, known: readonly StoredMemory[]): StoredMemory | undefined {
  if (said.status !== 'active') return undefined
  const active = known.filter(({ status }) => status === 'active')
  const words = said.replaces === undefined ? '' : sameWords(said.replaces)
  const named = words === '' ? undefined : active.find(({ content }) => sameWords(content) === words)
  if (named) return named
  const [nearest] = active
    .filter(({ category, content }) => category === said.category && differInOnePlace(content, said.content))
    .map((memory) => ({ memory, near: cosine(said.vector, memory.vector) ?? 0 }))
    .filter(({ near }) => near >= NEAR)
    .sort((one, other) => other.near - one.near)
  return nearest?.memory
}

/** Whether two sentences have the same words but for one or two, such as two dates of the same thing. */
export function differInOnePlace(one: string, other: string): boolean {
  const [a, b] = [sameWords(one).split(' '), sameWords(other).split(' ')]
  const shorter = Math.min(a.length, b.length)
  let same = 0
  while (same < shorter && a[same] === b[same]) same += 1
  let after = 0
  while (after < shorter - same && a.at(-1 - after) === b.at(-1 - after)) after += 1
  return same + after >= SAME_WORDS && Math.max(a.length, b.length) - same - after <= OTHER_WORDS
}
