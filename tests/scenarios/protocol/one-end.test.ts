import { expect } from 'vitest'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

interface Case {
  readonly turns: readonly ScriptedTurn[]
  readonly finish: string
  readonly options?: { limits?: { totalMs?: number }; attended?: boolean }
}

const done: ScriptedTurn = { text: 'Done.' }
const call = (name: string, more: ScriptedTurn = {}): ScriptedTurn => ({ ...more, calls: [{ name }] })
const fault = (fault: NonNullable<ScriptedTurn['fault']>, more: ScriptedTurn = {}): ScriptedTurn => ({ ...more, fault })
const half = { text: 'Half a sentence, and then', deltaChars: 4 }
const circular: Record<string, unknown> = {}
circular['self'] = circular

const tools: Partial<Tool>[] = [
  { name: 'look' },
  { name: 'throw', run: () => Promise.reject(new Error('broken')) },
  {
    name: 'throw-at-once',
    run: () => {
      throw new Error('broken at once')
    },
  },
  { name: 'hang', timeoutMs: 10, run: () => new Promise(() => {}) },
  { name: 'circular', run: () => circular },
  { name: 'huge', run: () => 'x'.repeat(5_000_000) },
  { name: 'mail', effect: 'unsafe', approval: 'ask' },
  {
    name: 'no-rule',
    approval: () => {
      throw new Error('cannot say')
    },
  },
]

const cases: Record<string, Case> = {
  'text only': { turns: [done], finish: 'complete' },
  'nothing at all': { turns: [{}], finish: 'complete' },
  'reasoning only': { turns: [{ reasoning: 'Hm.' }], finish: 'complete' },
  'a call without an answer': { turns: [call('look')], finish: 'complete' },
  'text cut by max_tokens': { turns: [{ ...done, stopReason: 'max_tokens' }], finish: 'max_tokens' },
  'nothing, by max_tokens': { turns: [{ stopReason: 'max_tokens' }], finish: 'max_tokens' },
  'a stop by the content filter': { turns: [{ ...done, stopReason: 'content_filter' }], finish: 'complete' },
  'a stop that claims calls there are none of': { turns: [{ ...done, stopReason: 'tool_use' }], finish: 'complete' },
  'a call with a stop that denies it': { turns: [call('look', { stopReason: 'end_turn' }), done], finish: 'complete' },
  'a call without a name': { turns: [call('')], finish: 'complete' },
  'calls of nothing there is': { turns: [call('a'), call('b'), done], finish: 'complete' },
  'a tool that throws': { turns: [call('throw'), done], finish: 'complete' },
  'a tool that throws at once': { turns: [call('throw-at-once'), done], finish: 'complete' },
  'a tool that never ends': { turns: [call('hang'), done], finish: 'complete' },
  'a tool that returns what cannot be written': { turns: [call('circular'), done], finish: 'complete' },
  'a tool that returns far too much': { turns: [call('huge'), done], finish: 'complete' },
  'nobody to ask': { turns: [call('mail'), done], finish: 'complete', options: { attended: false } },
  'a rule that cannot say': { turns: [call('no-rule'), done], finish: 'complete', options: { attended: false } },
  'no time at all': { turns: [done], finish: 'timeout', options: { limits: { totalMs: 0 } } },
  'a cut that heals': { turns: [fault({ kind: 'cut' }), done], finish: 'complete' },
  'a cut after text that heals': { turns: [fault({ kind: 'cut', afterDeltas: 2 }, half), done], finish: 'complete' },
  'a cut right before the end': { turns: [fault({ kind: 'cut', afterDeltas: 99 }, half), done], finish: 'complete' },
  'a cut inside the arguments': {
    turns: [fault({ kind: 'cut', afterDeltas: 1 }, call('look', { argDeltas: 2 })), done],
    finish: 'complete',
  },
  'a cut every time': { turns: [fault({ kind: 'cut' })], finish: 'error' },
  'a cut after text every time': { turns: [fault({ kind: 'cut', afterDeltas: 2 }, half)], finish: 'error' },
  'a stall that heals': { turns: [fault({ kind: 'stall' }), done], finish: 'complete' },
  'a stall every time': { turns: [fault({ kind: 'stall' })], finish: 'timeout' },
  'a rate limit that heals': {
    turns: [fault({ kind: 'error', status: 429, retryAfterMs: 1 }), done],
    finish: 'complete',
  },
  'a rate limit every time': { turns: [fault({ kind: 'error', status: 429 })], finish: 'error' },
  'a server error that heals': { turns: [fault({ kind: 'error', status: 500 }), done], finish: 'complete' },
  'a server error every time': { turns: [fault({ kind: 'error', status: 500 })], finish: 'error' },
  'a server error after text': {
    turns: [fault({ kind: 'error', status: 500, afterDeltas: 1 }, half), done],
    finish: 'complete',
  },
  'an overload that heals': { turns: [fault({ kind: 'overloaded' }), done], finish: 'complete' },
  'an overload every time': { turns: [fault({ kind: 'error', status: 529 })], finish: 'error' },
  'a refused key': { turns: [fault({ kind: 'error', status: 401 })], finish: 'error' },
  'a refused key after text': { turns: [fault({ kind: 'error', status: 401, afterDeltas: 1 }, half)], finish: 'error' },
  'a failure after a call was carried out': {
    turns: [call('look'), fault({ kind: 'error', status: 401 })],
    finish: 'error',
  },
}

for (const protocol of ['unified', 'triggered'] as const) {
  for (const [name, { turns, finish, options = {} }] of Object.entries(cases)) {
    verifies('PHA-6', `${protocol}: ${name} ends with one ${finish} and leaves a session that goes on`, async () => {
      const segno = await segnoUnderTest({
        tools: tools.map((tool) => probe(tool.name ?? '', tool)),
        // The last fault stays for ever; an answer is followed by silence.
        script: {
          scenarios: [{ when: '^go', turns, repeat: turns.at(-1)?.fault !== undefined }],
          otherwise: { text: 'Still here.' },
        },
        limits: { MODEL_CALL_MS: 250, CONTENT_GAP_MS: 250 },
      })
      const { events, finishReason, requestId } = await segno.ask('Go.', { protocol, ...options })
      expect(finishReason).toBe(finish)
      const endings = (await segno.events()).filter(({ type }) => type === 'round.ended')
      expect(endings.map((event) => event.requestId)).toEqual([requestId])
      expect(events.at(-1)?.type).toBe('round.ended')
      expect(await segno.ask('And now?')).toMatchObject({ finishReason: 'complete', content: 'Still here.' })
    })
  }
}
