import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { EventOf, StoredEvent } from '../../src/contract/event.ts'
import { askFaults } from '../properties/invariants/asks.ts'
import { ofType } from '../properties/invariants/round-logs.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { JOB_POINTS, openOwn, POINTS, TOKENS, USAGE, WANTS, type Point, type Want } from './own-asks.ts'

const CHILD = fileURLToPath(new URL('own-child.ts', import.meta.url))
/** Longer than the lease of a job. */
const LATER = 120_000

for (const want of WANTS)
  for (const point of want === 'title' ? [...JOB_POINTS, ...POINTS] : POINTS)
    verifies(
      ['LIN-7', 'GOV-20', 'REL-1', 'REL-4', 'GOV-9'],
      `a ${want}: killed ${point}, nothing is there half or twice, what was reserved is settled, and the session goes on`,
      () => killed(want, point),
      120_000,
    )

async function killed(want: Want, point: Point): Promise<void> {
  const home = tempFolder()
  const child = spawn(process.execPath, ['--conditions=segno-source', CHILD, home, want, point])
  let said = ''
  child.stderr.on('data', (text) => (said += String(text)))
  expect([await once(child, 'exit'), said]).toEqual([[null, 'SIGKILL'], ''])

  let calls = 0
  const count = (at: Point): void => void (calls += at === 'when it is asked' ? 1 : 0)
  const segno = await openOwn(home, want, count, () => Date.now() + LATER)
  onTestFinished(() => segno.close())
  const { items } = await segno.sessions.list(LOCAL_OWNER)
  const sessionId = items[0]?.id ?? ''
  const events = () => segno.sessions.events(LOCAL_OWNER, sessionId)
  await expect
    .poll(async () => {
      const { items: jobs } = await segno.jobs.list(LOCAL_OWNER)
      const { open } = await segno.sessions.get(LOCAL_OWNER, sessionId)
      const asked = ofType(await events(), 'model.asked').length
      return [jobs.length, open === undefined, asked]
    })
    .toEqual([0, true, 1])
  await expect.poll(async () => ofType(await events(), 'model.answered').length).toBe(1)

  const log = await events()
  const [asked] = ofType(log, 'model.asked') as [EventOf<'model.asked'>]
  const [answered] = ofType(log, 'model.answered') as [EventOf<'model.answered'>]
  const isLost = point === 'when it is asked' || point === 'in its answer' || point === 'before its answer is stored'
  expect(answered.data.askId).toBe(asked.data.askId)
  expect(answered.data.failed).toBe(isLost ? 'Segno stopped meanwhile.' : undefined)
  const isAskedAnew = !isLost && point !== 'after its answer is stored'
  expect(calls, 'a model is asked once, by whoever gets to it').toBe(isAskedAnew ? 1 : 0)
  expect(askFaults(log, new Set())).toEqual([])
  expect(ofType(log, 'compact.summary')).toHaveLength(want === 'title' || isLost ? 0 : 1)
  const { title } = await segno.sessions.get(LOCAL_OWNER, sessionId)
  expect(title).toBe(want === 'title' && !isLost ? 'Foxes at dawn' : 'New conversation')
  for (const { data } of ofType(log, 'round.ended')) expect(data.finishReason).toBe('complete')

  if (isLost) expect(answered.data.usage).toMatchObject({ input: asked.data.reserved?.tokens, estimated: true })
  else expect(answered.data.usage).toMatchObject(USAGE)
  await segno.sessions.change(LOCAL_OWNER, sessionId, { title: 'Mine' })
  const { requestId } = await segno.rounds.send(LOCAL_OWNER, sessionId, 'And now?')
  expect(await segno.completion(sessionId, requestId)).toMatchObject({ finishReason: 'complete' })
  const { left } = await segno.budgets.get(LOCAL_OWNER)
  expect(left.tokens).toBe(TOKENS - spentIn(await events()))

  await segno.close()
  const store = await openStoreOf(home)
  onTestFinished(() => store.close())
  expect(await store.pendingInputs(sessionId)).toEqual([])
  expect(await store.check()).toMatchObject({ ok: true, findings: [] })
}

/** What all turns and asks used; every attempt at a turn that died with its process used what was reserved for it. */
function spentIn(log: readonly StoredEvent[]): number {
  let spent = 0
  let open = 0
  for (const { type, data } of log) {
    if (type === 'turn.started' || type === 'turn.retried') open += data.reserved?.tokens ?? 0
    if (type === 'round.resumed') {
      spent += open
      open = data.reserved?.tokens ?? 0
    }
    if (type === 'turn.ended') open = 0
    if (type === 'turn.ended' || type === 'model.answered') spent += data.usage.input + data.usage.output
  }
  return spent
}
