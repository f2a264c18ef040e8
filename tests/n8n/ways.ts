import assert from 'node:assert/strict'
import { doneBy, eventually, executionStatus, goOn, invoke, waiting, type Case } from './support/case.ts'
import { registerAsInTheDocs } from './support/register.ts'
import { hasEnded } from './support/segno.ts'

/** What docs/workflows.md says about n8n, without anybody being killed. */
export const WAYS: readonly Case[] = [
  {
    title: 'the example, imported and registered as the documents say, calls back; its execution is known',
    ends: 'success',
    done: 0,
    async show(world) {
      const { segno, ledger } = world
      await registerAsInTheDocs(world, 'resize', 'resize', true)
      const { id, key } = await invoke(world, 'resize')
      const run = await segno.until(id, hasEnded)
      const row = await ledger.row(key)
      assert.equal(run.engineRef, row?.execution)
      assert.deepEqual(run.output, row?.output)
      assert.equal(run.attempts, 1)
      return run
    },
  },
  {
    title: 'a short workflow answers at once with its output',
    ends: 'success',
    done: 0,
    async show(world) {
      const { segno } = world
      const id = await registerAsInTheDocs(world, 'look_up', 'look-up')
      const run = await segno.until((await segno.invoke(id, { customer: 'Ann' })).id, hasEnded)
      assert.deepEqual(run.output, { customer: 'Ann', isKnown: true })
      return run
    },
  },
  {
    title: 'a wrong header is refused, and nothing runs',
    ends: 'failure',
    done: 0,
    async show(world) {
      const url = `${world.gate.url}/webhook/resize`
      await world.register('stranger', { target: { url, auth: { header: 'x-segno', value: 'guessed' } } })
      const run = await world.segno.until((await invoke(world, 'stranger')).id, hasEnded)
      assert.equal(run.code, 'REFUSED')
      return run
    },
  },
  {
    title: 'a step that fails is reported by the error workflow',
    ends: 'failure',
    done: 1,
    async show(world) {
      const run = await world.segno.until((await invoke(world, 'failing')).id, hasEnded)
      assert.match(run.error ?? '', /There is no such picture/)
      return run
    },
  },
  {
    title: 'one that never calls back is asked about over the API',
    ends: 'success',
    done: 1,
    async show(world) {
      const { id, key } = await invoke(world, 'silent')
      const run = await world.segno.until(id, hasEnded)
      assert.deepEqual(run.output, (await world.ledger.row(key))?.output)
      return run
    },
  },
  {
    title: 'one that waits is stopped in n8n when it is cancelled',
    ends: 'failure',
    done: 1,
    async show(world) {
      const { id, key } = await invoke(world, 'patient')
      const { execution } = await doneBy(world, key)
      await waiting(world, execution)
      await world.segno.until(id, ({ status }) => status === 'running')
      await world.segno.ask('POST', `/api/invocations/${id}/cancel`, {})
      await eventually(async () => (await executionStatus(world, execution)) === 'canceled' || undefined, 'it goes on')
      const run = await world.segno.until(id, hasEnded)
      assert.equal(run.code, 'CANCELLED')
      return run
    },
  },
  {
    title: 'the same key is the same run, however often it is asked for',
    ends: 'success',
    done: 1,
    async show(world) {
      const id = world.workflows.get('counted') ?? ''
      const input = { file: 'often.png' }
      const runs = await Promise.all(Array.from({ length: 5 }, () => world.segno.invoke(id, input, 'often')))
      assert.equal(new Set(runs.map((run) => run.id)).size, 1)
      return world.segno.until(runs[0]?.id ?? '', hasEnded)
    },
  },
  {
    title: 'n8n gets one request six times, five of them at once: the ledger lets one through',
    ends: 'success',
    done: 1,
    async show(world) {
      const { id, key } = await invoke(world, 'patient')
      const { execution } = await doneBy(world, key)
      const sent = world.gate.passed.find((one) => one.key === key)
      assert(sent, 'it was never sent')
      const { 'content-length': _, host: __, connection: ___, ...headers } = sent.headers
      const again = (): Promise<Response> =>
        fetch(world.n8n.url + sent.path, {
          method: 'POST',
          headers: headers as Record<string, string>,
          body: sent.body.toString('utf8'),
        })
      for (const answer of await Promise.all(Array.from({ length: 5 }, again))) {
        assert.equal(answer.status, 202)
        assert.deepEqual(await answer.json(), { executionId: execution })
      }
      await goOn(world, key)
      return world.segno.until(id, hasEnded)
    },
  },
  {
    title: 'a webhook that responds immediately has begun, without an id, and calls back',
    ends: 'success',
    done: 1,
    async show(world) {
      const { id, key } = await invoke(world, 'immediate')
      const begun = await world.segno.until(id, ({ status }) => status !== 'pending')
      assert.deepEqual([begun.status, begun.engineRef], ['running', undefined])
      await goOn(world, key)
      return world.segno.until(id, hasEnded)
    },
  },
  {
    title: 'one that is not published ends as a failure that says so',
    ends: 'failure',
    done: 0,
    async show(world) {
      const { segno, n8n } = world
      await world.register('unpublished', { retry: { attempts: 2, baseMs: 100, factor: 1, maxMs: 100 } })
      const { status, body } = await n8n.api('GET', '/workflows/unpublished')
      assert.deepEqual([status, body['active']], [200, false])
      const run = await segno.until((await invoke(world, 'unpublished')).id, hasEnded)
      assert.deepEqual([run.code, run.attempts], ['CONNECTION_ERROR', 2])
      assert.match(run.error ?? '', /must be published/)
      return run
    },
  },
  {
    title: 'one that was just published is tried again until n8n knows its webhook',
    ends: 'success',
    done: 1,
    async show(world) {
      const { n8n, segno, gate } = world
      await n8n.api('POST', '/workflows/counted/deactivate')
      const probe = () => fetch(`${n8n.url}/webhook/counted`, { method: 'POST' })
      await eventually(async () => (await probe()).status === 404 || undefined, 'n8n still knows it')
      const { id, key } = await invoke(world, 'counted')
      await eventually(async () => gate.passed.find((one) => one.key === key && one.status === 404), 'it was not asked')
      await n8n.api('POST', '/workflows/counted/activate')
      return segno.until(id, hasEnded)
    },
  },
]
