import { isUtf8 } from 'node:buffer'
import type { Json } from '../contract/message.ts'
import { nestsDeeper } from '../lib/nesting.ts'
import { createRedactor, type Redactor } from '../lib/redactor.ts'
import { retryAfterMs } from '../lib/retry-after.ts'
import { isObject } from '../lib/type-guards.ts'
import { RAW_CHARS, type HandOver, type NotDone, type Started, type Submitted } from './engine.ts'
import type { WorkAnswer } from './post-work.ts'

const REF = /^[\x21-\x7e]{1,200}$/

/** What an answer of HTTP means for the workflow. */
export function readWorkAnswer(answer: WorkAnswer, work: HandOver, now: number): Started {
  const { status, body, cut } = answer
  const redact = redactorOf(work)
  const text = redact(body.toString('utf8'))
  const failure = (fault: Omit<NotDone, 'kind' | 'raw'>): NotDone => {
    const raw = text.slice(0, RAW_CHARS)
    return { kind: 'failure', ...fault, ...(raw !== '' && { raw }) }
  }
  if (status >= 400) return failure(refusalOf(answer, now))
  if (status >= 300) return failure(redirectFailure(status))
  // Whatever else it says of that: it has been taken.
  if (status === 202) return submittedAs(answer, work, cut ? undefined : parsed(text))
  if (cut) return failure(cut)
  const bad = (why: string): NotDone =>
    failure({ code: 'BAD_ANSWER', error: `The answer ${why}.`, mayHaveHappened: true, isFinal: true })
  const isJson = /\bjson\b/i.test(typeOf(answer))
  if (text.trim() === '') return { kind: 'success', output: null, ...refOf(answer.headers, redact) }
  if (!isUtf8(body)) return bad('is neither JSON nor text')
  if (nestsDeeper(text)) return bad('is JSON that is nested too deeply')
  const output = parsed(text)
  if (output !== undefined) return { kind: 'success', output, ...refOf(answer.headers, redact, output) }
  if (isJson) return bad('says it is JSON and is not')
  if (!/^(?:text\/plain\b|$)/i.test(typeOf(answer)) || /^\s*</.test(text.slice(0, 1000)))
    return bad('is neither JSON nor plain text')
  return { kind: 'success', output: text, ...refOf(answer.headers, redact) }
}

const typeOf = ({ headers }: Pick<WorkAnswer, 'headers'>): string => headers.get('content-type')?.trim() ?? ''

/** Undefined for what is no JSON, or so deep that reading it takes too long. */
export function parsed(text: string): Json | undefined {
  if (nestsDeeper(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** An engine may say again what it was sent. */
const redactorOf = ({ secrets, callback }: HandOver): Redactor =>
  createRedactor([...Object.values(secrets), callback?.token])

/** What the engine calls this run, if it says so. */
function refOf(
  headers: Headers,
  redact: Redactor,
  said?: Json,
  others: readonly (Json | undefined)[] = [],
): { readonly engineRef?: string } {
  const named = [headers.get('x-n8n-execution-id'), fieldOf(said, 'executionId'), ...others]
  const found = named.map((one) => (typeof one === 'number' ? String(one) : one))
  const engineRef = found.find((one) => typeof one === 'string' && REF.test(one))
  return typeof engineRef === 'string' ? { engineRef: redact(engineRef) } : {}
}

const fieldOf = (said: Json | undefined, field: string): Json | undefined => (isObject(said) ? said[field] : undefined)

/** Of one that is only begun the id is the run's own; later it may be that of anything. */
export function submittedAs(
  { headers }: Pick<WorkAnswer, 'headers'>,
  work: HandOver,
  said: Json | undefined,
): Submitted {
  const others = [fieldOf(said, 'id'), headers.get('location')]
  return { kind: 'submitted', ...refOf(headers, redactorOf(work), said, others) }
}

const DID_NOT = { mayHaveHappened: false, isFinal: true } as const
/** Whoever reads it can do something about those. */
const MEANS: Readonly<Record<number, string>> = {
  401: ' Perhaps it was given another secret.',
  403: ' Perhaps it was given another secret.',
  404: ' Is the address right?',
}
const MAY_HAVE = { mayHaveHappened: true, isFinal: true } as const

function refusalOf({ status, headers }: WorkAnswer, now: number): Omit<NotDone, 'kind'> {
  const waitMs = retryAfterMs(headers.get('retry-after'), now)
  const again = waitMs !== undefined && { retryAfterMs: waitMs }
  const error = `It was answered with the status ${status}.${MEANS[status] ?? ''}`
  // Too many, or too early: it was not looked at.
  if (status === 429 || status === 425 || (status === 503 && again))
    return { code: 'RATE_LIMITED', error, mayHaveHappened: false, isFinal: false, ...again }
  // The first attempt with this key may be the one that is in the way.
  if (status === 409) return { code: again ? 'RATE_LIMITED' : 'REFUSED', error, ...MAY_HAVE, isFinal: !again, ...again }
  // They gave up waiting, whoever they waited for.
  if (status === 408 || status === 504) return { code: 'TIMEOUT', error, ...MAY_HAVE, isFinal: false }
  if (status < 500) return { code: 'REFUSED', error, ...DID_NOT }
  if (status === 501) return { code: 'REFUSED', error, ...DID_NOT }
  // Those come from something in between that lost the other side, and does not know.
  if (status === 502 || status === 503) return { code: 'CONNECTION_ERROR', error, ...MAY_HAVE, isFinal: false }
  return { code: 'FAILED', error, ...MAY_HAVE }
}

/** Browsers are sent elsewhere by these after something was done. */
const AFTER_WORK = new Set([302, 303])

const redirectFailure = (status: number): Omit<NotDone, 'kind'> => ({
  code: 'REFUSED',
  error: `It redirects (status ${status}), which is not followed. Give the address where it ends.`,
  mayHaveHappened: AFTER_WORK.has(status),
  isFinal: true,
})
