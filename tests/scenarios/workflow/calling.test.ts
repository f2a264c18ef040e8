import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { person, PRINTS, PROTOCOLS, working } from './support/working.ts'

for (const protocol of PROTOCOLS) {
  verifies(
    ['GOV-11', 'GOV-12'],
    `${protocol}: a model is offered a workflow, calls it and reads its output`,
    async () => {
      const it = await working()
      const { content, events } = await it.ask('Go.', { protocol })
      expect(content).toBe('Printed.')
      const [offered] = it.requests
      expect(offered?.tools).toMatchObject([{ name: 'workflow_print', description: 'Prints a page.' }])
      expect(said(events, 'tool.result')).toMatchObject([
        { name: 'workflow_print', outcome: 'ok', effect: 'done', content: '{"done":true}' },
      ])
      expect(JSON.stringify(it.requests.at(-1)?.prompt)).toContain('done')
      const [run] = await it.runs()
      expect(run).toMatchObject({ origin: 'call', status: 'success', output: { done: true }, attempts: 1, depth: 1 })
      expect(it.outside.asked).toMatchObject([{ key: run?.key, input: { page: 1 }, invocationId: run?.id }])
      expect(said(events, 'tool.started')).toMatchObject([{ idempotencyKey: run?.key }])
    },
  )

  verifies(
    'GOV-12',
    `${protocol}: a failure is told to the model in one sentence, without the words of the other side`,
    async () => {
      const it = await working()
      it.outside.play('fails')
      const { events } = await it.ask('Go.', { protocol })
      const [result] = said(events, 'tool.result')
      expect(result).toMatchObject({ outcome: 'error', effect: 'unknown' })
      expect(result?.content).toContain(
        '[Tool "workflow_print" failed: It was answered with the status 500. Proceeding without this information.]',
      )
      expect((await it.runs())[0]).toMatchObject({
        status: 'failure',
        code: 'FAILED',
        raw: expect.stringContaining('paper') as string,
      })
      expect(JSON.stringify(it.requests)).not.toContain('paper')
    },
  )

  verifies('GOV-12', `${protocol}: an output that does not fit is an error, and kept for people only`, async () => {
    const it = await working()
    it.outside.returns({ canary: 'zanzibar' })
    const { events } = await it.ask('Go.', { protocol })
    const [result] = said(events, 'tool.result')
    expect(result).toMatchObject({ outcome: 'error', effect: 'done' })
    expect((await it.runs())[0]).toMatchObject({ status: 'failure', code: 'BAD_OUTPUT', raw: '{"canary":"zanzibar"}' })
    expect(JSON.stringify([it.requests, await it.events()])).not.toContain('zanzibar')
  })
}

verifies('GOV-11', 'the gate judges a workflow as every tool: its schema, its permission, its approval', async () => {
  const badly = await working({}, { turns: [{ calls: [{ name: 'workflow_print', args: { page: 'one' } }] }, {}] })
  expect(said((await badly.ask()).events, 'tool.result')).toMatchObject([{ outcome: 'refused', code: 'INVALID' }])

  const it = await working({ approval: 'ask' })
  const other = person('eve', ['chat:read', 'chat:write', 'tool:workflow_other'])
  const { id } = await it.segno.sessions.create(other)
  const { events } = await it.ask('Go.', { actor: other, sessionId: id })
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'refused', code: 'PERMISSION' }])

  const { round, approvals } = await it.askUntilWaiting()
  expect(approvals).toMatchObject([{ tool: 'workflow_print', args: { page: 1 } }])
  expect(it.outside.asked).toEqual([])
  await it.decide(approvals[0], 'approve')
  expect(await round.completion).toMatchObject({ calls: [{ outcome: 'ok' }] })
  for (const one of [badly, it]) expect(one.outside.asked).toHaveLength(one === it ? 1 : 0)
})

test('who may use this one workflow only is offered it, and who may not is not', async () => {
  const it = await working()
  const offeredTo = async (permission: string) => {
    const actor = person(permission, ['chat:read', 'chat:write', permission])
    const { id } = await it.segno.sessions.create(actor)
    await it.ask('Go.', { actor, sessionId: id })
    return it.requests.at(-1)?.tools?.map(({ name }) => name)
  }
  expect(await offeredTo('tool:workflow_print')).toEqual(['workflow_print'])
  expect(await offeredTo('tool:workflow_other')).toBeUndefined()
})

for (const effect of ['pure', 'unsafe'] as const)
  verifies(
    'GOV-11',
    `in plan mode a workflow that is ${effect} is ${effect === 'pure' ? '' : 'not '}offered`,
    async () => {
      const it = await working({ effect })
      const { events } = await it.ask('Go.', { mode: 'plan' })
      expect(it.requests[0]?.tools?.map(({ name }) => name)).toEqual(effect === 'pure' ? ['workflow_print'] : undefined)
      expect(said(events, 'tool.result').map(({ code, outcome }) => code ?? outcome)).toEqual([
        effect === 'pure' ? 'ok' : 'MODE',
      ])
      expect(it.outside.asked).toHaveLength(effect === 'pure' ? 1 : 0)
    },
  )

test('a model sees the workflows as they are now: a new one, a changed one, none that is deprecated or disabled', async () => {
  const it = await working({}, { turns: [{ text: 'I see.' }], repeat: true })
  const offered = async () => {
    await it.ask('Go.')
    return it.requests.at(-1)?.tools?.map((tool) => [tool.name, 'description' in tool && tool.description])
  }
  expect(await offered()).toEqual([['workflow_print', 'Prints a page.']])
  const { segno, workflow } = it
  await segno.workflows.create(LOCAL_OWNER, { ...it.wanted, name: 'scan', description: 'Scans.' })
  await segno.workflows.change(LOCAL_OWNER, workflow.id, { description: 'Prints one page.' })
  expect((await offered())?.toSorted()).toEqual([
    ['workflow_print', 'Prints one page.'],
    ['workflow_scan', 'Scans.'],
  ])
  await segno.workflows.disable(LOCAL_OWNER, workflow.id, 'No paper.')
  expect(await offered()).toEqual([['workflow_scan', 'Scans.']])
  await segno.workflows.enable(LOCAL_OWNER, workflow.id)
  await segno.workflows.change(LOCAL_OWNER, workflow.id, { status: 'deprecated' })
  expect(await offered()).toEqual([['workflow_scan', 'Scans.']])
})

test('a workflow that is switched off while somebody decides is not started any more', async () => {
  for (const off of ['disabled', 'deprecated'] as const) {
    const it = await working({ approval: 'ask' })
    const { round, approvals } = await it.askUntilWaiting()
    if (off === 'disabled') await it.segno.workflows.disable(LOCAL_OWNER, it.workflow.id, 'No paper.')
    else await it.segno.workflows.change(LOCAL_OWNER, it.workflow.id, { status: 'deprecated' })
    await it.decide(approvals[0], 'approve')
    expect(await round.completion).toMatchObject({ calls: [{ outcome: 'refused', effect: 'none' }] })
    const why = off === 'disabled' ? 'The workflow print is disabled: No paper.' : 'The workflow print is deprecated.'
    expect(JSON.stringify(it.requests.at(-1)?.prompt)).toContain(why)
    expect(it.outside.asked).toEqual([])
  }
})

test('a name that a tool of Segno or of this program has stays that tool', async () => {
  const own = probe('workflow_print')
  const it = await working({}, { tools: [own] })
  await it.ask()
  expect([own.runs.length, it.outside.asked.length]).toEqual([1, 0])
})

verifies(
  'GOV-11',
  'what a workflow returns is foreign text, so what sends something out is asked about after it',
  async () => {
    const turns = [PRINTS[0] ?? {}, { calls: [{ name: 'workflow_print', args: { page: 2 } }] }, { text: 'Printed.' }]
    const it = await working({}, { turns })
    const { round, approvals } = await it.askUntilWaiting()
    expect(approvals).toMatchObject([{ tool: 'workflow_print', args: { page: 2 } }])
    expect(it.outside.asked).toHaveLength(1)
    await it.decide(approvals[0], 'deny')
    await round.completion
  },
)
