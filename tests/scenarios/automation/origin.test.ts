import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { RoundOrigin } from '../../../src/contract/round-started.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'

const HOOK: RoundOrigin = { kind: 'hook', id: 'hook-1', depth: 2, hasPayload: true }

async function opened() {
  const send = probe('send', { effect: 'unsafe', reach: ['outward'], own: true })
  const it = await segnoUnderTest({
    tools: [send],
    turns: [{ calls: [{ name: 'send', args: { to: 'ann' } }] }, { text: 'Done.' }],
    policy: { rules: [{ decide: 'allow' }] },
  })
  /** What became of a call that would send something out, in a round of a hook. */
  async function sending(origin: RoundOrigin, content = 'Send.', id = content) {
    const { requestId } = await it.segno.rounds.sendFor(origin, LOCAL_OWNER, it.sessionId, content, id)
    await it.segno.completion(it.sessionId, requestId)
    const events = await it.segno.rounds.events(LOCAL_OWNER, requestId)
    return { requestId, events, result: said(events, 'tool.result')[0] }
  }
  return { ...it, segno: it.segno, send, sending }
}

describe('a round that a hook starts with words from outside', () => {
  test('is tainted before its first turn is judged, and nobody can be asked', async () => {
    const { send, sending } = await opened()
    const { events, result } = await sending(HOOK)
    expect(result).toMatchObject({ outcome: 'denied', code: 'UNATTENDED' })
    expect(send.runs).toEqual([])
    expect(said(events, 'round.started')[0]).toMatchObject({ origin: HOOK, attended: false, channel: 'hook' })
  })

  test('leaves the conversation tainted, also for rounds of people and after a restart', async () => {
    const it = await opened()
    await it.sending(HOOK)
    await it.reopen()
    const { approvals } = await it.askUntilWaiting()
    expect(approvals[0]?.reason).toBe('this conversation holds text from outside (a hook), and send sends data out')
  })

  test('without them it is not tainted, so what the policy allows runs', async () => {
    const { send, sending } = await opened()
    const { result } = await sending({ ...HOOK, hasPayload: false })
    expect([result?.outcome, send.runs.length]).toEqual(['ok', 1])
  })

  test('is on record with what started it and how deep, without its words', async () => {
    const { segno, sending } = await opened()
    const { requestId } = await sending(HOOK, 'A very private order.')
    const { items } = await segno.audit.page(LOCAL_OWNER, { action: 'orchestrator.request.start' })
    const record = items.find((one) => one.requestId === requestId)
    expect(record?.metadata).toMatchObject({ origin: 'hook', automationId: 'hook-1', depth: 2, attended: false })
    expect(JSON.stringify(items)).not.toContain('private')
  })

  test('happens once for one id, and is found by it', async () => {
    const { segno, sessionId, sending } = await opened()
    const first = await sending(HOOK, 'Send.', 'the same')
    const again = await segno.rounds.sendFor({ ...HOOK, depth: 3 }, LOCAL_OWNER, sessionId, 'Send.', 'the same')
    expect(again.requestId).toBe(first.requestId)
    expect(await segno.rounds.ofMessage(LOCAL_OWNER, 'the same')).toMatchObject({
      requestId: first.requestId,
      state: 'ended',
    })
    expect(await segno.rounds.ofMessage(LOCAL_OWNER, 'another')).toBeUndefined()
    const other = segno.rounds.sendFor(HOOK, LOCAL_OWNER, sessionId, 'Something else.', 'the same')
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
  })
})

test('nobody who sends a message can say that a hook did', async () => {
  const { segno, sessionId } = await opened()
  const sent = segno.rounds.send(LOCAL_OWNER, sessionId, 'Send.', { origin: HOOK } as never)
  await expect(sent).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const posted = await segno.fetch(
    new Request(`http://localhost/api/sessions/${sessionId}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Send.', origin: HOOK }),
    }),
  )
  expect(posted.status).toBe(400)
  expect((await segno.sessions.events(LOCAL_OWNER, sessionId)).map(({ type }) => type)).toEqual(['session.created'])
})
