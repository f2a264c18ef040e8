import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { EVENT_TYPES, type AutomationEvent } from '../../../src/contract/automation.ts'
import type { JsonSchema } from '../../../src/contract/tool.ts'
import { text } from '../../support/probe-tool.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { automated, heldClock, MINUTE, type Automated } from './support/automated.ts'

const TOLD_BY_SEGNO = EVENT_TYPES.filter((type) => !type.startsWith('user.'))

/** A workflow that an event starts. */
async function listening(it: Automated, name = 'listens', event = 'order.paid') {
  const workflow = await it.workflow(name)
  const trigger = await it.segno.triggers.create(LOCAL_OWNER, { event, workflowId: workflow.id })
  return { workflow, trigger }
}

/** Puts an event where those lie that were not told yet, while Segno is not there. */
async function leaveUntold(it: Automated, event: AutomationEvent): Promise<void> {
  const store = await openStoreOf(it.home)
  await store.addOutbox(event)
  await store.close()
}

const order = (id: string, more: Partial<AutomationEvent> = {}): AutomationEvent => ({
  id,
  type: 'order.paid',
  tenant: 'local',
  userId: 'owner',
  at: Date.now(),
  payload: { total: 1 },
  ...more,
})

describe('an event that is reported', () => {
  verifies('GOV-16', 'is told with what came, when it came, and its name', async () => {
    const it = await automated()
    await listening(it)
    const { status, body } = await it.report('order.paid', { total: 12.5, lines: [{ item: 'tea' }] })
    expect([status, Object.keys(body)]).toEqual([202, ['id']])
    const { json } = await it.outside.until('/listens')
    expect(json).toEqual({
      event: 'order.paid',
      payload: { total: 12.5, lines: [{ item: 'tea' }] },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    })
  })

  verifies('GOV-16', 'counts once with the same id, and not with another', async () => {
    const it = await automated()
    const { workflow } = await listening(it)
    const [first, again] = await Promise.all([1, 2].map(() => it.report('order.paid', { total: 1 }, 'order-1')))
    await it.outside.until('/listens')
    const late = await it.report('order.paid', { total: 1 }, 'order-1')
    const other = await it.report('order.paid', { total: 1 }, 'order-2')
    await it.outside.until('/listens', 2)
    expect([again?.body, late.body]).toEqual([first?.body, first?.body])
    expect(other.body).not.toEqual(first?.body)
    expect(await it.runs(workflow.id)).toHaveLength(2)
    const changed = await it.report('order.paid', { total: 2 }, 'order-1')
    expect([changed.status, changed.body['code']]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  })

  verifies('GOV-16', 'needs somebody who manages workflows', async () => {
    const it = await automated()
    const { key } = await it.person('ann', 'user')
    expect((await it.report('order.paid', {}, undefined, { key })).status).toBe(403)
    expect(await it.records('event_reported')).toEqual([])
  })

  verifies('GOV-16', 'is none of those that Segno tells itself', async () => {
    const it = await automated()
    for (const type of TOLD_BY_SEGNO) {
      const { status, body } = await it.report(type, {})
      expect([type, status, body['code']]).toEqual([type, 400, 'VALIDATION_ERROR'])
    }
    expect(TOLD_BY_SEGNO).toHaveLength(6)
  })

  for (const [what, body] of Object.entries({
    'a name that is none': { type: 'Order Paid', payload: {} },
    'no payload': { type: 'order.paid' },
    'a payload that is a list': { type: 'order.paid', payload: [1] },
    'a payload that is too long': { type: 'order.paid', payload: { text: 'x'.repeat(200_000) } },
    'a payload that is nested too deeply': `{"type": "order.paid", "payload": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    'a number that is too large': '{"type": "order.paid", "payload": {"amount": 1e999}}',
    'an id with spaces': { type: 'order.paid', payload: {}, id: 'a b' },
    'more than it has': { type: 'order.paid', payload: {}, tenant: 'acme' },
  }))
    verifies('GOV-16', `is refused with ${what}`, async () => {
      const it = await automated()
      const { status, body: problem } = await it.call('POST', '/api/events', body)
      expect([status, problem['code']]).toEqual([400, 'VALIDATION_ERROR'])
    })
})

test('a depth that no header could say is refused, on every store alike', async () => {
  const { segno } = await automated()
  for (const depth of [-1, 1.5, 1_000_000, 3_000_000_000, Number.MAX_SAFE_INTEGER, Infinity]) {
    const told = segno.events.report(LOCAL_OWNER, { type: 'order.paid', payload: {}, depth })
    await expect(told).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'depth' })
  }
})

describe('what happened', () => {
  verifies(['GOV-16', 'GOV-20'], 'is told after a restart if it was not told before', async () => {
    const it = await automated()
    await listening(it)
    await it.segno.close()
    await leaveUntold(it, order('left-over'))
    await it.reopen()
    expect((await it.outside.until('/listens')).json['payload']).toEqual({ total: 1 })
  })

  verifies('GOV-16', 'starts one run of each trigger, also if it is told again', async () => {
    const it = await automated()
    const { workflow } = await listening(it)
    const other = await it.segno.triggers.create(LOCAL_OWNER, { event: 'order.paid', workflowId: workflow.id })
    const { body } = await it.report('order.paid', { total: 1 })
    await it.outside.until('/listens', 2)
    await it.segno.close()
    await leaveUntold(it, order(text(body['id'])))
    await it.reopen()
    await it.report('order.paid', { total: 2 })
    await it.outside.until('/listens', 4)
    const totals = it.outside.to('/listens').map(({ json }) => json['payload'])
    expect(totals).toEqual([{ total: 1 }, { total: 1 }, { total: 2 }, { total: 2 }])
    const starters = (await it.runs(workflow.id)).map(({ originId }) => originId)
    expect(starters.filter((id) => id === other.id)).toHaveLength(2)
  })

  verifies('GOV-16', 'starts a workflow of its own tenant, and never one of another', async () => {
    const it = await automated()
    const here = await listening(it)
    const { actor, key } = await it.person('ann', 'admin', 'acme')
    const there = await it.workflow('there', {}, actor)
    await it.segno.triggers.create(actor, { event: 'order.paid', workflowId: there.id })
    await it.report('order.paid', { of: 'acme' }, 'order-1', { key })
    await it.outside.until('/there')
    await it.report('order.paid', { of: 'local' }, 'order-1')
    await it.outside.until('/listens')
    expect(it.outside.all.map(({ path, json }) => [path, json['payload']])).toEqual([
      ['/there', { of: 'acme' }],
      ['/listens', { of: 'local' }],
    ])
    expect([await it.runs(here.workflow.id, actor), await it.runs(there.id)]).toEqual([[], []])
  })

  verifies('GOV-16', 'starts nothing any more once its trigger is switched off or removed', async () => {
    const it = await automated()
    const { trigger, workflow } = await listening(it)
    const { segno } = it
    await listening(it, 'other')
    const again = await segno.triggers.create(LOCAL_OWNER, { event: 'order.paid', workflowId: workflow.id })
    await segno.triggers.change(LOCAL_OWNER, trigger.id, { status: 'disabled', reason: 'A holiday.' })
    await segno.triggers.remove(LOCAL_OWNER, again.id)
    await it.report('order.paid')
    await it.outside.until('/other')
    expect(it.outside.to('/listens')).toEqual([])
    await segno.triggers.change(LOCAL_OWNER, trigger.id, { status: 'active' })
    await it.report('order.paid')
    await it.outside.until('/listens')
  })

  verifies('GOV-16', 'of which a workflow takes nothing is on record, and stops nothing else', async () => {
    const it = await automated()
    const input: JsonSchema = { type: 'object', properties: { payload: { type: 'object', required: ['total'] } } }
    const strict = await it.workflow('strict', { input })
    const trigger = await it.segno.triggers.create(LOCAL_OWNER, { event: 'order.paid', workflowId: strict.id })
    await listening(it)
    await it.report('order.paid', { sum: 3 })
    await it.outside.until('/listens')
    await it.recorded('automation_skipped')
    expect(it.outside.to('/strict')).toEqual([])
    expect(await it.records('automation_skipped')).toMatchObject([
      { automationId: trigger.id, automation: 'trigger', event: 'order.paid', problem: 'VALIDATION_ERROR' },
    ])
  })
})

describe('automations that lead to each other', () => {
  verifies('GOV-16', 'know how many came before them, and are cut off after EVENT_DEPTH', async () => {
    const it = await automated({ limits: { EVENT_DEPTH: 3 } })
    const { workflow } = await listening(it)
    it.outside.answer(async ({ headers }) => {
      await it.report('order.paid', {}, undefined, { headers: { 'segno-depth': String(headers['segno-depth']) } })
      return 200
    })
    await it.report('order.paid')
    await it.recorded('orchestrator.workflow.result', 4)
    expect(it.outside.to('/listens').map(({ headers }) => headers['segno-depth'])).toEqual(['1', '2', '3'])
    expect((await it.runs(workflow.id)).map(({ depth, status, code }) => [depth, status, code])).toEqual([
      [4, 'failure', 'TOO_DEEP'],
      [3, 'success', undefined],
      [2, 'success', undefined],
      [1, 'success', undefined],
    ])
  })

  verifies('GOV-16', 'are bounded by a rate of each trigger where nobody sends the depth along', async () => {
    const clock = heldClock()
    const it = await automated({ clock, limits: { EVENTS_PER_MINUTE: 4 } })
    const { workflow, trigger } = await listening(it)
    it.outside.answer(async ({ path }) => {
      if (path === '/listens') await it.report('order.paid')
      return 200
    })
    await listening(it, 'other', 'order.sent')
    await it.report('order.paid')
    await it.recorded('automation_skipped')
    expect(await it.records('automation_skipped')).toMatchObject([
      { automationId: trigger.id, automation: 'trigger', invocationCode: 'RATE_LIMITED' },
    ])
    expect(await it.runs(workflow.id)).toHaveLength(4)
    // Others have a rate of their own, and a minute later it starts again.
    await it.report('order.sent')
    await it.outside.until('/other')
    clock.pass(MINUTE + 1)
    await it.report('order.paid')
    await it.recorded('automation_skipped', 2)
    expect(await it.runs(workflow.id)).toHaveLength(8)
  })

  for (const told of ['six', '-1', '9999999', '1e3', ''])
    verifies('GOV-16', `go no further if they say the depth ${JSON.stringify(told)}`, async () => {
      const it = await automated()
      const { workflow } = await listening(it)
      await it.report('order.paid', {}, undefined, { headers: { 'segno-depth': told } })
      await expect.poll(async () => (await it.runs(workflow.id)).length).toBe(1)
      expect(await it.runs(workflow.id)).toMatchObject([{ status: 'failure', code: 'TOO_DEEP' }])
      expect(it.outside.all).toEqual([])
    })
})

describe('the schema of a workflow', () => {
  for (const [what, input] of Object.entries<JsonSchema>({
    'needs what no event has': { type: 'object', required: ['customer'] },
    'takes nothing else': { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
    'wants a payload that is a text': { type: 'object', properties: { payload: { type: 'string' } } },
    'takes other events only': { type: 'object', properties: { event: { const: 'order.sent' } } },
  }))
    verifies('GOV-16', `is checked when a trigger is made: one that ${what} is refused`, async () => {
      const it = await automated()
      const { id: workflowId } = await it.workflow('listens', { input })
      const { status, body } = await it.call('POST', '/api/triggers', { event: 'order.paid', workflowId })
      expect([status, body['code']]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body['detail']).toContain('workflowId')
    })
})
