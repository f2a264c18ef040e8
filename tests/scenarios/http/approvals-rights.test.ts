import { expect } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { asking } from './asking.ts'

const waiting = async () => {
  const tool = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const calls = [{ name: 'mail', args: { to: 'ann' } }]
  const it = await asking({ tools: [tool], turns: [{ calls }, { text: 'Done.' }] })
  const [approval] = await it.sendUntilWaiting()
  return { it, tool, approval, id: approval?.id ?? '' }
}

type Somebody = [who: string, scopes: readonly string[], whose: { userId?: string; tenant?: string }, status: number]
const WRONG: readonly Somebody[] = [
  ['who may only read', ['chat:read', 'tool:mail'], {}, 403],
  ['who may not use the tool', ['chat:read', 'chat:write'], {}, 403],
  ['who may use another tool', ['chat:read', 'chat:write', 'tool:mailbox', 'tool:mai', 'tool:manage'], {}, 403],
  ['somebody else of the same tenant', ['*'], { userId: 'eve' }, 404],
  ['somebody of the same name in another tenant', ['*'], { tenant: 'rival' }, 404],
]
for (const [who, scopes, whose, status] of WRONG) {
  verifies(['ORC-8', 'GOV-32'], `${who} cannot decide: nothing runs and the question stays open`, async () => {
    const { it, tool, approval, id } = await waiting()
    const key = await it.keyFor(scopes, whose)
    for (const decision of ['approve', 'deny'])
      expect((await it.decideOverHttp(id, { decision }, key)).status).toBe(status)
    expect(await it.open()).toEqual([approval])
    expect(tool.runs).toEqual([])
  })
}

for (const scopes of [['chat:write', 'chat:read', 'tool:mail'], ['chat:write', 'chat:read', 'tool:invoke'], ['*']]) {
  verifies('ORC-8', `a key of the owner with ${scopes.join(', ')} can decide, and is on record`, async () => {
    const { it, tool, id } = await waiting()
    expect((await it.decideOverHttp(id, { decision: 'approve' }, await it.keyFor(scopes))).status).toBe(202)
    await it.until('round.ended')
    expect(tool.runs).toHaveLength(1)
    expect(await it.all()).toMatchObject([{ status: 'approved', decidedBy: LOCAL_OWNER.id }])
  })
}

verifies('ORC-8', 'a key that was revoked while its holder thought decides nothing', async () => {
  const { it, tool, id } = await waiting()
  const key = await it.keyFor(['*'])
  const [known] = await it.segno.keys.list(LOCAL_OWNER)
  await it.segno.keys.revoke(LOCAL_OWNER, known?.id ?? '')
  expect((await it.decideOverHttp(id, { decision: 'approve' }, key)).status).toBe(401)
  expect(tool.runs).toEqual([])
})

verifies('ORC-8', 'a model does not decide for itself, whatever it may do', async () => {
  const { it, tool, id } = await waiting()
  const model: Actor = { ...LOCAL_OWNER, kind: 'ai' }
  const decided = it.segno.rounds.decide(model, id, { decision: 'approve' })
  await expect(decided).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  expect(tool.runs).toEqual([])
})
