import type { Play } from '../../support/faulty-provider/exchange.ts'
import { refuses } from '../../support/faulty-provider/plays.ts'
import type { Wire, WireName } from '../../support/faulty-provider/wires.ts'
import type { Fault } from './support/fault.ts'
import { CANARY } from './support/trial.ts'
import { tryFaults } from './support/try-faults.ts'

type ByWire<T> = { readonly [name in WireName]: T }
interface Refusal {
  readonly status: number
  readonly message: string
  readonly code?: string
}

/** Refuses in the words of the provider, which quote the conversation as real ones may. */
const refusing =
  (refusal: (wire: Wire) => Refusal): Play =>
  ({ open, wire, response }) => {
    const { status, message, code } = refusal(wire)
    open({ 'content-type': 'application/json' }, status)
    response.end(JSON.stringify(wire.error(status, `${message} (you said ${CANARY})`, code)))
  }

const always = (status: number): Play => refuses(status, {}, CANARY)
const never = (): boolean => false

/** What providers call this themselves, if they do. */
const answered =
  (status: number, names: Partial<ByWire<string>>): ((wire: Wire) => string) =>
  ({ name }) => {
    const own = names[name] ?? (name.startsWith('openai') || name === 'deepseek' ? names.openai : undefined)
    return `the provider answered ${status}${own === undefined ? '' : ` (${own})`}`
  }

const MAXIMUM =
  "This model's maximum context length is 131072 tokens. However, your messages resulted in 140000 tokens."
const TOO_LONG: ByWire<Refusal> = {
  anthropic: { status: 400, message: 'prompt is too long: 213462 tokens > 200000 maximum' },
  openai: {
    status: 400,
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    code: 'context_length_exceeded',
  },
  'openai-chat': { status: 400, message: MAXIMUM, code: 'context_length_exceeded' },
  deepseek: { status: 400, message: MAXIMUM, code: 'invalid_request_error' },
  'openai-compatible': { status: 400, message: 'the request exceeds the available context size, try increasing it' },
  google: {
    status: 400,
    message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
  },
  ollama: { status: 400, message: 'the input length exceeds the context length' },
}

const NO_CREDIT: Partial<ByWire<Refusal>> = {
  anthropic: { status: 400, message: 'Your credit balance is too low to access the Anthropic API.' },
  openai: { status: 429, message: 'You exceeded your current quota.', code: 'insufficient_quota' },
  'openai-chat': { status: 429, message: 'You exceeded your current quota.', code: 'insufficient_quota' },
  deepseek: { status: 402, message: 'Insufficient Balance', code: 'invalid_request_error' },
  'openai-compatible': { status: 402, message: 'Insufficient credits. Add more using the page of your account' },
}

const faults: Record<string, Fault> = {
  'answers 429': { play: always(429), ends: 'error', reason: 'rate limited' },
  'answers 500': {
    play: always(500),
    ends: 'error',
    reason: answered(500, { anthropic: 'api_error', openai: 'server_error', google: 'internal' }),
  },
  'answers 502 with a page of its proxy': {
    play: ({ open, response }) => {
      open({ 'content-type': 'text/html' }, 502)
      response.end(`<html><body><h1>502 Bad Gateway</h1>${CANARY}</body></html>`)
    },
    ends: 'error',
    reason: 'the provider answered 502',
  },
  'answers 503': {
    play: always(503),
    ends: 'error',
    reason: (wire) =>
      wire.name.startsWith('openai') || wire.name === 'deepseek'
        ? 'overloaded'
        : answered(503, { anthropic: 'api_error', google: 'unavailable' })(wire),
  },
  'answers 529': { play: always(529), ends: 'error', reason: 'overloaded' },
  'answers 529 with nothing else': {
    play: ({ open, response }) => {
      open({ 'content-length': '0' }, 529)
      response.end()
    },
    ends: 'error',
    reason: 'overloaded',
  },
  'refuses the key': { play: always(401), ends: 'error', reason: 'the key was refused', again: never },
  'refuses the key as a bad request': {
    play: refusing(() => ({ status: 400, message: 'API key not valid. Please pass a valid API key.' })),
    ends: 'error',
    reason: 'the key was refused',
    again: never,
    on: ({ name }) => name === 'google',
  },
  'refuses access': { play: always(403), ends: 'error', reason: 'access was refused', again: never },
  'does not know the model': {
    play: always(404),
    ends: 'error',
    reason: ({ name }) =>
      name.startsWith('openai') || name === 'deepseek'
        ? 'the provider does not know this model'
        : 'the provider knows no such model or address',
    again: never,
  },
  'finds a mistake in the request': {
    play: always(400),
    ends: 'error',
    reason: answered(400, {
      anthropic: 'invalid_request_error',
      openai: 'invalid_request_error',
      google: 'invalid_argument',
    }),
    again: never,
  },
  'finds the request too large': {
    play: always(413),
    ends: 'error',
    reason: 'the conversation is longer than the model can see',
    again: never,
  },
  'finds the conversation too long': {
    play: refusing(({ name }) => TOO_LONG[name]),
    ends: 'error',
    reason: 'the conversation is longer than the model can see',
    again: never,
  },
  'wants to be paid first': {
    play: refusing(({ name }) => NO_CREDIT[name] as Refusal),
    ends: 'error',
    reason: 'the account has no credit or quota left',
    again: never,
    on: ({ name }) => NO_CREDIT[name] !== undefined,
  },
  'wants to be asked again in a year': {
    play: refuses(429, { 'retry-after': '31536000' }, CANARY),
    ends: 'error',
    reason: 'rate limited',
    again: never,
  },
}

tryFaults(faults)
