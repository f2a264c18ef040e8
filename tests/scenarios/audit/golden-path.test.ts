import { expect } from 'vitest'
import { inputHash, verifyAudit } from '../../../src/audit/index.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { readAudit } from './read-audit.ts'

const args = { query: 'weather in Kigali', userEmail: 'user@example.com', count: 5 }
const turns = [{ calls: [{ name: 'look', args }] }, { text: 'It rains.' }]

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(['ORC-11', 'GOV-30'], `${protocol}: a round with a call is recorded step by step`, async () => {
    const u = await segnoUnderTest({ turns, tools: [probe('look', { effect: 'unsafe', cost: 7 })] })
    const { requestId } = await u.ask('How is it?', { protocol })
    const { rows, records } = await readAudit(u)
    expect(records.map(({ action }) => action)).toEqual([
      'session_created',
      'orchestrator.request.start',
      'message_received',
      'orchestrator.tool.call',
      'tool_executed',
      'orchestrator.tool.result',
      'orchestrator.request.complete',
      'message_complete',
      'orchestrator.cost.recorded',
    ])
    const [created, start, received, call, executed, result, complete, answer, cost] = records
    expect(start?.metadata).toEqual({ protocol, mode: 'act', model: 'scripted', attended: true })
    expect(received?.metadata).toEqual({ chars: 'How is it?'.length, channel: 'library' })
    expect(call?.metadata).toMatchObject({ tool: 'look', effectClass: 'unsafe', inputHash: inputHash(args) })
    expect(call?.metadata.inputHash).toMatch(/^0f07ad88/)
    expect(executed?.metadata).toMatchObject({ tool: 'look', outcome: 'ok', callId: call?.metadata.callId })
    expect(result?.metadata).toMatchObject({ effect: 'done', chars: 'look done'.length, cost: 7 })
    expect(complete?.metadata).toMatchObject({ finishReason: 'complete', turns: 2, toolCalls: 1 })
    expect(answer?.metadata).toEqual({
      finishReason: 'complete',
      stopReason: 'end_turn',
      chars: 'It rains.'.length,
      durationMs: expect.any(Number) as number,
      inputTokens: expect.any(Number) as number,
      outputTokens: expect.any(Number) as number,
      ...(cost?.metadata.estimated && { estimated: true }),
    })
    expect(cost?.metadata).toMatchObject({ cost: 7 })
    expect(created?.requestId).toBeNull()
    const who = { userId: LOCAL_OWNER.id, tenant: LOCAL_OWNER.tenant, sessionId: u.sessionId }
    for (const record of records.slice(1)) expect(record).toMatchObject({ ...who, requestId })
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
    expect(await verifyAudit(rows)).toMatchObject({ ok: true, rows: 5 })
  })
}

verifies('ORC-11', 'what people decide and delete is recorded with who did it', async () => {
  const u = await segnoUnderTest({ turns, tools: [probe('look', { effect: 'unsafe', approval: 'ask' })] })
  const { round, approvals } = await u.askUntilWaiting()
  await u.decide(approvals[0], 'deny', { reason: 'no' })
  await round.completion
  const [message] = (await u.events()).filter(({ type }) => type === 'message.user')
  await u.segno.sessions.deleteMessage(LOCAL_OWNER, u.sessionId, message?.id ?? '')
  await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, 3)
  await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
  const { records } = await readAudit(u)
  const access = records.filter(({ category }) => category !== 'orchestrator' && category !== 'channel')
  expect(access.map(({ action, userId }) => [action, userId])).toEqual([
    ['session_created', LOCAL_OWNER.id],
    ['approval_decided', LOCAL_OWNER.id],
    ['tool_denied', LOCAL_OWNER.id],
    ['message_deleted', LOCAL_OWNER.id],
    ['session_forked', LOCAL_OWNER.id],
    ['session_deleted', LOCAL_OWNER.id],
  ])
  expect(access[1]?.metadata).toMatchObject({ decision: 'deny', approvalId: approvals[0]?.id })
})

verifies('ORC-11', 'a fork of an open round does not record the cost of its parent again', async () => {
  const u = await segnoUnderTest({ turns, tools: [probe('look', { effect: 'unsafe', cost: 7 })] })
  const { events } = await u.ask()
  const result = events.find(({ type }) => type === 'tool.result')
  await u.segno.sessions.fork(LOCAL_OWNER, u.sessionId, result?.seq ?? 0)
  const { records } = await readAudit(u)
  expect(records.filter(({ action }) => action === 'orchestrator.cost.recorded')).toHaveLength(1)
})

verifies(['ORC-11', 'REL-1'], 'a restart in the middle of a round records nothing twice', async () => {
  const u = await segnoUnderTest({ turns, tools: [probe('look', { effect: 'unsafe', approval: 'ask' })] })
  const { round, approvals } = await u.askUntilWaiting()
  await u.reopen()
  await u.decide(approvals[0], 'approve')
  await u.segno.completion(u.sessionId, round.requestId)
  const { rows, records } = await readAudit(u)
  const once = new Set(records.map(({ action, metadata }) => `${action} ${metadata.callId ?? ''}`))
  expect(records).toHaveLength(once.size)
  expect(records.map(({ action }) => action)).toContain('tool_executed')
  expect(await verifyAudit(rows)).toMatchObject({ ok: true })
})
