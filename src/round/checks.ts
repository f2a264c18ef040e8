import type { RoundLimits } from '../contract/limits.ts'
import { PROTOCOLS } from '../contract/outcome.ts'
import { Problem, wrong } from '../contract/problem.ts'

/** Text as it came, or a Problem that says what is wrong with it. */
export function checkText(text: unknown, field: string, expected: string): string {
  if (typeof text !== 'string') throw wrong(field, `must be ${expected}`)
  if (text.trim() === '') throw wrong(field, 'is empty; write something to send')
  if (!text.isWellFormed()) {
    throw wrong(field, 'holds half a character (a lone UTF-16 surrogate); send well-formed text')
  }
  return text
}

export function checkLength(chars: number, most: number): void {
  if (chars <= most) return
  const why = `has ${chars} characters, at most ${most} are taken (limit MESSAGE_CHARS). Send it in parts or as a file`
  throw wrong('content', why)
}

/** One of the words there are for it, or a Problem that names them: an unknown word must not pass as the lenient one. */
export function checkWord<Word extends string>(field: string, word: Word, words: readonly Word[]): Word {
  if (words.includes(word)) return word
  throw wrong(field, `must be ${words.join(' or ')}`)
}

/** A client may lower the limits of its round, never raise them. */
export function lowerLimits(standard: RoundLimits, wanted: Partial<RoundLimits> | undefined): RoundLimits {
  if (!wanted) return standard
  const limits: { -readonly [K in keyof RoundLimits]: RoundLimits[K] } = { ...standard }
  for (const [name, value] of Object.entries(wanted) as [keyof RoundLimits, unknown][]) {
    if (!Object.hasOwn(standard, name)) throw wrong(`limits.${name}`, 'is not a limit of a round')
    if (!Number.isSafeInteger(value) || (value as number) < 0)
      throw wrong(`limits.${name}`, 'must be a whole number from 0 up')
    limits[name] = Math.min(standard[name], value as number)
  }
  return limits
}

interface Field {
  readonly expected: string
  fits(value: unknown): boolean
}

const text: Field = {
  expected: 'well-formed text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '' && value.isWellFormed(),
}

const FIELDS: Readonly<Record<string, Field>> = {
  title: text,
  alias: text,
  workspaceId: text,
  model: { expected: 'the key of a model', fits: (value) => value === null || text.fits(value) },
  protocol: {
    expected: 'unified or triggered',
    fits: (value) => [null, ...PROTOCOLS].includes(value as null),
  },
  archived: { expected: 'true or false', fits: (value) => typeof value === 'boolean' },
}

/** What is wanted of a session is checked before it is stored: what was stored must be possible to fold in. */
export function checkSession(wanted: object): void {
  for (const [name, value] of Object.entries(wanted) as [string, unknown][]) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (!field) throw new Problem('VALIDATION_ERROR', `A session has no ${name} that could be set.`, { field: name })
    if (value !== undefined && !field.fits(value)) {
      throw wrong(name, `must be ${field.expected}`)
    }
  }
}

/** How many of a list are wanted at once. */
export function checkLimit(limit: unknown): void {
  if (limit === undefined || (Number.isSafeInteger(limit) && (limit as number) >= 1)) return
  throw wrong('limit', 'must be a whole number from 1 up')
}
