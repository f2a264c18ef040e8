import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { ScheduleInput } from '../../../src/workflow/index.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { automated, heldClock, HOUR, MINUTE, type Automated } from './support/automated.ts'

const iso = (at: number | undefined): string => new Date(at ?? 0).toISOString()

/** A schedule of a workflow `/report`. */
async function scheduled(it: Automated, wanted: Partial<ScheduleInput> = {}) {
  const { id: workflowId } = await it.workflow('report')
  const { id } = await it.segno.schedules.create(LOCAL_OWNER, {
    cron: '0 9 * * *',
    workflowId,
    input: { of: 'yesterday' },
    ...wanted,
  })
  return {
    id,
    workflowId,
    next: async () => iso((await it.segno.schedules.get(LOCAL_OWNER, id)).dueAt),
    /** Waits until it was looked at and what comes next is known. */
    movedTo: (time: string): Promise<void> =>
      expect.poll(async () => iso((await it.segno.schedules.get(LOCAL_OWNER, id)).dueAt)).toBe(time),
  }
}

describe('a schedule', () => {
  verifies('GOV-14', 'starts its workflow at its time, once, and knows the next', async () => {
    const clock = heldClock('2026-11-19T08:59:00Z')
    const it = await automated({ clock })
    const { next, movedTo, id } = await scheduled(it)
    expect(await next()).toBe('2026-11-19T09:00:00.000Z')
    clock.pass(MINUTE)
    const { json, headers } = await it.outside.until('/report')
    await movedTo('2026-11-20T09:00:00.000Z')
    expect([json, headers['segno-depth']]).toEqual([{ of: 'yesterday' }, '1'])
    expect(await it.runs()).toMatchObject([{ origin: 'schedule', originId: id, userId: 'owner' }])
  })

  for (const [when, reopens] of [
    ['while it runs', false],
    ['before it starts again', true],
  ] as const)
    test(`comes at its times again when a clock that was a year ahead is set right ${when}`, async () => {
      const clock = heldClock('2027-11-19T08:59:00Z')
      const it = await automated({ clock })
      const { movedTo } = await scheduled(it)
      clock.pass(MINUTE)
      await it.outside.until('/report')
      await movedTo('2027-11-20T09:00:00.000Z')
      clock.set('2026-11-19T08:59:00Z')
      if (reopens) await it.reopen()
      await movedTo('2026-11-19T09:00:00.000Z')
      clock.pass(MINUTE)
      await it.outside.until('/report', 2)
      await movedTo('2026-11-20T09:00:00.000Z')
    })

  test('says something in a conversation, where nobody can be asked', async () => {
    const clock = heldClock('2026-11-19T08:59:00Z')
    const it = await automated({ clock, turns: [{ text: 'Nothing new.' }] })
    const { sessionId } = it
    const { id } = await it.segno.schedules.create(LOCAL_OWNER, { cron: '0 9 * * *', sessionId, content: 'Any news?' })
    clock.pass(MINUTE)
    await it.until('round.ended')
    const [started] = said(await it.events(), 'round.started')
    expect(started).toMatchObject({
      attended: false,
      channel: 'schedule',
      origin: { kind: 'schedule', id, depth: 1, hasPayload: false },
    })
    expect(said(await it.events(), 'message.user')[0]?.content).toEqual([{ type: 'text', text: 'Any news?' }])
  })

  test('that was missed is made up for with its latest time, if that is less than an hour ago', async () => {
    const clock = heldClock('2026-11-19T08:01:00Z')
    const it = await automated({ clock })
    const { id, movedTo } = await scheduled(it, { cron: '*/30 * * * *' })
    await it.segno.close()
    clock.set('2026-11-19T12:10:00Z')
    await it.reopen()
    await it.outside.until('/report')
    await movedTo('2026-11-19T12:30:00.000Z')
    expect(it.outside.all).toHaveLength(1)
    expect(await it.records('automation_skipped')).toMatchObject([
      { automationId: id, automation: 'schedule', skipped: 7 },
    ])
    expect((await it.segno.schedules.get(LOCAL_OWNER, id)).body.firedAt).toBe(Date.parse('2026-11-19T12:00:00Z'))
  })

  test('that was missed an hour ago or more is recorded as skipped', async () => {
    const clock = heldClock('2026-11-19T08:01:00Z')
    const it = await automated({ clock })
    const { id, movedTo } = await scheduled(it)
    await it.segno.close()
    clock.set('2026-11-21T10:00:00Z')
    await it.reopen()
    await movedTo('2026-11-22T09:00:00.000Z')
    expect(await it.records('automation_skipped')).toMatchObject([{ automationId: id, skipped: 3 }])
    expect(it.outside.all).toEqual([])
  })

  test('that was missed for a year is looked through in no time', async () => {
    const clock = heldClock('2026-11-19T08:01:00Z')
    const it = await automated({ clock })
    const { movedTo } = await scheduled(it, { cron: '* * * * *', timeZone: 'Europe/Berlin' })
    await it.segno.close()
    clock.set('2027-11-19T08:00:30Z')
    await it.reopen()
    await it.outside.until('/report')
    await movedTo('2027-11-19T08:01:00.000Z')
    expect(it.outside.all).toHaveLength(1)
  })

  test('is skipped while what it started before still runs, and that is on record', async () => {
    const clock = heldClock('2026-11-19T08:59:00Z')
    const it = await automated({ clock })
    it.outside.answer(() => 202)
    const { id, movedTo } = await scheduled(it, { cron: '0 * * * *' })
    clock.pass(MINUTE)
    await it.outside.until('/report')
    await movedTo('2026-11-19T10:00:00.000Z')
    await expect.poll(async () => (await it.runs())[0]?.status).toBe('running')
    clock.pass(HOUR)
    await movedTo('2026-11-19T11:00:00.000Z')
    expect(await it.records('automation_skipped')).toMatchObject([{ automationId: id, skipped: 1 }])
    const [run] = await it.runs()
    await it.segno.invocations.report({ actor: LOCAL_OWNER }, run?.id ?? '', { status: 'success', output: {} })
    clock.pass(HOUR)
    await it.outside.until('/report', 2)
  })

  test('is skipped while the round it started before waits for somebody', async () => {
    const clock = heldClock('2026-11-19T08:59:00Z')
    const it = await automated({ clock, turns: [{ delayMs: 600_000, text: 'Later.' }] })
    const { sessionId } = it
    const { id } = await it.segno.schedules.create(LOCAL_OWNER, { cron: '0 * * * *', sessionId, content: 'Any news?' })
    clock.pass(MINUTE)
    await it.until('turn.started')
    clock.pass(HOUR)
    await it.recorded('automation_skipped')
    expect(await it.records('automation_skipped')).toMatchObject([{ automationId: id, skipped: 1 }])
    expect(said(await it.events(), 'round.started')).toHaveLength(1)
  })

  for (const [what, now, due] of [
    ['does not exist, at the next minute', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
    ['comes twice, once', '2026-10-25T00:10:00Z', '2026-10-25T00:30:00Z'],
  ] as const)
    test(`fires for a local time that ${what}`, async () => {
      const clock = heldClock(now)
      const it = await automated({ clock })
      const { movedTo, next } = await scheduled(it, { cron: '30 2 * * *', timeZone: 'Europe/Berlin' })
      expect(await next()).toBe(iso(Date.parse(due)))
      clock.set(due)
      await it.outside.until('/report')
      const tomorrow = what.startsWith('does') ? '2026-03-30T00:30:00.000Z' : '2026-10-26T01:30:00.000Z'
      await movedTo(tomorrow)
      expect(it.outside.all).toHaveLength(1)
    })

  test('that is switched off does nothing, and makes up for nothing when it is switched on', async () => {
    const clock = heldClock('2026-11-19T08:59:00Z')
    const it = await automated({ clock })
    const { id, movedTo } = await scheduled(it)
    await it
      .workflow('other')
      .then(({ id: workflowId }) =>
        it.segno.schedules.create(LOCAL_OWNER, { cron: '5 9 * * *', workflowId, input: {} }),
      )
    await it.segno.schedules.change(LOCAL_OWNER, id, { status: 'disabled', reason: 'A holiday.' })
    clock.pass(10 * MINUTE)
    await it.outside.until('/other')
    await it.segno.schedules.change(LOCAL_OWNER, id, { status: 'active' })
    await movedTo('2026-11-20T09:00:00.000Z')
    expect(it.outside.to('/report')).toEqual([])
  })

  test('is seen and changed in its own tenant only', async () => {
    const it = await automated()
    const { id, workflowId } = await scheduled(it)
    const { key } = await it.person('ann', 'admin', 'acme')
    for (const [method, body] of [['GET'], ['PATCH', { cron: '0 5 * * *' }], ['DELETE']] as const)
      expect((await it.call(method, `/api/schedules/${id}`, body, { key })).status).toBe(404)
    expect((await it.call('GET', '/api/schedules', undefined, { key })).body['items']).toEqual([])
    const theirs = { cron: '0 9 * * *', workflowId, input: {} }
    expect((await it.call('POST', '/api/schedules', theirs, { key })).status).toBe(404)
  })
})

describe('a schedule is refused, with the field that is wrong,', () => {
  for (const [what, field, wanted] of [
    ['that would never fire', 'cron', { cron: '0 0 31 2 *' }],
    ['of six fields', 'cron', { cron: '0 0 9 * * *' }],
    ['of a megabyte', 'cron', { cron: `${'1,'.repeat(500_000)}1 * * * *` }],
    ['that is no text', 'cron', { cron: 5 }],
    ['in a place that is none', 'timeZone', { timeZone: 'Europe/Atlantis' }],
    ['that does nothing', 'workflowId', { workflowId: undefined }],
    ['that does two things', 'workflowId', { sessionId: 'x', content: 'y' }],
  ] as const)
    test(what, async () => {
      const it = await automated()
      const { id: workflowId } = await it.workflow('report')
      const whole = { cron: '0 9 * * *', workflowId, ...wanted }
      const { status, body } = await it.call('POST', '/api/schedules', whole)
      expect([status, body['code']]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body['detail']).toContain(field)
    })

  verifies('GOV-16', 'whose input its workflow does not take, also when it is changed', async () => {
    const it = await automated()
    const { id: workflowId } = await it.workflow('report')
    const needsOf = { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] } as const
    await it.segno.workflows.change(LOCAL_OWNER, workflowId, { input: needsOf })
    const wanted = { cron: '0 9 * * *', workflowId }
    const fault = { code: 'VALIDATION_ERROR', field: 'input' }
    await expect(it.segno.schedules.create(LOCAL_OWNER, wanted)).rejects.toMatchObject(fault)
    const { id } = await it.segno.schedules.create(LOCAL_OWNER, { ...wanted, input: { of: 'today' } })
    await expect(it.segno.schedules.change(LOCAL_OWNER, id, { input: { of: 1 } })).rejects.toMatchObject(fault)
  })
})
