import { RETRYABLE_ERRORS, type EnableTools, type RetryOptions } from '../contract/round-started.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import type { RoundLimits } from '../contract/limits.ts'
import { PARAM_NAMES } from '../contract/model-params.ts'
import { PROTOCOLS } from '../contract/outcome.ts'
import { invalidField } from '../contract/problem.ts'
import { YES_OR_NO, type FieldRule } from '../lib/check-fields.ts'
import { isIntegerFrom, isStringArray } from '../lib/type-guards.ts'

export function checkText(text: unknown, field: string, expected: string): string {
  if (typeof text !== 'string') throw invalidField(field, `must be ${expected}`)
  if (text.trim() === '') throw invalidField(field, 'is empty; write something to send')
  if (!text.isWellFormed()) {
    throw invalidField(field, 'holds half a character (a lone UTF-16 surrogate); send well-formed text')
  }
  return text
}

export function checkLength(chars: number, most: number): void {
  if (chars <= most) return
  const why = `has ${chars} characters, at most ${most} are taken (limit MESSAGE_CHARS). Send it in parts or as a file`
  throw invalidField('content', why)
}

/** Throws a Problem that names the allowed words. */
export function checkWord<Word extends string>(field: string, word: Word, words: readonly Word[]): Word {
  if (words.includes(word)) return word
  throw invalidField(field, `must be ${words.join(' or ')}`)
}

/** A client may lower the limits of its round, never raise them. */
export function lowerLimits(standard: RoundLimits, wanted: Partial<RoundLimits> | undefined): RoundLimits {
  if (!wanted) return standard
  refuseUnknownFields(wanted, Object.keys(standard), 'limits', 'limits.')
  const limits: { -readonly [K in keyof RoundLimits]: RoundLimits[K] } = { ...standard }
  for (const [name, value] of Object.entries(wanted) as [keyof RoundLimits, unknown][]) {
    if (!isIntegerFrom(value, 0)) throw invalidField(`limits.${name}`, 'must be a whole number from 0 up')
    limits[name] = Math.min(standard[name], value)
  }
  return limits
}

/** A sender may ask for fewer and later retries than configured, and for fewer reasons. */
export function checkRetries(wanted: RetryOptions | undefined): { retryOptions?: RetryOptions } {
  if (wanted === undefined) return {}
  refuseUnknownFields(wanted, ['maxRetries', 'backoffMs', 'retryableErrors'], 'retryOptions', 'retryOptions.')
  const { maxRetries = 0, backoffMs = 0, retryableErrors = [] } = wanted
  if (!isIntegerFrom(maxRetries, 0)) throw invalidField('retryOptions.maxRetries', 'must be a whole number from 0 up')
  if (!isIntegerFrom(backoffMs, 0) || backoffMs > MOST_BACKOFF_MS)
    throw invalidField('retryOptions.backoffMs', `must be a whole number from 0 to ${MOST_BACKOFF_MS}`)
  if (!Array.isArray(retryableErrors)) throw invalidField('retryOptions.retryableErrors', 'must be a list')
  for (const one of retryableErrors) checkWord('retryOptions.retryableErrors', one, RETRYABLE_ERRORS)
  return { retryOptions: wanted }
}

const MOST_BACKOFF_MS = 60_000

export function checkEnabled(wanted: EnableTools | undefined): { enableTools?: EnableTools } {
  if (wanted === undefined) return {}
  const isList =
    isStringArray(wanted) && wanted.length <= MOST_NAMES && wanted.every((name) => name.length <= NAME_CHARS)
  if (typeof wanted === 'boolean' || isList) return { enableTools: wanted }
  throw invalidField('enableTools', `must be true, false or a list of at most ${MOST_NAMES} names of tools`)
}

const MOST_NAMES = 200
const NAME_CHARS = 200

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.isWellFormed()
const WELL_FORMED: FieldRule = [isText, 'well-formed text that is not empty']

const ANYTHING: FieldRule = [() => true, 'anything']

const FIELDS: Readonly<Record<string, FieldRule>> = {
  title: WELL_FORMED,
  alias: WELL_FORMED,
  workspaceId: WELL_FORMED,
  model: [(value) => value === null || isText(value), 'the key of a model'],
  protocol: [(value) => [null, ...PROTOCOLS].includes(value as null), 'unified or triggered'],
  archived: YES_OR_NO,
}
/** Parameters have rules of their own. */
const SESSION_FIELDS = [...Object.keys(FIELDS), ...PARAM_NAMES]

/** Checks the fields of a session before they are stored, because everything stored must fold. */
export function checkSession(wanted: object): void {
  refuseUnknownFields(wanted, SESSION_FIELDS, 'A session')
  for (const [name, value] of Object.entries(wanted) as [string, unknown][]) {
    const [fits, expected] = FIELDS[name] ?? ANYTHING
    if (value !== undefined && !fits(value)) throw invalidField(name, `must be ${expected}`)
  }
}
