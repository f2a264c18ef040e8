import { expect, test } from 'vitest'
import { foldRound } from '../log/fold-round.ts'
import type { CallStep, RoundPicture } from '../log/round-picture.ts'
import { answeredRound, someLog } from '../log/some-log.suite.ts'
import { askedWords, isInDoubt, numbersOf, shortArgs, stateOf, whyOf } from './call-words.ts'
import { answerOf, endWords, announcementOf, neverBegan } from './round-words.ts'

const round = foldRound('r', answeredRound(someLog(), 'r'))
const call = round.steps.find((step): step is CallStep => step.kind === 'call') as CallStep
const waiting: CallStep = {
  ...call,
  approval: { id: 'a', status: 'pending', requestedAt: 0, reason: 'it writes', isQuestion: false },
}
const { result: _, startedAt: __, ...asked } = waiting

test('one argument is shown as it is, several with their names, all on one short line', () => {
  expect(shortArgs({ expression: '6 *\n 7' })).toBe('6 * 7')
  expect(shortArgs({ path: 'a', lines: [1, 2] })).toBe('path: a, lines: [1,2]')
  expect(shortArgs({})).toBe('')
  expect(shortArgs({ text: 'x'.repeat(100_000) }).length).toBeLessThan(130)
})

test('the state of a call is told in words for every way it can stand', () => {
  expect(stateOf(call, false)).toMatchObject({ words: 'ok', icon: 'check' })
  expect(stateOf(asked, true).words).toBe('asks for approval')
  expect(stateOf(asked, false).words).toBe('not run')
  const { approval: ___, ...bare } = asked
  expect(stateOf(bare, true).words).toBe('waits')
  expect(stateOf({ ...bare, startedAt: 1 }, true)).toMatchObject({ words: 'runs', icon: 'spinner' })
  const later: CallStep = { ...bare, startedAt: 1, submitted: { at: 2, until: 3, ref: 'job' } }
  expect(stateOf(later, true)).toMatchObject({
    words: expect.stringMatching(/^waits since .*\d\d:\d\d$/) as string,
    icon: 'clock',
  })
  expect(announcementOf({ ...round, state: 'waiting', steps: [later] })).toBe('Segno waits for calculator.')
  const workflow: CallStep = { ...later, name: 'workflow_resize', submitted: { ...later.submitted!, kind: 'workflow' } }
  expect(announcementOf({ ...round, state: 'waiting', steps: [workflow] })).toBe('Segno waits for workflow resize.')
  const task: CallStep = { ...later, name: 'lab__research', submitted: { ...later.submitted!, kind: 'task' } }
  expect(announcementOf({ ...round, state: 'waiting', steps: [task] })).toBe(
    'Segno waits for the task of lab__research.',
  )
})

test('a call nobody knows the end of is loud until somebody has said', () => {
  const doubtful: CallStep = { ...call, result: { ...call.result!, outcome: 'timeout', effect: 'unknown' } }
  expect(isInDoubt(doubtful)).toBe(true)
  expect(stateOf(doubtful, false)).toMatchObject({ words: 'unknown', tone: 'danger' })
  expect(isInDoubt({ ...doubtful, reconciled: { happened: false, by: 'ada' } })).toBe(false)
})

test('a result that came after its call was given up is told on the line of the call', () => {
  const late: CallStep = { ...call, result: { ...call.result!, outcome: 'timeout', effect: 'unknown' } }
  const settled = (happened: boolean) => stateOf({ ...late, reconciled: { happened, by: 'ada', late: true } }, false)
  expect(settled(true)).toMatchObject({ words: 'timed out; later: it happened', tone: 'ok' })
  expect(settled(false)).toMatchObject({ words: 'timed out; later: it failed', tone: 'danger' })
})

test('what was not run has no duration', () => {
  expect(numbersOf(call)).toEqual(['4 ms'])
  expect(numbersOf({ ...call, result: { ...call.result!, outcome: 'refused', cost: 0 } })).toEqual([])
  expect(numbersOf({ ...call, result: { ...call.result!, cost: 1200 } })).toEqual(['4 ms', '$0.0012'])
})

test('who was asked, what they said and how long it took is told in a sentence', () => {
  const approval = { ...waiting.approval!, decidedAt: 3000, by: 'ada' }
  expect(askedWords({ ...approval, status: 'approve' })).toMatch(/it writes\. Approved by ada after 3\.0 s\.$/)
  expect(askedWords({ ...approval, status: 'expired' })).toMatch(/Nobody answered within 3\.0 s\.$/)
  expect(askedWords(waiting.approval!)).toMatch(/it writes\.$/)
})

test('a refusal has a reason in words', () => {
  expect(whyOf('DUPLICATE')).toMatch(/not done twice/)
  expect(whyOf('NEW_IN_A_LATER_VERSION')).toBe('NEW_IN_A_LATER_VERSION')
})

test('the end of a round says why, how long, what it cost, calls and tokens', () => {
  expect(endWords(round).join(' · ')).toBe('answered · 11.0 s · <$0.0001 · 1 call · 20 in · 10 out')
  const { finish, ...open } = round
  expect(endWords(open)).toEqual([])
  const unpriced = { ...round, finish: { ...finish!, cost: 0, usage: { ...finish!.usage, unpriced: true } } }
  expect(endWords(unpriced)).toContain('price unknown')
})

test('an answer is copied whole, without what was deleted', () => {
  expect(answerOf(round, new Set())).toBe('Let me see.\n\n42.')
  expect(answerOf(round, new Set(['event-4']))).toBe('42.')
})

test('a screen reader hears what a round came to, not its text', () => {
  expect(announcementOf(round)).toBe('Answered.')
  expect(announcementOf({ ...round, state: 'running' })).toBe('Segno is answering.')
  expect(announcementOf({ ...round, state: 'waiting', steps: [asked] })).toBe(
    'Segno asks for your approval of calculator. F2 goes there.',
  )
})

test('a message that was cancelled before its turn is known by having asked no model', () => {
  const event = someLog()
  const taken: RoundPicture = foldRound('r', [
    event('round.started', 'r', { model: 'm', protocol: 'unified', mode: 'act' }),
    event('message.user', 'r', { content: [{ type: 'text', text: 'x' }] }),
    event('message.assistant', 'r', {
      turn: 0,
      content: [{ type: 'text', text: '(Stopped.)' }],
      own: true,
      final: true,
    }),
    event('round.ended', 'r', { finishReason: 'cancelled', usage: { input: 0, output: 0 }, cost: 0 }),
  ])
  expect(neverBegan(taken)).toBe(true)
  const unstarted = { model: 'm', protocol: 'unified', mode: 'act', queuedAt: 0 } as const
  const end = { finishReason: 'cancelled', usage: { input: 0, output: 0 }, cost: 0 } as const
  expect(neverBegan(foldRound('r', [event('round.ended', 'r', { ...end, unstarted })]))).toBe(true)
  expect(neverBegan(foldRound('r', [event('round.ended', 'r', end)]))).toBe(false)
  expect(neverBegan(round)).toBe(false)
  expect(neverBegan({ ...round, finish: { ...round.finish!, reason: 'cancelled' } })).toBe(false)
})
