import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Exchange, Play } from '../../support/faulty-provider/exchange.ts'
import { verifies } from '../../support/verifies.ts'
import type { Fault } from './support/fault.ts'
import { FIFTIETH } from './support/stage.ts'
import { CANARY } from './support/trial.ts'
import { tryFaults } from './support/try-faults.ts'

const broken = 'the connection to the model failed'
const tooLong = 'the answer was longer than ANSWER_CHARS allows'
const never = (): boolean => false
const PIECE = 64_000

/** Sends as fast as the other side reads, for as long as it does. */
const flood =
  (first: (asked: Exchange) => string, piece: (asked: Exchange) => string, status = 200): Play =>
  async (asked) => {
    asked.open({}, status)
    await asked.send(first(asked))
    const bytes = Buffer.from(piece(asked))
    while (!asked.gone.aborted) {
      await asked.send(bytes)
      // Whoever sends without a pause must still hear that nobody listens.
      await asked.wait(0)
    }
  }
const nothing = (): string => ''
const long = `${CANARY} `.repeat(PIECE / 12)

const faults: Record<string, Fault> = {
  'never stops talking': {
    play: flood(
      ({ say }) => say.begin(),
      ({ say }) => say.text(...Array.from({ length: 500 }, () => 'and so on ')),
    ),
    ends: 'error',
    reason: tooLong,
    again: never,
  },
  'never stops thinking': {
    play: flood(
      ({ say }) => say.begin(),
      ({ say }) => say.thought(...Array.from({ length: 500 }, () => 'perhaps ')),
    ),
    ends: 'error',
    reason: tooLong,
    again: never,
    on: ({ thinks }) => thinks,
  },
  'never ends its arguments': {
    play: flood(
      ({ say }) => say.begin() + say.call('{"path": "'),
      ({ say }) => say.args(...Array.from({ length: 500 }, () => 'and/on/')),
    ),
    ends: 'error',
    reason: tooLong,
    again: never,
    on: ({ argsInPieces }) => argsInPieces,
  },
  'sends a line without end': { play: flood(nothing, () => long), ends: 'error', reason: broken },
  'sends an event without end': {
    play: flood(nothing, () => `data: ${long}\n`),
    ends: 'error',
    reason: broken,
    // There an event is a line.
    on: ({ name }) => name !== 'ollama',
  },
  'packs a line without end into a few bytes': {
    play: async ({ open, send, response }) => {
      open({ 'content-encoding': 'gzip' })
      await send(BOMB)
      response.end()
    },
    ends: 'error',
    reason: broken,
  },
  'never stops saying why it failed': {
    play: flood(nothing, () => long, 500),
    ends: 'error',
    reason: 'the provider answered 500',
  },
  'keeps the connection alive as fast as it can': {
    play: flood(nothing, ({ say }) => say.keepAlive.repeat(PIECE / say.keepAlive.length)),
    ends: 'timeout',
    reason: `the model said nothing for ${FIFTIETH.CONTENT_GAP_MS} ms`,
    on: ({ name }) => ['anthropic', 'openai-chat', 'ollama'].includes(name),
  },
}

const BOMB = gzipSync(Buffer.alloc(200_000_000, 'a'), { level: 1 })

let most = 0
let before = 0
let looking: NodeJS.Timeout
beforeAll(() => {
  before = held()
  looking = setInterval(() => (most = Math.max(most, held())), 10)
})
afterAll(() => {
  clearInterval(looking)
})
function held(): number {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000_000
}

tryFaults(faults, { ANSWER_CHARS: 20_000 })

verifies('COO-6', 'what a provider sends without end is not kept', () => {
  console.error('most', most, before)
  expect(most - before).toBeLessThan(500)
})
