import type { Play } from '../../support/faulty-provider/exchange.ts'
import type { WireName } from '../../support/faulty-provider/wires.ts'
import type { Fault } from './support/fault.ts'
import { CANARY } from './support/trial.ts'
import { tryFaults } from './support/try-faults.ts'

const broken = 'the connection to the model failed'
const senseless = 'the provider sent something that makes no sense'
const moved = 'the provider is at another address now'
const STORY = ['Once upon ', `a ${CANARY}`]
const never = (): boolean => false

/** A whole answer of some other kind. */
const page =
  (type: string, text: string): Play =>
  ({ open, response }) => {
    open({ 'content-type': type })
    response.end(text)
  }
const sending =
  (what: (asked: Parameters<Play>[0]) => string): Play =>
  async (asked) => {
    asked.open()
    await asked.send(what(asked))
    await asked.wait(20)
    asked.response.end()
  }
/** The same, and then it keeps the connection alive for as long as anybody listens. */
const goingOn =
  (what: (asked: Parameters<Play>[0]) => string): Play =>
  async (asked) => {
    asked.open()
    await asked.send(what(asked))
    while (!asked.gone.aborted) {
      await asked.wait(40)
      await asked.send(asked.say.keepAlive)
    }
  }
const line = (contentType: string, text: string): string =>
  contentType.includes('ndjson') ? `${text}\n` : `data: ${text}\n\n`
const wrongType = (type: string): string =>
  type === 'text/html'
    ? 'a web page answered where the provider should'
    : `the provider answered with ${type} where a stream was expected`

/** How those say it that have other words than the rest, or none. */
const OVERLOADED: Partial<Record<WireName, string>> = {
  google: 'the provider answered 503 (unavailable)',
  ollama: broken,
}
const FAILED: Partial<Record<WireName, string>> = {
  anthropic: 'the provider answered 500 (api_error)',
  'openai-compatible': 'the provider failed (server_error)',
  google: 'the provider answered 500 (internal)',
  ollama: broken,
}

const faults: Record<string, Fault> = {
  'answers 200 with a web page': {
    play: page('text/html; charset=utf-8', `<html><body>Log in, ${CANARY}!</body></html>`),
    ends: 'error',
    reason: wrongType('text/html'),
    again: never,
  },
  'answers 200 with an error': {
    play: page('application/json', JSON.stringify({ error: { message: CANARY, type: 'server_error' } })),
    ends: 'error',
    reason: wrongType('application/json'),
    again: never,
  },
  'begins its stream with an error': {
    play: sending(({ wire, say }) => say.error(wire.overloaded)),
    ends: 'error',
    reason: ({ name }) => OVERLOADED[name] ?? 'overloaded',
  },
  'sends an error after its first event': {
    play: sending(({ wire, say }) => say.begin() + say.error(wire.overloaded)),
    ends: 'error',
    reason: ({ name }) => OVERLOADED[name] ?? 'overloaded',
  },
  'sends an error in the middle of a text': {
    play: sending(({ say }) => say.begin() + say.text(...STORY) + say.error(500)),
    ends: 'error',
    reason: ({ name }) => FAILED[name] ?? 'the provider answered 500 (server_error)',
    shows: true,
  },
  'begins its stream with an error and goes on': {
    play: goingOn(({ wire, say }) => say.error(wire.overloaded)),
    ends: 'error',
    reason: ({ name }) => OVERLOADED[name] ?? 'overloaded',
  },
  'sends an error in the middle of a text and goes on': {
    play: goingOn(({ say }) => say.begin() + say.text(...STORY) + say.error(500)),
    ends: 'error',
    reason: ({ name }) => FAILED[name] ?? 'the provider answered 500 (server_error)',
    shows: true,
  },
  'sends an error in the middle of arguments': {
    play: sending(({ wire, say }) => say.begin() + say.call('{"path":', '"a/lo') + say.error(wire.overloaded)),
    ends: 'error',
    reason: 'overloaded',
    shows: true,
    inCall: true,
    on: ({ argsInPieces }) => argsInPieces,
  },
  'begins with what is not JSON': {
    play: sending(({ wire }) => line(wire.contentType, `{"${CANARY}": nope`)),
    ends: 'error',
    reason: senseless,
  },
  'sends what is not JSON in the middle of a text': {
    play: sending(({ wire, say }) => say.begin() + say.text(...STORY) + line(wire.contentType, `{"${CANARY}": nope`)),
    ends: 'error',
    reason: senseless,
    shows: true,
  },
  'speaks JSON of another kind': {
    play: sending(({ wire }) => line(wire.contentType, '["hello", "world"]')),
    ends: 'error',
    reason: senseless,
  },
  'does not speak HTTP': {
    play: async ({ sendRaw, wait, socket }) => {
      await sendRaw('SSH-2.0-OpenSSH_9.9\r\n')
      await wait(20)
      socket.destroy()
    },
    ends: 'error',
    reason: broken,
  },
  'sends headers without end': {
    play: async ({ sendRaw, gone }) => {
      await sendRaw('HTTP/1.1 200 OK\r\n')
      while (!gone.aborted) await sendRaw(`x-more: ${'to come, '.repeat(100)}\r\n`)
    },
    ends: 'error',
    reason: broken,
  },
  'sends round in circles': {
    play: ({ open, response }) => {
      open({ location: response.req.url ?? '' }, 307)
      response.end()
    },
    ends: 'error',
    reason: moved,
    again: never,
  },
}

tryFaults(faults)
