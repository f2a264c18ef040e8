import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Invocation } from '../../../src/contract/invocation.ts'
import { hasEnded } from '../../../src/contract/invocation.ts'
import type { WorkflowInput } from '../../../src/workflow/index.ts'
import { delay } from '../../../src/lib/delay.ts'
import { OUTSIDES } from '../../workflow/support/outsides.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { BASE } from '../http/ask.ts'
import { INPUT, jumpingClock, PRINTS } from './support/working.ts'

/** Longer than the engine is left alone at first. */
const LOOK_MS = 5000

/** Segno with a workflow `print` of an engine that can be asked how far it is. */
async function asking(engine: 'n8n' | 'temporal', fields: Partial<WorkflowInput> = {}) {
  const open = OUTSIDES.find(([name]) => name === engine)?.[1]
  if (!open) throw new Error(`there is no ${engine}`)
  const outside = await open()
  onTestFinished(outside.leave)
  const clock = jumpingClock()
  const { origin, address = '' } = outside
  const it = await segnoUnderTest({
    turns: PRINTS,
    clock,
    env: {
      SEGNO_PUBLIC_URL: BASE,
      ...(origin !== undefined && { SEGNO_WORKFLOW_ORIGINS: origin }),
      ...(engine === 'temporal' && {
        SEGNO_TEMPORAL: JSON.stringify({ main: { address, namespace: 'default', tls: false } }),
      }),
    },
  })
  const workflow = await it.segno.workflows.create(LOCAL_OWNER, {
    name: 'print',
    description: 'Prints a page.',
    engine,
    target: outside.target,
    input: INPUT,
    approval: 'auto',
    retry: { baseMs: 1 },
    ...fields,
  })
  return {
    ...it,
    get segno() {
      return it.segno
    },
    clock,
    outside,
    invoke: () => it.segno.invocations.invoke(LOCAL_OWNER, workflow.id, { page: 1 }),
    async run(isDone: (run: Invocation) => boolean = hasEnded): Promise<Invocation> {
      for (;;) {
        const [run] = (await it.segno.invocations.list(LOCAL_OWNER)).items
        if (run && isDone(run)) return run
        await delay(5)
      }
    },
  }
}

for (const engine of ['n8n', 'temporal'] as const) {
  verifies('GOV-12', `${engine}: a call that nobody reports is asked for, and its round goes on`, async () => {
    const it = await asking(engine)
    it.outside.play('goes on')
    const { round } = await it.askUntilWaiting()
    const { key } = await it.run(({ status }) => status === 'running')
    it.outside.end(key)
    it.clock.pass(LOOK_MS)
    expect(await it.segno.completion(it.sessionId, round.requestId)).toMatchObject({ content: 'Printed.' })
    expect(said(await it.events(), 'tool.result')).toMatchObject([{ outcome: 'ok', content: '{"done":true}' }])
    expect(it.outside.begun).toEqual([key])
  })

  verifies('GOV-12', `${engine}: a failure that nobody reports is found, and told`, async () => {
    const it = await asking(engine)
    it.outside.play('goes on')
    const { round } = await it.askUntilWaiting()
    const { key } = await it.run(({ status }) => status === 'running')
    it.outside.end(key, 'failure')
    it.clock.pass(LOOK_MS)
    await it.segno.completion(it.sessionId, round.requestId)
    const [result] = said(await it.events(), 'tool.result')
    expect(result).toMatchObject({ outcome: 'error' })
    expect(result?.content).toMatch(/\[Tool "workflow_print" failed: .*\. Proceeding without this information\.\]/)
  })

  verifies('GOV-12', `${engine}: a run that is cancelled is stopped there`, async () => {
    const it = await asking(engine)
    it.outside.play('goes on')
    await it.invoke()
    const { id, key } = await it.run(({ status }) => status === 'running')
    expect(await it.segno.invocations.cancel(LOCAL_OWNER, id)).toMatchObject({ status: 'failure', code: 'CANCELLED' })
    expect(it.outside.isStopped(key)).toBe(true)
  })

  verifies('GOV-12', `${engine}: what goes on there while Segno is down is found by the next start`, async () => {
    const it = await asking(engine)
    it.outside.play('goes on')
    const { round } = await it.askUntilWaiting()
    const { key } = await it.run(({ status }) => status === 'running')
    const reopened = it.reopen()
    it.outside.end(key)
    it.clock.pass(LOOK_MS)
    await reopened
    expect(await it.segno.completion(it.sessionId, round.requestId)).toMatchObject({ content: 'Printed.' })
    expect(it.outside.begun).toEqual([key])
  })
}

for (const effect of ['unsafe', 'verifiable'] as const)
  verifies('GOV-13', `one of Temporal that is ${effect} is looked up by its key after an unclear end`, async () => {
    const it = await asking('temporal', { effect })
    it.outside.play('breaks off', 'refuses')
    await it.invoke()
    expect(await it.run()).toMatchObject({ status: 'success', output: { done: true } })
    expect(it.outside.asked).toHaveLength(1)
  })

verifies('GOV-13', 'one that is verifiable and surely not there is handed over again', async () => {
  const it = await asking('temporal', { effect: 'verifiable' })
  it.outside.play('drops', 'succeeds')
  await it.invoke()
  const isKnown = (run: Invocation) => hasEnded(run) || run.status === 'running'
  const { key, status } = await it.run(isKnown)
  expect(['running', 'success']).toContain(status)
  expect(it.outside.asked.map((one) => one.key)).toEqual([key, key])
  expect(it.outside.begun).toEqual([key])
})

verifies(
  'GOV-13',
  'one that is surely not there, and whose input was erased meanwhile, is not begun anew',
  async () => {
    const it = await asking('temporal', { effect: 'verifiable', retry: { baseMs: 60_000, maxMs: 60_000 } })
    it.outside.play('drops', 'succeeds')
    await it.invoke()
    await it.run(({ code }) => code === 'CONNECTION_ERROR')
    await it.segno.invocations.erase(LOCAL_OWNER)
    it.clock.pass(60_000)
    expect(await it.run()).toMatchObject({ status: 'failure', attempts: 1 })
    expect(it.outside.asked).toHaveLength(1)
  },
)

verifies('GOV-13', 'one of n8n whose answer got lost cannot be looked up, so it is unknown and sent once', async () => {
  const it = await asking('n8n', { effect: 'unsafe' })
  it.outside.play('breaks off', 'succeeds')
  await it.invoke()
  expect(await it.run()).toMatchObject({ status: 'unknown' })
  expect(it.outside.asked).toHaveLength(1)
})

verifies('GOV-12', 'what n8n tells of an execution shows none of its secrets', async () => {
  const it = await asking('n8n')
  const { auth, api } = it.outside.target as { auth: { value: string }; api: { key: string } }
  it.outside.returns({ done: true, headers: { 'x-segno': auth.value, 'x-n8n-api-key': api.key } })
  it.outside.play('goes on')
  await it.invoke()
  const { key } = await it.run(({ status }) => status === 'running')
  it.outside.end(key)
  it.clock.pass(LOOK_MS)
  const run = await it.run()
  expect(run).toMatchObject({ status: 'success', output: { done: true, headers: {} } })
  for (const secret of [auth.value, api.key]) expect(JSON.stringify(run)).not.toContain(secret)
})
