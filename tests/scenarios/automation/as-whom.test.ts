import { describe, expect } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { verifies } from '../../support/verifies.ts'
import { automated, DAY, heldClock, type Automated } from './support/automated.ts'

const CLOCK_AT = '2026-11-19T08:00:00Z'

interface Made {
  readonly id: string
  /** Lets happen what it waits for. */
  start(): Promise<unknown>
}

interface Given {
  readonly it: Automated
  readonly clock: ReturnType<typeof heldClock>
  readonly actor: Actor
  readonly workflowId: string
}

/** What starts a workflow without a person. */
const KINDS: Readonly<Record<string, (given: Given) => Promise<Made>>> = {
  async hook({ it, actor, workflowId }) {
    const { id, secret = '' } = await it.segno.hooks.create(actor, {
      name: 'starts',
      action: { does: 'workflow', workflowId },
    })
    return { id, start: () => it.hook('starts', secret, {}) }
  },
  async trigger({ it, actor, workflowId }) {
    const { id } = await it.segno.triggers.create(actor, { event: 'order.paid', workflowId })
    return { id, start: () => it.report('order.paid') }
  },
  async schedule({ it, clock, actor, workflowId }) {
    const { id } = await it.segno.schedules.create(actor, { cron: '0 * * * *', workflowId, input: {} })
    return {
      id,
      start: async () => clock.set(`${new Date(clock.now() + 3_600_000).toISOString().slice(0, 13)}:00:00Z`),
    }
  },
}

async function opened(scopes?: readonly string[]) {
  const clock = heldClock(CLOCK_AT)
  const it = await automated({ clock })
  const { id: workflowId } = await it.workflow('works')
  const ann = await it.person('ann', 'admin', 'local', clock.now() + DAY)
  const actor = scopes ? { ...ann.actor, permissions: scopes } : ann.actor
  return { it, clock, actor, workflowId, keyId: ann.keyId }
}

for (const [kind, make] of Object.entries(KINDS))
  describe(`a ${kind}`, () => {
    verifies('GOV-16', 'runs as whoever made it', async () => {
      const given = await opened()
      const { it } = given
      await (await make(given)).start()
      await it.outside.until('/works')
      expect(await it.runs()).toMatchObject([{ userId: 'ann', origin: kind }])
    })

    for (const [how, lose] of Object.entries({
      'was revoked': ({ it, keyId }: Awaited<ReturnType<typeof opened>>) => it.segno.keys.revoke(LOCAL_OWNER, keyId),
      'is over': async ({ clock }: Awaited<ReturnType<typeof opened>>) => clock.pass(DAY + 1),
    }))
      verifies(
        'GOV-16',
        `does nothing once the only key of whoever made it ${how}, and that is on record`,
        async () => {
          const given = await opened()
          const { it } = given
          const { id, start } = await make(given)
          await lose(given)
          await start()
          await it.recorded('automation_skipped')
          expect((await it.records('automation_skipped'))[0]).toMatchObject({
            automationId: id,
            automation: kind,
            userId: 'ann',
          })
          const skipped = (await it.records('automation_skipped')).map(({ invocationCode }) => invocationCode)
          expect(skipped).toContain('NOT_ALLOWED')
          expect([it.outside.all, await it.runs()]).toEqual([[], []])
        },
      )

    verifies('GOV-16', 'does nothing once whoever made it may not any more, and that is on record', async () => {
      const given = await opened()
      const { it, keyId } = given
      const { id, start } = await make(given)
      await it.segno.keys.revoke(LOCAL_OWNER, keyId)
      await it.person('ann', 'auditor')
      await start()
      await it.recorded('automation_skipped')
      expect(await it.records('automation_skipped')).toMatchObject([{ automationId: id, problem: 'PERMISSION_DENIED' }])
      expect([it.outside.all, await it.runs()]).toEqual([[], []])
    })

    verifies('GOV-16', 'may never do more than whoever made it could by then', async () => {
      const given = await opened(['workflow:manage', 'tool:workflow_works'])
      const { it } = given
      const { id, start } = await make(given)
      const { id: workflowId } = await it.workflow('other')
      // By now she may do everything, and so may who has it start another workflow.
      await it.person('ann', 'super_admin')
      const does = kind === 'hook' ? { action: { does: 'workflow', workflowId } } : { workflowId }
      expect((await it.call('PATCH', `/api/${kind}s/${id}`, does)).status).toBe(200)
      await start()
      await it.recorded('automation_skipped')
      expect(await it.records('automation_skipped')).toMatchObject([{ automationId: id, problem: 'PERMISSION_DENIED' }])
      expect(it.outside.all).toEqual([])
    })

    verifies('GOV-16', 'cannot be made to start what whoever makes it may not start', async () => {
      const { it, clock, actor, workflowId } = await opened(['workflow:manage'])
      await expect(make({ it, clock, actor, workflowId })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    })
  })

verifies(
  'GOV-16',
  'a round that a hook starts may do what its creator may, and nothing once they are gone',
  async () => {
    const { it, actor, keyId } = await opened()
    const { id: sessionId } = await it.segno.createSession({}, { actor })
    const action = { does: 'message', sessionId, content: 'Look: {{payload}}' } as const
    const { secret = '' } = await it.segno.hooks.create(actor, { name: 'says', action })
    expect((await it.hook('says', secret, {})).status).toBe(202)
    await it.segno.keys.revoke(LOCAL_OWNER, keyId)
    const { status, body } = await it.hook('says', secret, {})
    expect([status, body['code']]).toEqual([403, 'PERMISSION_DENIED'])
  },
)
