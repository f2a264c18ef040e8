import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Invocation } from '../../../src/contract/invocation.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { automated, DAY, heldClock, HOUR, MINUTE, PAGE, type Automated } from './support/automated.ts'
import type { Received } from './support/receiver.ts'

/** A webhook that is told of what is reported as `order.paid`, or of other events. */
const told = (it: Automated, events: readonly string[] = ['order.paid'], path = '/told') =>
  it.segno.webhooks.create(LOCAL_OWNER, { url: `${it.outside.origin}${path}`, events })

/** What the public package makes of a request; it throws unless it was signed with this secret. */
const checked = (secret: string, { headers, body }: Received): unknown =>
  new Verifier(secret).verify(body, headers as Record<string, string>)

/** Waits until the attempt with this number has failed and the next one is planned. */
const failedOnce = (it: Automated, id: string, attempt = 1): Promise<void> =>
  expect
    .poll(async () => {
      const [{ attempts, inDoubt = false, error = '' } = {}] = (await it.deliveries(
        id,
      )) as readonly Partial<Invocation>[]
      return { attempts, inDoubt, failed: error !== '' }
    })
    .toEqual({ attempts: attempt, inDoubt: false, failed: true })

const idOf = ({ headers }: Received): unknown => headers['webhook-id']

describe('a webhook', () => {
  test('is told of the events it asked for and of no others, signed for the public package', async () => {
    const it = await automated()
    const { secret = '' } = await told(it)
    await told(it, ['order.sent'], '/other')
    await told(it, ['*'], '/all')
    await it.report('order.paid', { total: 1 })
    await it.report('order.sent', { by: 'ship' })
    const [paid, sent] = [await it.outside.until('/told'), await it.outside.until('/other')]
    await it.outside.until('/all', 2)
    expect(checked(secret, paid)).toEqual(paid.json)
    expect([paid.json['type'], sent.json['type']]).toEqual(['order.paid', 'order.sent'])
    expect(it.outside.all).toHaveLength(4)
    expect(idOf(paid)).toBe(paid.json['id'])
    expect(() => checked(secret, sent)).toThrow('No matching signature')
  })

  test('signs with a new secret and the one before it, and with none that is older', async () => {
    const it = await automated()
    const made = await told(it)
    const secrets = [made.secret ?? '']
    for (let i = 0; i < 2; i++) secrets.push((await it.segno.webhooks.renewSecret(LOCAL_OWNER, made.id)).secret ?? '')
    await it.report('order.paid')
    const one = await it.outside.until('/told')
    const [first = '', second = '', third = ''] = secrets
    expect([checked(second, one), checked(third, one)]).toEqual([one.json, one.json])
    expect(() => checked(first, one)).toThrow('No matching signature')
    expect(new Set(secrets).size).toBe(3)
  })

  test('shows its secret once, also to a request that is repeated', async () => {
    const it = await automated()
    const wanted = { url: `${it.outside.origin}/told`, events: ['order.paid'] }
    const headers = { 'idempotency-key': 'a key of mine' }
    const first = await it.call('POST', '/api/webhooks', wanted, { headers })
    const again = await it.call('POST', '/api/webhooks', wanted, { headers })
    expect(first.body['secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect([again.status, again.body['id'], again.body['secret']]).toEqual([201, first.body['id'], undefined])
    const shown = [
      await it.call('GET', `/api/webhooks/${text(first.body['id'])}`),
      await it.call('GET', '/api/webhooks'),
      await it.call('GET', '/api/audit'),
    ]
    expect(JSON.stringify(shown)).not.toContain(text(first.body['secret']).slice('whsec_'.length))
  })

  verifies('REL-6', 'that is private is refused unless its origin is named', async () => {
    const it = await automated()
    for (const url of ['http://127.0.0.1:1/told', 'http://[::1]/told', 'http://169.254.169.254/latest', 'ftp://x/y']) {
      const { status, body } = await it.call('POST', '/api/webhooks', { url, events: ['order.paid'] })
      expect([url, status, body['code']]).toEqual([url, 400, 'VALIDATION_ERROR'])
    }
  })

  verifies('REL-6', 'is followed nowhere else', async () => {
    const it = await automated()
    it.outside.answer(() => 302)
    const { id } = await told(it)
    await it.report('order.paid')
    await it.outside.until('/told')
    await expect
      .poll(async () => (await it.deliveries(id))[0]?.error)
      .toBe('The other side answered with the status 302.')
    expect(it.outside.all).toHaveLength(1)
  })

  test('hears nothing of other tenants, who cannot see it', async () => {
    const it = await automated()
    const { actor, key } = await it.person('ann', 'admin', 'acme')
    const { id } = await told(it, ['*'])
    const theirs = { url: `${it.outside.origin}/theirs`, events: ['*'] }
    await it.segno.webhooks.create(actor, theirs)
    await it.report('order.paid', { of: 'local' })
    await it.outside.until('/told')
    await it.report('order.paid', { of: 'acme' }, undefined, { key })
    await it.outside.until('/theirs')
    expect(it.outside.all).toHaveLength(2)
    const [delivery] = await it.deliveries(id)
    for (const [method, path] of [
      ['GET', `/api/webhooks/${id}`],
      ['PATCH', `/api/webhooks/${id}`],
      ['DELETE', `/api/webhooks/${id}`],
      ['POST', `/api/webhooks/${id}/secret`],
      ['GET', `/api/webhooks/${id}/deliveries`],
      ['POST', `/api/deliveries/${delivery?.id}/retry`],
    ] as const)
      expect([path, (await it.call(method, path, method === 'PATCH' ? {} : undefined, { key })).status]).toEqual([
        path,
        404,
      ])
  })
})

describe('a delivery', () => {
  test('is tried again less and less often for a day, with the same id', async () => {
    const clock = heldClock()
    const it = await automated({ clock })
    it.outside.answer(() => 500)
    const { id } = await told(it)
    await it.report('order.paid')
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      await it.outside.until('/told', attempt)
      await failedOnce(it, id, attempt)
      const waitMs = ((await it.deliveries(id))[0]?.dueAt ?? 0) - clock.now()
      waits.push(waitMs / 1000)
      clock.pass(waitMs)
    }
    expect(waits).toEqual([5, 15, 45, 135, 405, 1215, 3600, 3600])
    expect(new Set(it.outside.all.map(idOf)).size).toBe(1)
    await it.outside.until('/told', 9)
    clock.pass(DAY)
    await expect.poll(async () => (await it.deliveries(id))[0]?.status).toBe('failure')
    expect((await it.deliveries(id))[0]).toMatchObject({ code: 'REFUSED', attempts: it.outside.all.length })
  })

  test('is tried again as late as the other side says, and at most an hour later', async () => {
    const clock = heldClock()
    const it = await automated({ clock })
    const { id } = await told(it)
    for (const [status, said, waitMs] of [
      [503, '60', 60_000],
      [429, new Date(clock.now() + 20 * MINUTE).toUTCString(), 19 * MINUTE],
      [503, '999999999', HOUR],
      [429, 'Fri, 31 Dec 9999 23:59:59 GMT', HOUR],
    ] as const) {
      const attempt = it.outside.all.length + 1
      it.outside.answer(() => [status, { 'retry-after': said }])
      if (attempt === 1) await it.report('order.paid')
      await failedOnce(it, id, attempt)
      const [delivery] = await it.deliveries(id)
      expect([said, (delivery?.dueAt ?? 0) - clock.now()]).toEqual([said, waitMs])
      clock.pass(waitMs)
    }
  })

  test('is tried again after a connection that broke, and says how often', async () => {
    const clock = heldClock()
    const it = await automated({ clock })
    it.outside.answer(() => (it.outside.all.length === 1 ? 'drop' : 204))
    const { id } = await told(it)
    await it.report('order.paid')
    await expect.poll(async () => (await it.deliveries(id))[0]?.code).toBe('CONNECTION_ERROR')
    clock.pass(5000)
    await it.outside.until('/told', 2)
    await expect.poll(async () => (await it.deliveries(id))[0]?.status).toBe('success')
    const { body } = await it.call('GET', `/api/webhooks/${id}/deliveries`)
    expect(body['items']).toMatchObject([{ status: 'success', attempts: 2, event: 'order.paid' }])
    expect(idOf(await it.outside.until('/told'))).toBe(idOf(await it.outside.until('/told', 2)))
  })

  test('has arrived once its status has, whatever else is said and however long', async () => {
    const it = await automated({ limits: { WEBHOOK_MS: 600_000 } })
    it.outside.answer(() => 'endless')
    const { id } = await told(it)
    await it.report('order.paid')
    await expect.poll(async () => (await it.deliveries(id))[0]?.status).toBe('success')
    expect(it.outside.all).toHaveLength(1)
  })

  test('is on its way again after a restart', async () => {
    const it = await automated()
    it.outside.answer(() => 503)
    await told(it)
    await it.report('order.paid')
    await it.outside.until('/told')
    it.outside.answer(() => 200)
    await it.reopen({ clock: { now: () => Date.now() + 10_000 } })
    const again = await it.outside.until('/told', 2)
    expect(idOf(again)).toBe(idOf(await it.outside.until('/told')))
  })

  test('that did not arrive is sent once more by somebody, with the same id', async () => {
    const clock = heldClock()
    const it = await automated({ clock })
    it.outside.answer(() => 500)
    const { id } = await told(it)
    await it.report('order.paid')
    const first = await it.outside.until('/told')
    const [delivery] = await it.deliveries(id)
    const retry = `/api/deliveries/${delivery?.id}/retry`
    expect((await it.call('POST', retry)).status).toBe(409)
    clock.pass(DAY)
    await expect.poll(async () => (await it.deliveries(id))[0]?.status).toBe('failure')
    it.outside.answer(() => 200)
    const attempts = it.outside.all.length
    expect((await it.call('POST', retry)).status).toBe(202)
    expect(idOf(await it.outside.until('/told', attempts + 1))).toBe(idOf(first))
    await expect.poll(async () => (await it.deliveries(id))[0]?.status).toBe('success')
    expect(await it.records('delivery_sent')).toMatchObject([{ userId: 'owner', invocationId: delivery?.id }])
  })

  test('of a webhook that was switched off or removed meanwhile is not sent any more', async () => {
    const clock = heldClock()
    const it = await automated({ clock })
    it.outside.answer(() => 500)
    const [off, gone] = [await told(it), await told(it, ['order.paid'], '/gone')]
    await it.report('order.paid')
    for (const { id } of [off, gone]) await failedOnce(it, id)
    await it.segno.webhooks.change(LOCAL_OWNER, off.id, { status: 'disabled', reason: 'A holiday.' })
    await it.segno.webhooks.remove(LOCAL_OWNER, gone.id)
    clock.pass(HOUR)
    await expect.poll(async () => (await it.deliveries(off.id))[0]?.code).toBe('NOT_ALLOWED')
    await it.recorded('orchestrator.workflow.result', 2)
    expect(it.outside.all).toHaveLength(2)
    expect((await it.call('GET', `/api/webhooks/${gone.id}/deliveries`)).status).toBe(404)
  })

  test('that is answered with 410 switches its webhook off', async () => {
    const it = await automated()
    it.outside.answer(() => 410)
    const { id } = await told(it)
    await it.report('order.paid')
    await it.recorded('automation_disabled')
    expect(await it.segno.webhooks.get(LOCAL_OWNER, id)).toMatchObject({ status: 'disabled', reason: /410/ })
    await it.report('order.paid')
    await told(it, ['order.sent'], '/other')
    await it.report('order.sent')
    await it.outside.until('/other')
    expect(it.outside.to('/told')).toHaveLength(1)
  })

  test('knows how many automations led to it, and is cut off after EVENT_DEPTH', async () => {
    const it = await automated({ limits: { EVENT_DEPTH: 2 } })
    const { id: automationId } = await told(it)
    const report = (depth: string) => it.report('order.paid', {}, undefined, { headers: { 'segno-depth': depth } })
    await report('1')
    expect((await it.outside.until('/told')).headers['segno-depth']).toBe('2')
    await report('2')
    await it.recorded('automation_skipped')
    expect(await it.records('automation_skipped')).toMatchObject([{ automationId, invocationCode: 'TOO_DEEP' }])
    expect(it.outside.all).toHaveLength(1)
  })
})

test('people hear of what they have to decide by a webhook, with a link to the page', async () => {
  const it = await automated({
    tools: [probe('send', { effect: 'unsafe', approval: 'ask' })],
    turns: [{ calls: [{ name: 'send', args: { to: 'ann' } }] }, {}],
  })
  await told(it, ['approval.requested'])
  await it.send('Go.')
  const { json } = await it.outside.until('/told')
  const [approval] = await it.pending()
  expect(json).toMatchObject({
    type: 'approval.requested',
    data: {
      approvalId: approval?.id,
      sessionId: it.sessionId,
      link: `${PAGE}/#/s/${it.sessionId}`,
      chars: expect.any(Number) as number,
    },
  })
})
