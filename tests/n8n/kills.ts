import assert from 'node:assert/strict'
import { doneBy, eventually, executionStatus, goOn, invoke, waiting, type Case } from './support/case.ts'
import { hasEnded } from './support/segno.ts'

/** `kill -9` of Segno and of n8n at moments of our choice, and a start of both on what they left behind. */
export const KILLS: readonly Case[] = [
  {
    title: 'Segno is killed before n8n gets the request',
    ends: 'success',
    done: 1,
    async show(world) {
      const { segno, gate } = world
      const caught = gate.catchNext('keep back')
      const { id } = await invoke(world, 'counted')
      const { key, drop } = await caught
      await segno.kill()
      drop()
      assert(!gate.passed.some((one) => one.key === key), 'n8n has got it')
      await segno.start()
      return segno.until(id, hasEnded)
    },
  },
  {
    title: 'Segno is killed while n8n works and before its answer comes',
    ends: 'success',
    done: 1,
    async show(world) {
      const { segno, gate } = world
      const caught = gate.catchNext('hold the answer')
      const { id } = await invoke(world, 'patient')
      const { key, drop } = await caught
      await doneBy(world, key)
      await segno.kill()
      drop()
      await segno.start()
      await segno.until(id, ({ status }) => status === 'running')
      await goOn(world, key)
      const run = await segno.until(id, hasEnded)
      assert.equal(gate.passed.filter((one) => one.key === key).length, 2, 'it was not sent again')
      return run
    },
  },
  {
    title: 'Segno is killed after the answer, and n8n is done while it is away',
    ends: 'success',
    done: 1,
    async show(world) {
      const { segno } = world
      const { id, key } = await invoke(world, 'patient')
      const { execution } = await doneBy(world, key)
      await segno.until(id, ({ status }) => status === 'running')
      await segno.kill()
      await goOn(world, key)
      await eventually(
        async () => (await executionStatus(world, execution)) === 'success' || undefined,
        'n8n does not end',
      )
      await segno.start()
      return segno.until(id, hasEnded)
    },
  },
  {
    title: 'a conversation rests while n8n works, and goes on after Segno was killed',
    ends: 'success',
    done: 1,
    async show(world) {
      const { segno } = world
      const { id: sessionId = '' } = await segno.ask('POST', '/api/sessions', {})
      await segno.ask('POST', `/api/sessions/${sessionId}/messages`, { content: 'Make the picture smaller.' })
      const log = async () => (await segno.ask('GET', `/api/sessions/${sessionId}/events?limit=1000`)).items ?? []
      const has = (type: string) =>
        eventually(async () => (await log()).find((event) => event.type === type), `the log has no ${type}`)
      assert.equal((await has('round.waiting')).data['for'], 'workflow')
      const runs = await segno.ask('GET', `/api/invocations?workflowId=${world.workflows.get('patient')}&limit=1`)
      const begun = runs.items?.[0] as unknown as { id: string; key: string } | undefined
      assert(begun, 'there is no run')
      const { id, key } = begun
      await segno.kill()
      await segno.start()
      await goOn(world, key)
      const run = await segno.until(id, hasEnded)
      assert.equal((await has('tool.result')).data['outcome'], 'ok')
      assert.equal((await has('round.ended')).data['finishReason'], 'complete')
      return run
    },
  },
  {
    title: 'n8n is not there when Segno sends',
    ends: 'success',
    done: 1,
    async show(world) {
      const { n8n, segno } = world
      await n8n.kill()
      const { id } = await invoke(world, 'patient')
      await segno.until(id, ({ attempts }) => attempts > 1)
      await n8n.start()
      const { key } = await segno.run(id)
      await goOn(world, key)
      return segno.until(id, hasEnded)
    },
  },
  {
    title: 'n8n is killed with the execution in its database, before its answer comes',
    ends: 'success',
    done: 1,
    async show(world) {
      const { n8n, segno, gate } = world
      const caught = gate.catchNext('hold the answer')
      const { id } = await invoke(world, 'patient')
      const { key, drop } = await caught
      await waiting(world, (await doneBy(world, key)).execution)
      await n8n.kill()
      drop()
      await n8n.start()
      await segno.until(id, ({ status }) => status === 'running')
      await goOn(world, key)
      return segno.until(id, hasEnded)
    },
  },
  {
    title: 'n8n is killed in the middle of its work: it says so, and nobody begins anew',
    ends: 'failure',
    done: 1,
    async show(world) {
      const { n8n, segno } = world
      const { id, key } = await invoke(world, 'busy')
      const { execution } = await doneBy(world, key)
      await segno.until(id, ({ status }) => status === 'running')
      await n8n.kill()
      await n8n.start()
      const run = await segno.until(id, hasEnded)
      assert.match(run.error ?? '', /in n8n has the status crashed|n8n was stopped while it worked/)
      assert.equal(await executionStatus(world, execution), 'crashed')
      return run
    },
  },
  {
    title: 'n8n is killed in the middle of its work and nobody may ask it: its error workflow reports it',
    ends: 'failure',
    done: 1,
    async show(world) {
      const { n8n, segno } = world
      const { id, key } = await invoke(world, 'unasked')
      await doneBy(world, key)
      await segno.until(id, ({ status }) => status === 'running')
      await n8n.kill()
      await n8n.start()
      const run = await segno.until(id, hasEnded)
      assert.match(run.error ?? '', /n8n was stopped while it worked/)
      return run
    },
  },
  {
    title: 'n8n is killed in the middle of its work, before its answer comes: nobody begins anew',
    ends: 'failure',
    done: 1,
    async show(world) {
      const { n8n, segno, gate } = world
      const caught = gate.catchNext('hold the answer')
      const { id } = await invoke(world, 'busy')
      const { key, drop } = await caught
      const { execution } = await doneBy(world, key)
      await n8n.kill()
      drop()
      await n8n.start()
      // Either the second request hears of it, or the error workflow was faster.
      const run = await segno.until(id, hasEnded)
      assert([execution, undefined].includes(run.engineRef), 'it is another execution')
      assert.equal(await executionStatus(world, execution), 'crashed')
      return run
    },
  },
  {
    title: 'n8n is killed after the answer, and what waits in its database goes on',
    ends: 'success',
    done: 1,
    async show(world) {
      const { n8n, segno } = world
      const { id, key } = await invoke(world, 'patient')
      await waiting(world, (await doneBy(world, key)).execution)
      await segno.until(id, ({ status }) => status === 'running')
      await n8n.kill()
      await n8n.start()
      await goOn(world, key)
      return segno.until(id, hasEnded)
    },
  },
  {
    title: 'both are killed before the answer comes',
    ends: 'success',
    done: 1,
    async show(world) {
      const { n8n, segno, gate } = world
      const caught = gate.catchNext('hold the answer')
      const { id } = await invoke(world, 'patient')
      const { key, drop } = await caught
      await waiting(world, (await doneBy(world, key)).execution)
      await Promise.all([n8n.kill(), segno.kill()])
      drop()
      await Promise.all([n8n.start(), segno.start()])
      await segno.until(id, ({ status }) => status === 'running')
      await goOn(world, key)
      return segno.until(id, hasEnded)
    },
  },
  {
    title: 'an unsafe workflow whose answer was lost is unknown, never sent again, and its late result counts',
    ends: 'success',
    done: 1,
    async show(world) {
      const { segno, gate } = world
      const caught = gate.catchNext('hold the answer')
      const { id } = await invoke(world, 'forgetful')
      const { key, drop } = await caught
      await waiting(world, (await doneBy(world, key)).execution)
      await segno.kill()
      drop()
      await segno.start()
      assert.equal((await segno.until(id, hasEnded)).status, 'unknown')
      await goOn(world, key)
      const run = await segno.until(id, ({ status }) => status !== 'unknown')
      assert.equal(gate.passed.filter((one) => one.key === key).length, 1, 'it was sent again')
      return run
    },
  },
]
