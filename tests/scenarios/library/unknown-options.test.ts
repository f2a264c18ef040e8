import { expect, test } from 'vitest'
import { createSegno } from '../../../src/app.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { problemOf } from './support/problem-of.ts'

type AnyCall = (...args: unknown[]) => unknown

const [ME, ID] = [LOCAL_OWNER, 'some-id']
/** A call with a misspelt option, and the option that was meant. */
const CALLS: readonly [path: string, args: unknown[], meant: string][] = [
  ['createSession', [{ titel: 'x' }], 'title'],
  ['createSession', [{}, { acter: ME }], 'actor'],
  ['streamRequest', [ID, 'hi', { abortSignl: null }], 'abortSignal'],
  ['streamRequest', [ID, 'hi', { enableTool: false }], 'enableTools'],
  ['streamRequest', [ID, 'hi', { retryOption: 3 }], 'retryOptions'],
  ['handleMessage', [{}, {}, undefined, { actr: ME }], 'actor'],
  ['completion', [ID, ID, { actor: ME, to: 1 }], 'actor'],
  ['eventPage', [ME, { sessionID: ID }], 'sessionId'],
  ['follow', [ID, { afer: 3 }], 'after'],
  ['followRound', [ID, ID, { output: true }], 'outputs'],
  ['stream', [ME, { dialekt: 'chat' }], 'dialect'],
  ['explain', [ME, { tol: 'x' }], 'tool'],
  ['estimateCost', [ME, 'x', {}, { mod: 'plan' }], 'mode'],
  ['canInvokeTool', [ME, 'x', {}, { taint: true }], 'tainted'],
  ['sessions.create', [ME, { titel: 'x' }], 'title'],
  ['sessions.import', [ME, '{}', { titel: 'x' }], 'title'],
  ['sessions.list', [ME, { archive: true }], 'archived'],
  ['sessions.events', [ME, ID, { upto: 3 }], 'upTo'],
  ['sessions.change', [ME, ID, { titel: 'x' }], 'title'],
  ['rounds.send', [ME, ID, 'hi', { onbusy: 'queue' }], 'onBusy'],
  ['rounds.list', [ME, { state: [] }], 'states'],
  ['rounds.decide', [ME, ID, { decison: 'approve' }], 'decision'],
  ['rounds.answerCall', [ME, { sessionId: ID, callId: ID }, { outputs: 1 }], 'output'],
  ['rounds.approvalPage', [ME, { state: 'pending' }], 'status'],
  ['rounds.unknownCallPage', [ME, { limits: 3 }], 'limit'],
  ['readings.usage', [ME, { session: ID }], 'sessionId'],
  ['keys.add', [ME, { nam: 'x' }], 'name'],
  ['budgets.set', [ME, ID, { dailyToken: 3 }], 'dailyTokens'],
  ['audit.page', [ME, { actions: 'x' }], 'action'],
  ['jobs.list', [ME, { stat: 'parked' }], 'state'],
  ['workspaces.create', [ME, { naem: 'x' }], 'name'],
  ['workspaces.change', [ME, 'system', { instruction: 'x' }], 'instructions'],
]

test('an option nobody knows is refused by every call of the library, with the one that was meant', async () => {
  const { segno } = await segnoUnderTest()
  for (const [path, args, meant] of CALLS) {
    const [name = '', inner] = path.split('.')
    const holder = (inner === undefined ? segno : segno[name as 'rounds']) as unknown as Record<string, AnyCall>
    const problem = await problemOf(() => holder[inner ?? name]?.(...args))
    expect([path, problem.code, problem.message.match(/mean "(.*)"/)?.[1]]).toEqual([path, 'VALIDATION_ERROR', meant])
  }
})

test('what is no object where options are expected is refused too', async () => {
  const { segno, sessionId } = await segnoUnderTest()
  for (const options of ['wait', 7, null, []])
    expect(await problemOf(segno.streamRequest(sessionId, 'hi', options as never))).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
})

test('createSegno refuses an option, or a limit, it does not know', async () => {
  expect((await problemOf(createSegno({ modle: 'x' } as never))).message).toContain('"model"')
  expect((await problemOf(createSegno({ limits: { MAX_ROUND: 1 } as never }))).message).toContain('MAX_ROUND')
})

test('limits of a round that are none are refused with the one that was meant', async () => {
  const { segno, sessionId } = await segnoUnderTest()
  const problem = await problemOf(segno.streamRequest(sessionId, 'hi', { limits: { maxToolCall: 1 } as never }))
  expect([problem.field, problem.message]).toEqual(['limits.maxToolCall', expect.stringContaining('"maxToolCalls"')])
})
