import { describe, expect, onTestFinished } from 'vitest'
import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Protocol } from '../../src/contract/outcome.ts'
import type { Script } from '../../src/model/index.ts'
import type { Segno, SegnoOptions } from '../../src/segno.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { counting, strictProvider, WIRE_MODELS } from '../support/compose-under-test.ts'
import { probe } from '../support/probe-tool.ts'
import { FORMAT_NAMES, type FormatName } from '../support/strict-provider/names.ts'
import { said } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'

type Turn = NonNullable<Script['otherwise']>

const look = { name: 'look', args: { at: 'home' } }
const DONE: Turn = { text: 'That is all.' }

/** The kinds of turns, each after which the model may be another. */
const KINDS = {
  text: [{ text: 'Just words.' }],
  reasoning: [{ reasoning: 'What would be best? I know.', text: 'A thought-out answer.' }],
  'reasoning and a call': [
    { reasoning: 'First I look.', text: 'Let me look.', calls: [look] },
    { reasoning: 'Now I have seen it.', ...DONE },
  ],
  'a call without a word': [{ calls: [look] }, DONE],
  'parallel calls': [{ text: 'Two things.', calls: [look, { name: 'look', args: { at: 'work' } }, look] }, DONE],
  'refused calls': [
    { calls: [{ name: 'shout it', args: {} }] },
    { calls: [{ name: 'look', rawArgs: '{"at": ' }] },
    { calls: [{ name: 'look', rawArgs: '[1]' }] },
    { reasoning: 'They do not let me.', ...DONE },
  ],
  'a call named like a part of every object': [{ calls: [{ name: 'constructor' }, { name: '__proto__' }] }, DONE],
  'no answer at all': [{}],
  'only thoughts': [{ reasoning: 'Hm.' }],
  'blank words': [{ text: ' \n', calls: [look] }, { text: ' ' }],
  'cut off by its length': [
    { text: 'And so', calls: [{ name: 'look', rawArgs: '{"at": "ho' }], stopReason: 'max_tokens' },
    DONE,
  ],
  'a refusal': [{ text: 'I would rather not.', stopReason: 'content_filter' }],
  'cancelled in a thought': [
    { reasoning: 'Wait, this needs tim', deltaChars: 4, fault: { kind: 'stall', afterDeltas: 3 } },
  ],
  'cancelled in a word': [
    { reasoning: 'So.', text: 'This is going to be', deltaChars: 4, fault: { kind: 'stall', afterDeltas: 3 } },
  ],
  'cancelled in a call': [{ text: 'So.', calls: [look], argDeltas: 4, fault: { kind: 'stall', afterDeltas: 3 } }],
  'failed in a word': [
    { reasoning: 'So.', text: 'This is going to be', deltaChars: 4, fault: { kind: 'cut', afterDeltas: 3 } },
  ],
} satisfies Record<string, readonly Turn[]>
type Kind = keyof typeof KINDS

/** Nobody says the same as another, so that whose turn it was can be told from its words. */
const scriptOf = (format: FormatName): Script => ({
  scenarios: Object.entries(KINDS).map(([kind, turns]) => ({
    when: `^${kind}$`,
    turns: turns.map((turn: Turn) => ({ ...turn, ...(turn.text?.trim() && { text: `${turn.text} (${format})` }) })),
  })),
})

/** From each format to each other, once: a walk that takes every way. */
const WALK: readonly FormatName[] = (() => {
  const [a, b, c, d] = FORMAT_NAMES
  return [a, b, a, c, a, d, b, c, b, d, c, d, a]
})()

async function open(options: SegnoOptions = {}): Promise<Segno> {
  const segno = await compose(
    {
      home: tempHome(),
      durability: 'normal',
      builtInTools: false,
      tools: [probe('look'), probe('other')],
      ...options,
      limits: {
        RETRY_BASE_MS: 1,
        RETRIES: 0,
        DRAIN_MS: 50,
        HISTORY_MESSAGES: 1000,
        BREAKER_FAILURES: 0,
        ...options.limits,
      },
    },
    { deps: (deps) => ({ ...deps, model: (key) => counting(deps.model(key)) }) },
  )
  onTestFinished(() => segno.close())
  return segno
}

/** One round of a kind, whatever it takes to bring it to its end. */
async function play(segno: Segno, sessionId: string, kind: Kind, format: FormatName, protocol: Protocol) {
  const round = await segno.streamRequest(sessionId, kind, { model: WIRE_MODELS[format], protocol })
  if (kind.startsWith('cancelled')) {
    // What OpenAI thinks is not shown, so no delta may come.
    const isShown = !(kind === 'cancelled in a thought' && format === 'openai-chat')
    for await (const frame of segno.followRound(sessionId, round.requestId)) {
      const began = frame.kind === 'event' && frame.event.type === 'turn.started' && !isShown
      if (!began && !(frame.kind === 'pulse' && frame.pulse.type === 'delta')) continue
      await round.cancel()
      break
    }
  }
  return round.completion
}

function endOf(kind: Kind, protocol: Protocol): string {
  if (kind.startsWith('cancelled')) return 'cancelled'
  if (kind.startsWith('failed')) return 'error'
  return kind === 'refused calls' && protocol === 'triggered' ? 'iteration_limit' : 'complete'
}

for (const protocol of ['unified', 'triggered'] as const) {
  describe(`a ${protocol} session`, () => {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      verifies('LIN-5', `goes on from every model to every other after ${kind}`, async () => {
        const { env, requests } = await strictProvider(scriptOf)
        const segno = await open({ env })
        const { id } = await segno.createSession()
        for (const format of WALK) {
          expect((await play(segno, id, kind, format, protocol)).finishReason).toBe(endOf(kind, protocol))
        }
        const spoken = said(await segno.sessions.events(LOCAL_OWNER, id), 'turn.started').map(({ model }) => model)
        expect(new Set(spoken)).toEqual(new Set(Object.values(WIRE_MODELS)))
        expect(new Set(requests.map(({ format }) => format))).toEqual(new Set(FORMAT_NAMES))
      })
    }

    verifies('LIN-5', 'that has been through everything with everyone still goes on with each', async () => {
      const { env } = await strictProvider(scriptOf)
      const segno = await open({ env })
      const { id } = await segno.createSession()
      for (const [at, kind] of (Object.keys(KINDS) as Kind[]).entries()) {
        for (const step of [0, 1]) {
          const format = WALK[(2 * at + step) % WALK.length] as FormatName
          expect((await play(segno, id, kind, format, protocol)).finishReason).toBe(endOf(kind, protocol))
        }
      }
      for (const format of FORMAT_NAMES) {
        expect((await play(segno, id, 'reasoning and a call', format, protocol)).content).toContain(DONE.text)
      }
    })
  })
}
