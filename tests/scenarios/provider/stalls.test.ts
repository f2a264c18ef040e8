import type { Play } from '../../support/faulty-provider/exchange.ts'
import type { Fault } from './support/fault.ts'
import { FIFTIETH } from './support/stage.ts'
import { CANARY } from './support/trial.ts'
import { tryFaults } from './support/try-faults.ts'

const { CONNECT_MS, CONTENT_GAP_MS, MODEL_CALL_MS } = FIFTIETH
const noAnswer = `the provider did not answer within ${CONNECT_MS} ms`
/** before its first word, and after it */
const mute = `the model said nothing for ${MODEL_CALL_MS} ms`
const silent = `the model said nothing for ${CONTENT_GAP_MS} ms`
const STORY = ['Once upon ', `a ${CANARY}`]

/** Says the same thing again and again until nobody listens. */
const forEver =
  (first: Play, ms: number, more: Play): Play =>
  async (asked) => {
    await first(asked)
    while (!asked.gone.aborted) {
      await asked.wait(ms)
      await more(asked)
    }
  }
const headers: Play = ({ open }) => open()
const keepAlive: Play = ({ say, send }) => send(say.keepAlive)
const story: Play = async ({ say, open, send }) => {
  open()
  await send(say.begin() + say.text(...STORY))
}
const stall: Play = ({ stall: wait }) => wait()
const after =
  (first: Play): Play =>
  async (asked) => {
    await first(asked)
    await asked.stall()
  }

const faults: Record<string, Fault> = {
  'never begins to answer': { play: stall, ends: 'timeout', reason: noAnswer },
  'sends its headers line by line and never ends them': {
    play: forEver(
      ({ sendRaw }) => sendRaw('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'),
      50,
      ({ sendRaw }) => sendRaw('x-more: to come\r\n'),
    ),
    ends: 'timeout',
    reason: noAnswer,
  },
  'says that it failed and never says how': {
    play: after(({ open }) => open({ 'content-type': 'application/json', 'content-length': '100' }, 500)),
    ends: 'timeout',
    reason: noAnswer,
  },
  'sends its headers and no more': { play: after(headers), ends: 'timeout', reason: mute },
  'sends its first event and no more': {
    play: after(async ({ say, open, send }) => {
      open()
      await send(say.begin())
    }),
    ends: 'timeout',
    reason: mute,
  },
  'keeps the connection alive and says nothing': {
    play: forEver(headers, 60, keepAlive),
    ends: 'timeout',
    reason: mute,
  },
  'sends a byte at a time and never ends a line': {
    play: forEver(headers, 60, ({ send }) => send('d')),
    ends: 'timeout',
    reason: mute,
  },
  'falls silent in the middle of a text': { play: after(story), ends: 'timeout', reason: silent, shows: true },
  'keeps the connection alive after some text': {
    play: forEver(story, 60, keepAlive),
    ends: 'timeout',
    reason: silent,
    shows: true,
  },
  'falls silent in the middle of a thought': {
    play: after(async ({ say, open, send }) => {
      open()
      await send(say.begin() + say.thought(...STORY))
    }),
    ends: 'timeout',
    reason: silent,
    shows: true,
    on: ({ thinks }) => thinks,
  },
  'falls silent in the middle of arguments': {
    play: after(async ({ say, open, send }) => {
      open()
      await send(say.begin() + say.call('{"path":', '"a/lo'))
    }),
    ends: 'timeout',
    reason: silent,
    shows: true,
    inCall: true,
    on: ({ argsInPieces }) => argsInPieces,
  },
}

tryFaults(faults)
