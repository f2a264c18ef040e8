import { isDeepStrictEqual } from 'node:util'
import type { SseClient } from '../../support/sse-client.ts'
import { place } from '../../support/sse-client.ts'
import type { SseFrame } from '../../support/sse-frames.ts'
import type { Item } from '../../server/support/ask.ts'
import type { Plan } from './plan-streams.ts'

/** What a client got, what the log says, and what a client gets that comes only now. */
export interface Followed {
  readonly plan: Plan
  readonly client: Pick<SseClient, 'frames' | 'faults' | 'shown'>
  readonly log: readonly Item[]
  readonly fresh: Pick<SseClient, 'frames'>
}

/** What went wrong, in sentences. */
export function judgeStream(followed: Followed): string[] {
  const { plan, client } = followed
  const native = plan.dialect === 'native' || plan.dialect === 'phased'
  const wrong = [
    ...client.faults,
    ...judgeLog(followed),
    ...(native ? judgeEvents(followed) : judgeFacts(followed)),
    ...judgeText(followed),
  ]
  return wrong.map((what) => `session ${plan.n} (${plan.kind}, ${plan.way}): ${what}`)
}

/** One message made one round, which ended once; every use has one result. */
function judgeLog({ log }: Followed): string[] {
  const count = (type: string): number => log.filter((event) => event.type === type).length
  const wrong: string[] = []
  for (const type of ['round.started', 'message.user', 'round.ended'])
    if (count(type) !== 1) wrong.push(`the log has ${count(type)} ${type}`)
  if (log.some(({ seq }, at) => seq !== at + 1)) wrong.push('the log has a gap')
  const ended = log.at(-1)?.data['finishReason']
  if (ended !== 'complete') wrong.push(`the round ended with ${String(ended)}`)
  const calls = log.filter(({ type }) => type === 'tool.call').map(({ data }) => data['callId'])
  const results = log.filter(({ type }) => type === 'tool.result').map(({ data }) => data['callId'])
  if (!isDeepStrictEqual(calls, results)) wrong.push(`${calls.length} calls have ${results.length} results`)
  return wrong
}

/** Every event once, in order, up to the end, and as the log still has it. */
function judgeEvents({ plan, client, log }: Followed): string[] {
  const seen = client.frames.filter(({ data }) => data.seq !== undefined)
  const first = seen[0]?.data.seq ?? 0
  const wrong: string[] = []
  const numbers = seen.map(({ data }) => data.seq)
  const all = log.map(({ seq }) => seq).filter((seq) => seq >= first)
  if (!isDeepStrictEqual(numbers, all)) wrong.push(`got the events ${numbers.join()} of ${all.join()}`)
  if (first > 2) wrong.push(`the first event it got is ${first}`)
  for (const { id = '', data } of seen) {
    const stored = log[(data.seq ?? 0) - 1]
    const { phase: _, phaseIndex: __, cycleIndex: ___, ...said } = data
    const { phase: ____, phaseIndex: _____, cycleIndex: ______, ...kept } = (stored ?? {}) as Item & Phased
    const same = plan.dialect === 'native' ? isDeepStrictEqual(data, stored) : isDeepStrictEqual(said, kept)
    if (!same) wrong.push(`event ${id} was ${JSON.stringify(data)} and is ${JSON.stringify(stored)}`)
    if (place(id)[0] !== data.seq) wrong.push(`event ${data.seq} came with the id ${id}`)
  }
  return wrong
}

interface Phased {
  readonly phase?: string
  readonly phaseIndex?: number
  readonly cycleIndex?: number
}

/** Everything that stands for an event, once and in order, the same as for somebody who comes afterwards. */
function judgeFacts({ client, fresh, log }: Followed): string[] {
  // An id with a point stands for text, or for its being taken back.
  const facts = ({ frames }: Pick<SseClient, 'frames'>) =>
    frames.filter(({ event, id }) => id !== undefined && !id.includes('.') && event !== 'turn')
  const wrong: string[] = []
  if (!isDeepStrictEqual(facts(client), facts(fresh)))
    wrong.push(`got ${names(facts(client))}, but who comes now gets ${names(facts(fresh))}`)
  for (const { id = '', event } of client.frames.filter(({ id: own }) => own !== undefined && !own.includes('.'))) {
    const stored = log[place(id)[0] - 1]
    if (!stored) wrong.push(`${event} ${id} stands for nothing in the log`)
    else if (!(STANDS_FOR[event] ?? [stored.type]).includes(stored.type))
      wrong.push(`${event} ${id} stands for ${stored.type}`)
  }
  return wrong
}

const names = (frames: readonly SseFrame[]): string => frames.map(({ id = '', event }) => `${id} ${event}`).join(', ')

const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  'message.start': ['round.started', 'round.resumed', 'turn.retried'],
  'tool.start': ['tool.call'],
  'tool.complete': ['tool.result'],
  done: ['round.ended'],
  initialized: ['round.started'],
  'turn-completed': ['turn.ended'],
  completed: ['round.ended'],
}

/** The text on the screen is the text in the log. */
function judgeText({ plan, client, log }: Followed): string[] {
  const stored = new Map<number, string>()
  for (const { type, data } of log) {
    if (type !== 'message.assistant') continue
    const parts = data['content'] as readonly { type: string; text?: string }[]
    const turn = data['turn'] as number
    stored.set(turn, (stored.get(turn) ?? '') + parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))
  }
  const all = [...stored.values()].join('')
  const expected = plan.dialect === 'chat' ? new Map([[0, all]]) : stored
  const shown = new Map([...client.shown.turns].filter(([, text]) => text !== ''))
  return isDeepStrictEqual(shown, expected)
    ? []
    : [`shows ${JSON.stringify([...shown])} where ${JSON.stringify([...expected])} is stored`]
}
