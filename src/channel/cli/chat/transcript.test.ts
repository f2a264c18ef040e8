import { expect, test } from 'vitest'
import type { Frame, WireEvent } from '../../../client/index.ts'
import { doingWords } from './live-lines.ts'
import { plain } from './paint.ts'
import { recapOf } from './recap.ts'
import { createTranscript } from './transcript.ts'
import { clockTime } from './words.ts'

type Said<T extends WireEvent['type']> = Partial<Extract<WireEvent, { type: T }>['data']>

function seen(outputs = false) {
  let text = ''
  let seq = 0
  const transcript = createTranscript({
    width: () => 60,
    paint: plain,
    write: (part) => (text += part),
    outputs: () => outputs,
    echoes: () => true,
  })
  const see = (frame: Frame): void => transcript.see(frame)
  return {
    transcript,
    text: () => text,
    event<T extends WireEvent['type']>(type: T, data: Said<T>): void {
      seq += 1
      const at = new Date(seq * 100).toISOString()
      see({ kind: 'event', event: { seq, type, requestId: 'r', at, data } as never })
    },
    delta(offset: number, words: string): void {
      see({ kind: 'delta', delta: { requestId: 'r', turn: 1, kind: 'text', offset, text: words } })
    },
    reset: () => see({ kind: 'reset', requestId: 'r', turn: 1 }),
  }
}

/** When the event with this number was stored, as a person reads it. */
const at = (seq: number): string => clockTime(new Date(seq * 100).toISOString())
const user = { content: [{ type: 'text', text: 'hi' }] } as const
const answer = (text: string) => ({ turn: 1, content: [{ type: 'text' as const, text }] })
const end = { finishReason: 'complete' as const, usage: { input: 1, output: 1 }, cost: 1200 }

test('a round is what was said, what was called and how it ended', () => {
  const { event, delta, text, transcript } = seen()
  event('round.started', { requestId: 'r' })
  event('message.user', user as never)
  event('turn.started', { turn: 1 })
  delta(0, 'It is **4')
  delta(9, '2**.')
  event('message.assistant', answer('It is **42**.'))
  event('tool.call', { callId: 'c', name: 'calculator', args: { expression: '6*7' } })
  event('tool.result', { callId: 'c', name: 'calculator', outcome: 'ok', durationMs: 3 })
  expect(transcript.open).toMatchObject({ requestId: 'r', state: 'running' })
  event('round.ended', end)
  expect(text()).toBe('› hi\n\nIt is **42**.\n\n✓ calculator 6*7 · 3 ms\n\nDone · 600 ms · $0.0012 · #7\n')
  expect(transcript.open).toBeUndefined()
})

test('what came twice is shown once, and what never came is taken from what was stored', () => {
  const { event, delta, text } = seen()
  event('turn.started', { turn: 1 })
  delta(0, 'one two')
  delta(0, 'one two three')
  delta(4, 'two three four')
  event('message.assistant', answer('one two three four five'))
  expect(text()).toBe('one two three four five\n')
})

test('an answer that starts again says so', () => {
  const { event, delta, text, reset } = seen()
  event('turn.started', { turn: 1 })
  delta(0, 'half of')
  reset()
  delta(0, 'all of it')
  event('message.assistant', answer('all of it'))
  expect(text()).toBe('half of\n\nThat answer broke off; it starts again.\n\nall of it\n')
})

test('an event that comes again after a lost connection is not shown again', () => {
  const { event, text, transcript } = seen()
  event('message.user', user as never)
  transcript.see({
    kind: 'event',
    event: { seq: 1, type: 'message.user', requestId: 'r', at: '', data: user } as never,
  })
  expect(text()).toBe('› hi\n')
})

test('why a round failed is told once, with what can be done', () => {
  const { event, text } = seen()
  event('notice', { text: 'The model call failed: no key.' })
  event('turn.ended', { turn: 1 })
  event('message.assistant', { ...answer('(Sorry. The model call failed: no key.)'), own: true })
  event('round.ended', { ...end, finishReason: 'error', error: 'The model call failed: no key.' })
  expect(text().match(/no key/g)).toHaveLength(1)
  expect(text()).toMatch(/Failed · .*\nYour message is kept/)
})

test('what a tool put out is shown only to who asked for it', () => {
  for (const outputs of [false, true]) {
    const { event, text } = seen(outputs)
    const content = 'secret\x1b[2J of the tool'
    event('tool.result', { callId: 'c', name: 't', outcome: 'ok', durationMs: 1, content })
    expect(text()).toBe(`✓ t · 1 ms\n${outputs ? '  secret\\u{1b}[2J of the tool\n' : ''}`)
  }
})

test('approvals are pending until they are decided, and calls run until they have a result', () => {
  const { event, transcript } = seen()
  event('round.started', { requestId: 'r' })
  event('tool.call', { callId: 'c', name: 'mail', args: {} })
  event('approval.requested', { approvalId: 'a', callId: 'c', tool: 'mail', target: 'ada' })
  event('round.waiting', { for: 'approval' })
  expect([transcript.pending.map(({ approvalId }) => approvalId), transcript.open?.state]).toEqual([['a'], 'waiting'])
  event('approval.decided', { approvalId: 'a', callId: 'c', decision: 'approve' })
  event('round.resumed', { turn: 1 })
  event('tool.started', { callId: 'c' })
  expect([transcript.pending, transcript.running.map(({ name }) => name)]).toEqual([[], ['mail']])
  event('tool.result', { callId: 'c', name: 'mail', outcome: 'denied', durationMs: 0 })
  expect(transcript.running).toEqual([])
})

test.each([
  [{ decision: 'approve' }, {}, 'allowed'],
  [{ decision: 'approve', remember: 'session' }, {}, 'allowed for this conversation'],
  [{ decision: 'deny' }, {}, 'not allowed'],
  [{ decision: 'expired' }, {}, 'not allowed: too late'],
  [{ decision: 'stale' }, {}, 'not asked any more'],
  [{ decision: 'approve' }, { question: { message: 'How old?' } }, 'answered'],
  [{ decision: 'deny' }, { question: { message: 'How old?' } }, 'not answered'],
] as const)('a decision leaves one line that fits: %j %j', (decided, asked, words) => {
  const { event, text } = seen()
  const target = `\x1b[2Jada\n${'x'.repeat(200)}`
  event('approval.requested', { approvalId: 'a', callId: 'c', tool: 'mail', target, ...asked })
  event('approval.decided', { approvalId: 'a', callId: 'c', ...decided })
  const start = 'question' in asked ? 'mail How old?' : 'mail \\u{1b}[2Jada '
  expect(text().startsWith(`? ${start}`)).toBe(true)
  expect(text().endsWith(` · ${words}\n`)).toBe(true)
  expect([text().split('\n').length, text().length <= 61]).toEqual([2, true])
})

test('a call whose result comes later does not run, and is said to be waited for', () => {
  const { event, transcript } = seen()
  const doing = (): string => doingWords({ isStopping: false, isSending: false }, transcript)
  event('round.started', { requestId: 'r' })
  event('tool.call', { callId: 'c', name: 'print', args: {} })
  event('tool.started', { callId: 'c' })
  event('tool.submitted', { callId: 'c', ref: 'job' })
  event('round.waiting', { for: 'result' })
  expect([transcript.running, transcript.later.map(({ name }) => name)]).toEqual([[], ['print']])
  expect(doing()).toBe(`waits for the result of print since ${at(5)}`)
  event('tool.result', { callId: 'c', name: 'print', outcome: 'ok', durationMs: 0 })
  event('round.resumed', { turn: 2 })
  expect([transcript.later, doing()]).toEqual([[], 'answering'])
})

test('it is told for which workflow a round waits and since when, also when it is told anew until when', () => {
  const { event, transcript, text } = seen()
  const doing = (): string => doingWords({ isStopping: false, isSending: false }, transcript)
  event('round.started', { requestId: 'r' })
  event('tool.call', { callId: 'c', name: 'workflow_resize', args: {} })
  event('tool.started', { callId: 'c' })
  event('tool.submitted', { callId: 'c', ref: 'job', kind: 'workflow' })
  event('round.waiting', { for: 'workflow' })
  event('round.waiting', { for: 'workflow' })
  expect(doing()).toBe(`waiting for a workflow since ${at(5)}: workflow_resize`)
  expect(transcript.open?.waiting).toEqual({ what: 'workflow', since: new Date(500).toISOString() })
  event('tool.result', { callId: 'c', name: 'workflow_resize', outcome: 'timeout', durationMs: 0 })
  event('round.resumed', { turn: 2 })
  expect(transcript.open?.waiting).toBeUndefined()
  event('tool.reconciled', { callId: 'c', happened: true, by: 'engine', late: true })
  expect(text()).toContain('workflow_resize: its result came after all. It did happen.')
})

test('who comes back sees the last exchange, or follows the round that is still going on', () => {
  const events = ['round.started', 'message.user', 'round.ended', 'round.started', 'message.user'].map(
    (type, at) =>
      ({
        seq: at + 1,
        type,
        requestId: at < 3 ? 'r1' : 'r2',
        at: '',
        data: type === 'message.user' ? user : {},
      }) as never,
  )
  expect(recapOf(events)).toMatchObject({ said: ['hi', 'hi'], last: [], after: 3 })
  expect(recapOf(events.slice(0, 3))).toMatchObject({ said: ['hi'], last: events.slice(0, 3), after: 3 })
  expect(recapOf([])).toEqual({ said: [], last: [], after: 0 })
})

test("a round that used up its calls says how it can go on, and one that does is nobody's words", () => {
  const { event, text } = seen()
  event('round.started', { requestId: 'r' })
  event('round.ended', { ...end, finishReason: 'tool_limit' })
  event('round.started', { requestId: 'r', continues: 'r' })
  event('message.user', { ...user, own: true } as never)
  expect(text()).toContain('#2\nIt can go on, and counts anew: /continue\n')
  expect(text()).toMatch(/\n\nContinued\n$/)
})
