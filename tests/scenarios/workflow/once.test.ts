import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import type { Conduct } from '../../workflow/support/outside.ts'
import { like, person, working } from './support/working.ts'

/** Who stays silent is waited for that long. */
const SHORT = { timeoutMs: 1000 }

/** What a hand-over came to, by its effect: how its run ended, and how often it was sent. */
const UNCLEAR: readonly (readonly [EffectClass, Conduct, status: string, sent: number])[] = [
  ['pure', 'breaks off', 'success', 2],
  ['keyed', 'breaks off', 'success', 2],
  ['unsafe', 'breaks off', 'unknown', 1],
  ['pure', 'stays silent', 'success', 2],
  ['keyed', 'stays silent', 'success', 2],
  ['unsafe', 'stays silent', 'unknown', 1],
  ['unsafe', 'drops', 'unknown', 1],
  ['keyed', 'drops', 'success', 2],
  ['unsafe', 'is busy', 'success', 2],
  ['unsafe', 'refuses', 'failure', 1],
  ['keyed', 'refuses', 'failure', 1],
  ['keyed', 'fails', 'failure', 1],
]

for (const [effect, conduct, status, sent] of UNCLEAR)
  verifies(
    ['GOV-13', 'GOV-14'],
    `one that is ${effect} and whose other side ${conduct} is sent ${sent === 1 ? 'once' : 'again with its key'} and is a ${status}`,
    async () => {
      const it = await working({ effect, ...(conduct === 'stays silent' && SHORT) })
      it.outside.play(conduct, 'succeeds')
      const run = await it.invoke()
      await it.outside.wasAsked(1)
      if (conduct === 'stays silent') await it.giveTime()
      // Who is busy says how long.
      if (conduct === 'is busy') {
        await it.ended(run.id, ({ code }) => code === 'RATE_LIMITED')
        it.clock.pass(7000)
      }
      expect(await it.ended(run.id)).toMatchObject({ status, attempts: sent })
      expect(it.outside.asked.map(({ key }) => key)).toEqual(Array<string>(sent).fill(run.key))
      expect(new Set(it.outside.begun).size).toBe(it.outside.begun.length)
    },
  )

verifies('GOV-13', 'a hand-over is tried three times, unless the workflow says otherwise', async () => {
  for (const [retry, attempts] of [
    [{ baseMs: 1 }, 3],
    [{ baseMs: 1, attempts: 1 }, 1],
    [{ baseMs: 1, attempts: 5 }, 5],
  ] as const) {
    const it = await working({ effect: 'keyed', retry })
    it.outside.play('drops')
    expect(await it.ended((await it.invoke()).id)).toMatchObject({
      status: 'unknown',
      code: 'CONNECTION_ERROR',
      attempts,
    })
    expect(it.outside.asked).toHaveLength(attempts)
  }
})

verifies('GOV-13', 'a key that took too long each time is a timeout, which may still be reported', async () => {
  const it = await working({ effect: 'keyed', timeoutMs: 300 })
  it.outside.play('stays silent')
  const { id } = await it.invoke()
  expect(await it.ended(id)).toMatchObject({ status: 'timeout', code: 'TIMEOUT', attempts: 3 })
  expect(await it.reportSigned(id, { status: 'success', output: { done: true } })).toMatchObject({ status: 200 })
  expect(await it.segno.invocations.get(LOCAL_OWNER, id)).toMatchObject({ status: 'success' })
})

verifies('GOV-13', 'a call of a model whose end is unclear is told as unknown, and settled by a person', async () => {
  const it = await working(SHORT)
  it.outside.play('stays silent')
  const { events } = await it.ask()
  const [result] = said(events, 'tool.result')
  expect(result).toMatchObject({ effect: 'unknown' })
  expect(result?.content).toMatch(/may or may not have happened/)
  const [run] = await it.runs()
  expect(run).toMatchObject({ status: 'unknown', code: 'TIMEOUT' })
  const by = { actor: LOCAL_OWNER }
  await it.segno.invocations.report(by, run?.id ?? '', { status: 'success', output: { done: true } })
  expect((await it.until('tool.reconciled')).data).toMatchObject({ callId: run?.callId, happened: true })
})

verifies('GOV-14', 'the same key is the same run, and with another input it is refused', async () => {
  const it = await working()
  const first = await it.invoke({ page: 1 }, 'k')
  await it.ended(first.id)
  expect((await it.invoke({ page: 1 }, 'k')).id).toBe(first.id)
  await expect(it.invoke({ page: 2 }, 'k')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
  const other = await it.segno.workflows.create(LOCAL_OWNER, { ...it.wanted, name: 'scan' })
  await expect(it.segno.invocations.invoke(LOCAL_OWNER, other.id, { page: 1 }, { key: 'k' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
  })
  // Another person's key is another key.
  const uwe = person('uwe', ['tool:workflow_print'])
  expect((await it.invoke({ page: 1 }, 'k', uwe)).id).not.toBe(first.id)
  expect((await it.invoke({ page: 1 }, 'l')).id).not.toBe(first.id)
  for (const key of ['', 'two words', 'ü', 'x'.repeat(201)])
    await expect(it.invoke({ page: 1 }, key)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'key' })
})

verifies('GOV-14', 'the same key finds its run also when nothing may be started any more', async () => {
  const it = await working({ quota: { perHour: 1 } })
  const { id } = await it.invoke({ page: 1 }, 'k')
  expect((await it.invoke({ page: 1 }, 'k')).id).toBe(id)
  await it.segno.workflows.disable(LOCAL_OWNER, it.workflow.id, 'No paper.')
  expect((await it.invoke({ page: 1 }, 'k')).id).toBe(id)
  await expect(it.invoke({ page: 1 }, 'l')).rejects.toMatchObject({ code: 'CONFLICT' })
})

verifies('GOV-14', 'without a key the same input within the same five minutes is the same run', async () => {
  const it = await working()
  const window = 300_000
  // The beginning of the next window, so that none begins meanwhile.
  it.clock.pass(window - (it.clock.now() % window))
  const { id } = await it.invoke({ page: 1 })
  it.clock.pass(window - 60_000)
  expect((await it.invoke({ page: 1 })).id).toBe(id)
  expect((await it.invoke({ page: 2 })).id).not.toBe(id)
  it.clock.pass(60_000)
  expect((await it.invoke({ page: 1 })).id).not.toBe(id)
})

verifies('GOV-14', 'a hundred who send the same key at once have one run and one request', async () => {
  const it = await working()
  it.outside.play('goes on')
  const all = await Promise.all(Array.from({ length: 100 }, () => it.invoke({ page: 1 }, 'k')))
  expect(new Set(all.map(({ id }) => id)).size).toBe(1)
  await it.outside.wasAsked(1)
  await it.ended(all[0]?.id ?? '', ({ status }) => status === 'running')
  expect([it.outside.asked.length, (await it.runs()).length]).toEqual([1, 1])
})

verifies('GOV-12', 'over HTTP a run is begun and answered with 202, or waited for', async () => {
  const it = await working()
  const path = `/api/workflows/${it.workflow.id}/invoke`
  const begun = await ask(it, 'POST', path, { input: { page: 1 } }, { 'idempotency-key': 'a' })
  expect([begun.status, begun.body['status']]).toEqual([202, 'pending'])
  const waited = await ask(it, 'POST', `${path}?wait=1`, { input: { page: 1 } }, { 'idempotency-key': 'a' })
  expect([waited.status, waited.body['status'], waited.body['output']]).toEqual([200, 'success', { done: true }])
  expect(waited.body['id']).toBe(begun.body['id'])
  const wrong = await ask(it, 'POST', path, { input: { page: 'one' } })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', detail: like(/page/) } })
  const none = await ask(it, 'POST', path, { input: [] })
  expect(none.status).toBe(400)
})

test('a number that is too large for JSON is refused, and nothing begins', async () => {
  const it = await working({ input: { type: 'object' } })
  for (const sum of [Infinity, -Infinity, NaN])
    await expect(it.invoke({ items: [{ sum }] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'input' })
  expect(await it.runs()).toEqual([])
})

test('a run that Segno was stopped in the middle of goes on as its effect allows', async () => {
  for (const [effect, status, sent] of [
    ['keyed', 'success', 2],
    ['unsafe', 'unknown', 1],
  ] as const) {
    const it = await working({ effect })
    it.outside.play('stays silent', 'succeeds')
    const { id, key } = await it.invoke()
    await it.outside.wasAsked(1)
    await it.reopen()
    expect(await it.ended(id)).toMatchObject({ status })
    expect(it.outside.asked.map((one) => one.key)).toEqual(Array<string>(sent).fill(key))
  }
})
