import type { Chunk } from '../../src/contract/knowledge.ts'

export const DIMENSIONS = 512
const WORDS = 50_000
const IN_A_CHUNK = 100

/** A few words are in nearly every text and most in hardly any, as in all languages. */
const anyWord = (): string => `w${Math.floor(Math.exp(Math.random() * Math.log(WORDS))).toString(36)}`
const text = (words: number): string => Array.from({ length: words }, anyWord).join(' ')

export const chunk = (): Chunk => ({ place: text(3), text: text(IN_A_CHUNK) })

export const QUESTIONS: readonly string[] = Array.from({ length: 50 }, () => text(6))

/** Of length 1. */
export function randomVector(): Float32Array {
  const values = Float32Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5)
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}
