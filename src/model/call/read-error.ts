import { parseObject } from '../../lib/parse-object.ts'
import { isObject } from '../../lib/type-guards.ts'

/** What an error of a provider's package holds. */
export interface ProviderError {
  /** undefined inside a stream, or if there was no answer */
  readonly status: number | undefined
  /** the provider's error codes, in small letters */
  readonly words: readonly string[]
  /** its messages, cut; they may quote the conversation and are never shown */
  readonly messages: readonly string[]
  /** the innermost of them, if it is the provider's and no mishap on the way to it */
  readonly said: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** how long to wait, where the body says it */
  readonly retryDelayMs: number | undefined
  /** a web page instead of an error */
  readonly isPage: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Long enough for every known message; they are searched many times. */
export const MESSAGE_CHARS = 4000

export function readError(error: unknown): ProviderError {
  if (typeof error === 'string')
    return { ...NOTHING, messages: [error.slice(0, MESSAGE_CHARS)], said: error.slice(0, MESSAGE_CHARS) }
  const outer = fieldsOf(error)
  const { statusCode, responseHeaders, responseBody } = outer
  const text = typeof responseBody === 'string' ? responseBody : ''
  const body = fieldsOf(parseObject(text))
  const data = fieldsOf(outer['data'])
  const errors = [body['error'], data['error'], fieldsOf(data['response'])['error'], body, data, outer].map(fieldsOf)
  const details = errors.flatMap((one) => listOf(one['details'])).map(fieldsOf)
  const status = typeof statusCode === 'number' ? statusCode : undefined
  const words = [
    ...errors.flatMap(({ code, type, status }) => [code, type, status]),
    ...details.flatMap(reasonsIn),
  ].flatMap((word) => (typeof word === 'string' && WORD.test(word) ? word.toLowerCase() : []))
  const messages = [body['error'], ...errors.flatMap(messagesIn)].flatMap((one) =>
    typeof one === 'string' && one !== '' ? one.slice(0, MESSAGE_CHARS) : [],
  )
  const isPage = PAGE.test(text.slice(0, 200))
  const isTheirs = status === undefined ? words.length > 0 || !(error instanceof Error) : status >= 300 && !isPage
  return {
    status,
    words,
    messages,
    said: isTheirs ? messages[0] : undefined,
    headers: fieldsOf(responseHeaders) as Record<string, string>,
    retryDelayMs: details.map(({ retryDelay }) => delayOf(retryDelay)).find((delay) => delay !== undefined),
    isPage,
  }
}

const NOTHING: ProviderError = {
  status: undefined,
  words: [],
  messages: [],
  said: undefined,
  headers: {},
  retryDelayMs: undefined,
  isPage: false,
}
const DETAILS = 20

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, DETAILS) : [])

const fieldsOf = (value: unknown): Fields =>
  isObject(value) || value instanceof Error ? (value as object as Fields) : {}

/** OpenRouter quotes the provider behind it in `metadata.raw`; FastAPI lists what is wrong. */
const messagesIn = ({ message, detail, metadata }: Fields): unknown[] => [
  fieldsOf(metadata)['raw'],
  message,
  detail,
  ...listOf(detail).map((one) => fieldsOf(one)['msg']),
]

/** Google names what was violated in details. */
const reasonsIn = ({ reason, violations }: Fields): unknown[] => [
  reason,
  ...listOf(violations).map((one) => fieldsOf(one)['quotaId']),
]

/** Not an errno, and not a word that only means "error". */
const WORD = /^(?!E[A-Z]{1,59}$|UND_ERR|error$|response\.failed$)[a-zA-Z][\w.-]{2,79}$/

const PAGE = /^\s{0,50}<(?:!doctype html|html|head|body)\b/i

/** Google's "34.07s". */
function delayOf(delay: unknown): number | undefined {
  const seconds = typeof delay === 'string' && DELAY.test(delay) ? Number(delay.slice(0, -1)) : Number.NaN
  return Number.isFinite(seconds) ? Math.ceil(seconds * 1000) : undefined
}
const DELAY = /^\d{1,9}(?:\.\d{1,9})?s$/
