import { openStoreOf } from '../../support/store-under-test.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compose } from '../../../src/app.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { startJobs, type JobOptions } from '../../../src/job/index.ts'
import { createCoordinator, type Deps } from '../../../src/round/index.ts'
import type { Store } from '../../../src/store/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { tempFolder } from '../workspace/support.ts'

const DAY = 86_400_000
const START = 1_800_000_000_000
const script = {
  scenarios: [
    { when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'Nobody said anything.' }] },
    { when: '^pay', turns: [{ calls: [{ name: 'pay' }] }, { text: 'Who knows.' }] },
  ],
}
const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
const pay = probe('pay', {
  effect: 'unsafe',
  approval: 'auto',
  run: () => Promise.reject(Object.assign(new Error('the line went dead'), { effect: 'unknown' })),
})

/** A Segno whose own clock stands still, so that its jobs find nothing; others, later ones, are started beside it. */
async function stage() {
  const home = tempFolder()
  const store = await openStoreOf(home)
  let deps: Deps | undefined
  const segno = await compose(
    { home, env: {}, durability: 'normal', builtInTools: false, tools: [mail, pay], model: script },
    { store: () => store, clock: { now: () => START }, deps: (given) => (deps = given) },
  )
  onTestFinished(() => segno.close())

  function jobsAt(now: number, options: JobOptions = {}, faults: Partial<Store> = {}) {
    if (!deps) throw new Error('Segno was not opened')
    const clock = { now: () => now }
    // Every sweep falls to it, although the one that was opened has just made its own.
    const faulty: Store = { ...store, takeSweeps: async (names) => names, ...faults }
    // What is not at work counts as idle at once.
    const limits = { maxCoordinators: 100, maxRounds: 20, queueLength: 20, idleMs: -1 }
    const coordinator = createCoordinator(faulty, { ...deps, clock }, limits)
    const jobs = startJobs(faulty, coordinator, clock, options)
    onTestFinished(async () => {
      await jobs.stop()
      await coordinator.drain(0)
    })
    return { jobs, coordinator }
  }

  /** A new session whose round waits for a decision. */
  async function waiting(): Promise<{ sessionId: string; requestId: string }> {
    const { id: sessionId } = await segno.createSession()
    const { requestId } = await segno.rounds.send(LOCAL_OWNER, sessionId, 'mail')
    for await (const frame of segno.follow(sessionId))
      if (frame.kind === 'event' && frame.event.type === 'round.waiting') break
    return { sessionId, requestId }
  }
  return { segno, store, jobsAt, waiting }
}

describe('a session that cannot be opened', () => {
  test('keeps no other from expiring, and is reported once', async () => {
    const { segno, store, jobsAt, waiting } = await stage()
    const [bad, good] = [await waiting(), await waiting()]
    const failures: string[] = []
    const readSlice: Store['readSlice'] = async (id, ...more) => {
      if (id === bad.sessionId) throw new Error('this log cannot be read')
      return store.readSlice(id, ...more)
    }
    const { jobs } = jobsAt(START + 2 * DAY, { onFailure: (kind) => failures.push(kind) }, { readSlice })
    await jobs.tick()
    const { calls } = await segno.completion(good.sessionId, good.requestId)
    expect(calls).toMatchObject([{ outcome: 'denied' }])
    await jobs.tick()
    await jobs.tick()
    expect(failures).toEqual(['expiry'])
    expect(await segno.rounds.approvals(LOCAL_OWNER, 'pending')).toMatchObject([{ sessionId: bad.sessionId }])
  })

  test('is reported again when it fails again after a while', async () => {
    const { store, jobsAt, waiting } = await stage()
    await waiting()
    const failures: string[] = []
    let broken = true
    const dueRounds: Store['dueRounds'] = async (now) => {
      if (broken) throw new Error('not now')
      return (await store.dueRounds(now)).slice(0, 0)
    }
    const { jobs } = jobsAt(START, { onFailure: (kind) => failures.push(kind) }, { dueRounds })
    for (const state of [true, true, false, true]) {
      broken = state
      await jobs.tick()
    }
    expect(failures).toEqual(['expiry', 'expiry'])
  })
})

test('what fails keeps nothing else from being done', async () => {
  const { segno, store, jobsAt, waiting } = await stage()
  const { sessionId } = await waiting()
  await segno.rounds.send(LOCAL_OWNER, (await segno.createSession()).id, 'hi', { messageId: 'once' })
  const failures: string[] = []
  const fail = () => Promise.reject(new Error('not now'))
  const faults = { takeJob: fail, dueRounds: fail, unfinished: fail }
  const options = { claimMs: DAY, onFailure: (kind: string) => failures.push(kind) }
  const { jobs, coordinator } = jobsAt(START + DAY + 1, options, faults)
  await coordinator.wake(sessionId)
  await coordinator.settled(sessionId, true)
  expect(coordinator.stats().live).toBe(1)
  await jobs.tick()
  expect(failures).toEqual(['jobs', 'expiry', 'rescue'])
  expect(coordinator.stats().live).toBe(0)
  expect(await store.findClaim('message:local:owner:once')).toBeUndefined()
})

describe('a claim', () => {
  test('is kept as long as it should be, then the same id is a new message', async () => {
    const { segno, jobsAt } = await stage()
    const { id } = await segno.createSession()
    const send = () => segno.rounds.send(LOCAL_OWNER, id, 'hi', { messageId: 'once' })
    const { requestId } = await send()
    await jobsAt(START + DAY, { claimMs: DAY }).jobs.tick()
    expect((await send()).requestId).toBe(requestId)
    await jobsAt(START + DAY + 1).jobs.tick()
    expect((await send()).requestId).toBe(requestId)
    await jobsAt(START + DAY + 1, { claimMs: DAY }).jobs.tick()
    expect((await send()).requestId).not.toBe(requestId)
  })

  test('of a decision may go: what was decided stays decided', async () => {
    const { segno, store, jobsAt, waiting } = await stage()
    const { sessionId, requestId } = await waiting()
    const [approval] = await segno.rounds.approvals(LOCAL_OWNER, 'pending')
    const id = approval?.id ?? ''
    await segno.rounds.decide(LOCAL_OWNER, id, { decision: 'deny' })
    await segno.completion(sessionId, requestId)
    await jobsAt(START + 2 * DAY, { claimMs: DAY }).jobs.tick()
    expect(await store.findClaim(`decision:${id}`)).toBeUndefined()
    expect((await problemOf(segno.rounds.decide(LOCAL_OWNER, id, { decision: 'approve' }))).code).toBe('CONFLICT')
    expect(mail.runs).toEqual([])
  })

  test('of a call that was settled may go: it stays settled', async () => {
    const { segno, store, jobsAt } = await stage()
    const { id } = await segno.createSession()
    const { requestId } = await segno.rounds.send(LOCAL_OWNER, id, 'pay')
    await segno.completion(id, requestId)
    const [call] = await segno.rounds.unknownCalls(LOCAL_OWNER)
    const callId = call?.callId ?? ''
    await segno.rounds.reconcile(LOCAL_OWNER, callId, true)
    await jobsAt(START + 2 * DAY, { claimMs: DAY }).jobs.tick()
    expect(await store.findClaim(`reconcile:${id}:${callId}`)).toBeUndefined()
    expect((await problemOf(segno.rounds.reconcile(LOCAL_OWNER, callId, false))).code).toBe('CONFLICT')
    expect(await store.unknownCall(callId)).toMatchObject({ reconciled: true })
  })
})
