import { setTimeout } from 'node:timers/promises'
import { expect, type TestContext } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { receiver } from '../automation/support/receiver.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { openSegno } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { smallDisk, type SmallDisk } from './support/small-disk.ts'

function diskFor({ skip }: TestContext): SmallDisk {
  return smallDisk() ?? skip('a small disk can only be mounted by root')
}

const CALLING = [{ text: 'One moment.', calls: [{ name: 'mail' }], deltaChars: 1, delayMs: 3 }, { text: 'Sent.' }]
const model = { scenarios: [{ when: '^mail', turns: CALLING }] }

verifies(['REL-5', 'REL-1'], 'on a full disk nothing is acknowledged, and the reason is said', async (context) => {
  const disk = diskFor(context)
  const segno = await openSegno({ home: disk.folder, model, durability: 'full' })
  const { id } = await segno.createSession()
  const before = await segno.sessions.events(LOCAL_OWNER, id)
  disk.fill()
  for (const doing of [
    () => segno.streamRequest(id, 'x'.repeat(5000)),
    () => segno.createSession({ title: 'x'.repeat(5000) }),
    () => segno.sessions.change(LOCAL_OWNER, id, { title: 'x'.repeat(5000) }),
    () => segno.sessions.fork(LOCAL_OWNER, id, 1, 'x'.repeat(5000)),
  ]) {
    const problem = await problemOf(doing)
    expect(problem.code).toBe('STORE_UNAVAILABLE')
    expect(problem.message).toContain('the disk is full')
  }
  expect(await segno.sessions.events(LOCAL_OWNER, id)).toEqual(before)
})

verifies(['REL-5', 'REL-1'], 'when there is room again everything goes on, without a restart', async (context) => {
  const disk = diskFor(context)
  const segno = await openSegno({ home: disk.folder, model, durability: 'full' })
  const { id } = await segno.createSession()
  disk.fill()
  await problemOf(segno.streamRequest(id, `refused ${'x'.repeat(5000)}`))
  disk.makeRoom()
  expect(await (await segno.streamRequest(id, 'hello')).completion).toMatchObject({ content: 'Echo: hello' })
  expect(JSON.stringify(await segno.sessions.events(LOCAL_OWNER, id))).not.toContain('refused')
  expect((await segno.check()).findings).toEqual([])
})

verifies(
  ['REL-5', 'REL-1'],
  'a call is not carried out while its start cannot be stored, and once when it can',
  async (context) => {
    const disk = diskFor(context)
    const mail = probe('mail', { effect: 'unsafe' })
    const segno = await openSegno({ home: disk.folder, model, tools: [mail], durability: 'full' })
    const { id } = await segno.createSession()
    const round = await segno.streamRequest(id, 'mail')
    disk.fill()
    await setTimeout(300)
    expect(mail.runs).toHaveLength(0)
    expect((await segno.rounds.get(LOCAL_OWNER, round.requestId)).state).toBe('running')
    disk.makeRoom()
    expect(await round.completion).toMatchObject({ finishReason: 'complete', calls: [{ outcome: 'ok' }] })
    expect(mail.runs).toHaveLength(1)
  },
)

verifies(['REL-5', 'REL-1'], 'what a call came to is not lost if the disk fills while it runs', async (context) => {
  const disk = diskFor(context)
  const mail = gateTool('mail', { effect: 'unsafe' })
  const segno = await openSegno({ home: disk.folder, model, tools: [mail], durability: 'full' })
  const { id } = await segno.createSession()
  const round = await segno.streamRequest(id, 'mail')
  await mail.entered
  disk.fill()
  mail.open()
  await setTimeout(200)
  disk.makeRoom()
  expect(await round.completion).toMatchObject({ content: 'Sent.', calls: [{ outcome: 'ok', effect: 'done' }] })
  expect(mail.runs).toHaveLength(1)
  expect((await segno.check()).findings).toEqual([])
})

verifies(
  ['REL-5', 'COO-10'],
  'a full disk does not keep Segno from closing, nor from going on later',
  async (context) => {
    const disk = diskFor(context)
    const mail = gateTool('mail', { effect: 'unsafe' })
    const open = () =>
      openSegno({ home: disk.folder, model, tools: [mail], durability: 'full', limits: { DRAIN_MS: 50 } })
    const segno = await open()
    const { id } = await segno.createSession()
    const round = await segno.streamRequest(id, 'mail')
    await mail.entered
    disk.fill()
    mail.open()
    await setTimeout(100)
    await segno.close()
    expect((await round.completion).finishReason).toBe(null)
    disk.makeRoom()
    const again = await open()
    expect(await again.completion(id, round.requestId)).toMatchObject({
      finishReason: 'complete',
      calls: [{ outcome: 'unknown', effect: 'unknown' }],
    })
    expect(mail.runs).toHaveLength(1)
  },
)

verifies(['REL-5', 'GOV-13'], 'what a workflow answered is not lost if the disk fills meanwhile', async (context) => {
  const disk = diskFor(context)
  const outside = await receiver()
  const env = { SEGNO_WORKFLOW_ORIGINS: outside.origin }
  const segno = await openSegno({ home: disk.folder, env, model, durability: 'full' })
  const { id } = await segno.workflows.create(LOCAL_OWNER, {
    name: 'print',
    description: 'Prints a page.',
    engine: 'http',
    target: { url: `${outside.origin}/print` },
    input: { type: 'object' },
    effect: 'unsafe',
  })
  const answered = Promise.withResolvers<object>()
  outside.answer(() => answered.promise as never)
  const run = await segno.invocations.invoke(LOCAL_OWNER, id, { page: 1 })
  await outside.until('/print')
  disk.fill()
  answered.resolve({ printed: 'x'.repeat(20_000) })
  await setTimeout(300)
  expect((await segno.invocations.get(LOCAL_OWNER, run.id)).status).toBe('pending')
  disk.makeRoom()
  await expect.poll(async () => (await segno.invocations.get(LOCAL_OWNER, run.id)).status).toBe('success')
  expect(outside.all).toHaveLength(1)
})
