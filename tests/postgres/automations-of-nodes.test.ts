import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { heldClock, MINUTE } from '../scenarios/automation/support/automated.ts'
import { receiver } from '../scenarios/automation/support/receiver.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'
import { verifies } from '../support/verifies.ts'

/** Two processes on one database, with one clock between them, and somebody they call. */
async function twoNodes() {
  const outside = await receiver()
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const clock = heldClock('2026-11-19T08:59:00Z')
  const env = {
    SEGNO_DATABASE_URL: url,
    SEGNO_SECRET_KEY_FILE: join(tempFolder(), 'secret.key'),
    SEGNO_WORKFLOW_ORIGINS: outside.origin,
    SEGNO_CLUSTER_SECRET: 'a secret that both of them know, and nobody else',
  }
  const open = async (port: number) => {
    const its = { ...env, SEGNO_NODE_URL: `http://127.0.0.1:${port}` }
    const segno = await compose({ home: tempFolder(), env: its, builtInTools: false }, { clock })
    onTestFinished(() => segno.close())
    return segno
  }
  const [one, other] = [await open(1), await open(2)]
  const workflow = async (name: string) =>
    one.workflows.create(LOCAL_OWNER, {
      name,
      description: `Does ${name}.`,
      engine: 'http',
      target: { url: `${outside.origin}/${name}` },
      input: { type: 'object' },
      effect: 'keyed',
    })
  return { outside, clock, one, other, workflow }
}

verifies(['GOV-14', 'REL-7'], 'a schedule fires once on two nodes, each time', async () => {
  const { outside, clock, one, other, workflow } = await twoNodes()
  const { id: workflowId } = await workflow('report')
  const { id } = await one.schedules.create(LOCAL_OWNER, { cron: '* * * * *', workflowId, input: {} })
  for (let minute = 1; minute <= 5; minute++) {
    clock.pass(MINUTE)
    await outside.until('/report', minute)
    await expect.poll(async () => (await other.schedules.get(LOCAL_OWNER, id)).dueAt).toBe(clock.now() + MINUTE)
    await expect.poll(async () => (await one.invocations.list(LOCAL_OWNER)).items[0]?.status).toBe('success')
  }
  const keys = outside.all.map(({ headers }) => headers['idempotency-key'])
  expect([keys.length, new Set(keys).size]).toEqual([5, 5])
})

verifies(
  ['GOV-16', 'REL-7'],
  'an event that is reported at two nodes at once starts one run, wherever its trigger was made',
  async () => {
    const { outside, one, other, workflow } = await twoNodes()
    const { id: workflowId } = await workflow('listens')
    await one.triggers.create(LOCAL_OWNER, { event: 'order.paid', workflowId })
    const report = (segno: typeof one, n: number) =>
      segno.events.report(LOCAL_OWNER, { id: `order-${n}`, type: 'order.paid', payload: { n } })
    const said = await Promise.all(Array.from({ length: 5 }, (_, n) => [report(one, n), report(other, n)]).flat())
    await outside.until('/listens', 5)
    await one.events.report(LOCAL_OWNER, { type: 'order.paid', payload: { n: 5 } })
    await outside.until('/listens', 6)
    expect(new Set(said.map(({ id }) => id)).size).toBe(5)
    expect(outside.all.map(({ json }) => (json['payload'] as { n: number }).n).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5,
    ])
  },
)
