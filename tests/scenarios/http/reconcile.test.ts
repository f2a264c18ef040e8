import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { asking } from './asking.ts'

const lost = () =>
  probe('pay', {
    effect: 'unsafe',
    run: () => Promise.reject(Object.assign(new Error('lost'), { effect: 'unknown' })),
  })
const turns = [{ calls: [{ name: 'pay', args: { to: 'ann' } }] }, { text: 'Done.' }]

/** A call nobody knows the end of, in a session and in its fork. */
async function inDoubt() {
  const it = await asking({ tools: [lost()], turns })
  await it.ask()
  const callId = said(await it.events(), 'tool.result')[0]?.callId ?? ''
  const { seq } = (await it.http('GET', `/api/sessions/${it.sessionId}`)).body as { seq: number }
  const fork = (await it.http('POST', `/api/sessions/${it.sessionId}/fork`, { seq })).body['id'] as string
  const settle = async (happened: boolean, sessionId?: string) =>
    (await it.http('POST', `/api/calls/${callId}/reconcile`, { happened, ...(sessionId && { sessionId }) })).status
  const settledIn = async (sessionId: string) =>
    said(await it.segno.sessions.events(LOCAL_OWNER, sessionId), 'tool.reconciled').map(({ happened }) => happened)
  return { it, callId, fork, settle, settledIn }
}

verifies(
  'REL-2',
  'a call in doubt is settled in the session it is asked for, by default where it was made',
  async () => {
    const { it, fork, settle, settledIn } = await inDoubt()
    expect(await settle(false, fork)).toBe(204)
    expect(await settledIn(fork)).toEqual([false])
    expect(await settledIn(it.sessionId)).toEqual([])
    expect(await settle(true)).toBe(204)
    expect(await settledIn(it.sessionId)).toEqual([true])
    expect(await settledIn(fork)).toEqual([false])
  },
)

verifies(
  'REL-3',
  'who settles a call again is answered as before, and another word about it is a conflict',
  async () => {
    const { it, fork, settle, settledIn } = await inDoubt()
    expect([await settle(true), await settle(true), await settle(false)]).toEqual([204, 204, 409])
    expect([await settle(false, fork), await settle(false, fork), await settle(true, fork)]).toEqual([204, 204, 409])
    await it.reopen()
    expect([await settle(true), await settle(false)]).toEqual([204, 409])
    expect([await settledIn(it.sessionId), await settledIn(fork)]).toEqual([[true], [false]])
  },
)

verifies('REL-3', 'of words that come at once and contradict each other one is taken', async () => {
  const { it, settle, settledIn } = await inDoubt()
  const answers = await Promise.all([true, false, true, false].map((happened) => settle(happened)))
  expect(answers.toSorted((a, b) => a - b)).toEqual([204, 204, 409, 409])
  expect(await settledIn(it.sessionId)).toEqual([answers[0] === 204])
})

test('what was settled long ago is still known', async () => {
  const { it, fork, settle, settledIn } = await inDoubt()
  expect([await settle(true), await settle(false, fork)]).toEqual([204, 204])
  await it.reopen({ limits: { CLAIM_MS: 0 } })
  expect([await settle(true), await settle(false)]).toEqual([204, 409])
  expect([await settle(false, fork), await settle(true, fork)]).toEqual([204, 409])
  expect(await settledIn(fork)).toEqual([false])
})

test('a call that is not in doubt there is not found', async () => {
  const { it, callId, settle } = await inDoubt()
  const { id: other } = await it.segno.createSession()
  expect(await settle(true, other)).toBe(404)
  expect(await settle(true, 'nowhere')).toBe(404)
  const nobody = await it.http('POST', '/api/calls/nope/reconcile', { happened: true })
  expect(nobody.status).toBe(404)
  const unknownField = await it.http('POST', `/api/calls/${callId}/reconcile`, { happened: true, session: 'x' })
  expect(unknownField.status).toBe(400)
})
