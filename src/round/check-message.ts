import type { RoundLimits } from '../contract/limits.ts'
import { Problem } from '../contract/problem.ts'

/** A message as it came, or a Problem that says what is wrong with it. */
export function checkContent(content: unknown, maxChars: number): string {
  if (typeof content !== 'string') {
    throw new Problem('VALIDATION_ERROR', 'content must be text.', { field: 'content' })
  }
  if (content.trim() === '') {
    throw new Problem('VALIDATION_ERROR', 'content is empty; write something to send.', { field: 'content' })
  }
  if (content.length > maxChars) {
    throw new Problem(
      'VALIDATION_ERROR',
      `content has ${content.length} characters, at most ${maxChars} are taken (limit MESSAGE_CHARS). Send it in parts or as a file.`,
      { field: 'content' },
    )
  }
  if (!content.isWellFormed()) {
    throw new Problem(
      'VALIDATION_ERROR',
      'content holds half a character (a lone UTF-16 surrogate); send well-formed text.',
      {
        field: 'content',
      },
    )
  }
  return content
}

/** One of the words there are for it, or a Problem that names them: an unknown word must not pass as the lenient one. */
export function checkWord<Word extends string>(field: string, word: Word, words: readonly Word[]): Word {
  if (words.includes(word)) return word
  throw new Problem('VALIDATION_ERROR', `${field} must be ${words.join(' or ')}.`, { field })
}

/** A client may lower the limits of its round, never raise them. */
export function lowerLimits(standard: RoundLimits, wanted: Partial<RoundLimits> | undefined): RoundLimits {
  if (!wanted) return standard
  const limits: { -readonly [K in keyof RoundLimits]: RoundLimits[K] } = { ...standard }
  for (const [name, value] of Object.entries(wanted) as [keyof RoundLimits, unknown][]) {
    if (!Object.hasOwn(standard, name))
      throw new Problem('VALIDATION_ERROR', `limits.${name} is not a limit of a round.`, { field: `limits.${name}` })
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
      throw new Problem('VALIDATION_ERROR', `limits.${name} must be a whole number from 0 up.`, {
        field: `limits.${name}`,
      })
    }
    limits[name] = Math.min(standard[name], value as number)
  }
  return limits
}
