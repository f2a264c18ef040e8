import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { failureSentence } from '../../../src/model/index.ts'
import type { Exchange, Play } from '../../support/faulty-provider/exchange.ts'
import { WELL } from '../../support/faulty-provider/plays.ts'
import { WIRE_NAMES, WIRES, type Wire } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './support/fault.ts'
import { openStage, type Stage } from './support/stage.ts'
import { CANARY, tryOut } from './support/trial.ts'

const ANSWER_CHARS = 20_000
const MODEL_CALL_MS = 2000
const TIMEOUT_MS = 120_000

let stage: Stage
beforeAll(async () => {
  const patient = { TOTAL_MS: 60_000, CONNECT_MS: 20_000 }
  stage = await openStage({ ...patient, MODEL_CALL_MS, CONTENT_GAP_MS: MODEL_CALL_MS, RETRIES: 0, ANSWER_CHARS })
})
afterAll(() => stage.close())

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

const begin = ({ say }: Exchange): string => say.begin()
const nothing = (): string => ''
const many = (what: string): string[] => Array.from({ length: 500 }, () => what)
const LONG = `${CANARY} `.repeat(5000)
const BOMB = gzipSync(Buffer.alloc(100_000_000, 'a'), { level: 1 })

const tooLong = 'the answer was longer than ANSWER_CHARS allows'
const broken = 'the connection to the model failed'

interface Flood {
  readonly play: Play
  readonly reason: string
  readonly on?: (wire: Wire) => boolean
}

const floods: Record<string, Flood> = {
  'never stops talking': { play: flood(begin, ({ say }) => say.text(...many('and so on '))), reason: tooLong },
  'never stops thinking': {
    play: flood(begin, ({ say }) => say.thought(...many('perhaps '))),
    reason: tooLong,
    on: ({ thinks }) => thinks,
  },
  'never ends its arguments': {
    play: flood(
      ({ say }) => say.begin() + say.call('{"path": "'),
      ({ say }) => say.args(...many('and/on/')),
    ),
    reason: tooLong,
    on: ({ argsInPieces }) => argsInPieces,
  },
  'sends a line without end': { play: flood(nothing, () => LONG), reason: broken },
  'sends an event without end': {
    play: flood(nothing, () => `data: ${LONG}\n`),
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
    reason: broken,
  },
  'never stops saying why it failed': { play: flood(nothing, () => LONG, 500), reason: 'the provider answered 500' },
  'keeps the connection alive as fast as it can': {
    play: flood(nothing, ({ say }) => say.keepAlive.repeat(50_000 / say.keepAlive.length)),
    reason: `the model said nothing for ${MODEL_CALL_MS} ms`,
    on: ({ name }) => name === 'openai-chat',
  },
}

for (const [what, { play, reason, on = () => true }] of Object.entries(floods)) {
  verifies(
    ['COO-6', 'GOV-7'],
    `a provider that ${what} is stopped, and what it sent is not kept`,
    async () => {
      for (const wire of WIRE_NAMES.map((name) => WIRES[name]).filter(on)) {
        const memory = watchMemory()
        const { round, events, troubles, requests } = await tryOut(stage, wire, 'unified', () => play)
        expect({ wire: wire.name, troubles, requests, finishReason: round.finishReason }).toEqual({
          wire: wire.name,
          troubles: [],
          requests: 1,
          finishReason: reason.includes('said nothing') ? 'timeout' : 'error',
        })
        expect(said(events, 'notice').map(({ text }) => text)).toEqual([failureSentence(reason)])
        // What is read in one piece may be 16 MB, and is in memory a few times over.
        expect(memory.mostMb()).toBeLessThan(250)
      }
    },
    TIMEOUT_MS,
  )
}

for (const [kind, end] of Object.entries({ 'line feeds': '\n\n', 'carriage returns and line feeds': '\r\n\r\n' })) {
  verifies('GOV-7', `much that ends in ${kind}, wherever it is cut, is no event without end`, async () => {
    const comment = `: ${'still here '.repeat(90)}${end}`
    const { round, troubles } = await tryOut(stage, WIRES['openai-chat'], 'unified', () => async (asked) => {
      asked.open()
      for (let sent = 0; sent < 20_000_000; sent += 64_000) {
        const from = sent % comment.length
        await asked.send(comment.repeat(70).slice(from, from + 64_000))
      }
      await asked.send(`${end}${asked.say.begin()}${asked.say.text(WELL)}${asked.say.end()}`)
      asked.response.end()
    })
    expect({ troubles, content: round.content }).toEqual({ troubles: [], content: WELL })
  })
}

/** How much more memory is held at most, before it is tidied up. */
function watchMemory(): { mostMb(): number } {
  const held = (): number => {
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1_000_000
  }
  const before = held()
  let most = before
  const looking = setInterval(() => (most = Math.max(most, held())), 20)
  return {
    mostMb() {
      clearInterval(looking)
      return most - before
    },
  }
}
