import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Invocation } from '../../../src/contract/invocation.ts'
import { hasEnded } from '../../../src/contract/invocation.ts'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import { verifySigned } from '../../../src/workflow/standard-webhooks.ts'
import { ofType } from '../../properties/invariants/round-logs.ts'
import type { Ended, Life } from './lives.ts'
import type { Came } from './receiver.ts'
import { STORIES, type Story } from './stories.ts'
import type { World } from './world.ts'

/** Nobody can tell whether what was begun has happened: its end is not stored. */
const IN_DOUBT =
  /^(?:after the (?:second )?attempt|during the (?:second )?request|before (?:the result|that it runs|that it is tried again))$/
/** Either is true: the process died while it was stored, or while something else was that has nothing to do with it. */
const UNCLEAR =
  /^inside (?:the (?:second )?attempt|the result|that it runs|that it is tried again)$|(?:the next time|that the event was told|is acknowledged)$/
/** A call has started, and its run is not stored. */
const NOT_BEGUN = /^(?:(?:after|inside) the start of the call|(?:before|inside) the run)$/

/** What must be true once nothing is left to do, whatever became of the process. */
export async function expectSound(world: World, life: Life, ended: Ended, point: string): Promise<void> {
  const all = await world.runs()
  const runs = all.filter(({ origin }) => origin !== 'webhook')
  const deliveries = all.filter(({ origin }) => origin === 'webhook')
  expect(all.every((one) => hasEnded(one) && one.dueAt === undefined)).toBe(true)
  await expectEnds(world, life, runs, point)
  expectRequests(life, runs, ended)
  expectDeliveries(life, deliveries, ended)
  await expectRecorded(world, all)
  await expectConversation(world, ended, runs)
}

/** Nothing is lost, and what nobody knows is unknown. */
async function expectEnds(world: World, { name, effect, receiver }: Life, runs: readonly Invocation[], point: string) {
  const story: Story = STORIES[name]
  // What has no effect begins before anything of it is stored, and then nobody knows of it.
  const mayBeTwo = effect === 'pure' && name.startsWith('a call')
  const statuses = runs.map(({ status }) => status)
  if (mayBeTwo && runs.length === 2) return expect(statuses).toEqual(['success', 'success'])
  if (story.make && /webhook|delivery|says|said/.test(name)) return expect(statuses).toEqual([])
  if (NOT_BEGUN.test(point) && name.startsWith('a call') && effect !== 'pure' && effect !== 'keyed')
    return expect([[], ['success']]).toContainEqual(statuses)
  if (story.ends) return expect(statuses).toEqual([story.ends])
  if (story.engine === 'temporal') return expect(foundStatuses(effect, point)).toContainEqual(statuses)
  const isRepeatable =
    effect === 'pure' || effect === 'keyed' || (story.isReported === true && receiver.came.length > 0)
  if (!isRepeatable && IN_DOUBT.test(point)) return expect(statuses).toEqual(['unknown'])
  if (!isRepeatable && UNCLEAR.test(point)) return expect([['unknown'], ['success']]).toContainEqual(statuses)
  return expect(statuses).toEqual(['success'])
}

/** Its engine can tell: what it has not got is begun, unless that is not safe. */
function foundStatuses(effect: EffectClass, point: string): string[][] {
  if (effect !== 'unsafe') return [['success']]
  if (point === 'after the attempt') return [['failure']]
  return [['success'], ...(UNCLEAR.test(point) ? [['failure']] : [])]
}

/** Each key is that of a run which was stored, and does its work once; what is not safe to repeat is sent once. */
function expectRequests({ receiver, name, effect }: Life, runs: readonly Invocation[], { things }: Ended): void {
  const came = receiver.came.filter(({ to }) => to === 'work')
  const keys = new Set(came.map(({ key }) => key))
  expect(runs.map(({ key }) => key)).toEqual(expect.arrayContaining([...keys]))
  expect(keys.size).toBeLessThanOrEqual(effect === 'pure' ? runs.length : 1)
  expect(came.filter(({ isEffect }) => isEffect).length).toBeLessThanOrEqual(effect === 'pure' ? runs.length : 1)
  if (runs.some(({ status }) => status === 'success')) expect(came.some(({ isEffect }) => isEffect)).toBe(true)
  if (!canRepeat(effect)) expect(came.filter(({ isRefused }) => !isRefused).length).toBeLessThanOrEqual(1)
  for (const { headers, ...one } of came) {
    if (!('engine' in STORIES[name])) expect(isSigned({ headers, ...one }, things.secret)).toBe(true)
    expect(headers['segno-invocation']).toBe(runs.find(({ key }) => key === one.key)?.id)
  }
}

const canRepeat = (effect: EffectClass): boolean => effect === 'pure' || effect === 'keyed'

/** Each event is delivered, and no id of a delivery has two bodies. */
function expectDeliveries({ receiver }: Life, deliveries: readonly Invocation[], { made }: Ended): void {
  const came = receiver.came.filter(({ to }) => to === 'told')
  expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => 'success'))
  expect(new Set(came.map(({ key }) => key)).size).toBe(deliveries.length)
  expect(new Set(came.map(({ key, body }) => `${key} ${body}`)).size).toBe(deliveries.length)
  for (const one of came) {
    expect(one.key).toBe((JSON.parse(one.body) as { id: string }).id)
    expect(isSigned(one, made['webhookSecret'] ?? '')).toBe(true)
  }
}

function isSigned({ headers, body }: Pick<Came, 'headers' | 'body'>, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const signed = { id, timestamp, signature, body: Buffer.from(body) }
  return verifySigned(signed, [secret], { now: Number(timestamp) * 1000, toleranceMs: 0 }).isValid
}

/** How each ended is on record, at last as it is now. */
async function expectRecorded({ segno }: World, all: readonly Invocation[]): Promise<void> {
  const action = 'orchestrator.workflow.result'
  const { items } = await segno.audit.page(LOCAL_OWNER, { action, limit: 200 })
  for (const { id, status } of all) {
    const records = items.filter(({ metadata }) => metadata.invocationId === id)
    expect(records.some(({ metadata }) => metadata.invocationStatus === status)).toBe(true)
  }
  const begun = await segno.audit.page(LOCAL_OWNER, { action: 'orchestrator.workflow.invoke', limit: 200 })
  expect(begun.items.length).toBe(all.length)
  expect(new Set(begun.items.map(({ metadata }) => metadata.invocationId))).toEqual(new Set(all.map(({ id }) => id)))
}

/** Every call has one result, which the run and the conversation agree about, and the conversation goes on. */
async function expectConversation(
  { segno, log }: World,
  { things: { sessionId } }: Ended,
  runs: readonly Invocation[],
): Promise<void> {
  await expect.poll(async () => disagreement(await log(sessionId), runs)).toBeUndefined()
  const events = await log(sessionId)
  const rounds = ofType(events, 'round.started').length
  expect(rounds).toBeLessThanOrEqual(1)
  expect(ofType(events, 'round.ended').map(({ data }) => data.finishReason)).toEqual(rounds === 0 ? [] : ['complete'])
  const { requestId } = await segno.rounds.send(LOCAL_OWNER, sessionId, 'Are you still there?')
  expect((await segno.completion(sessionId, requestId)).finishReason).toBe('complete')
}

type Log = Awaited<ReturnType<World['log']>>

function disagreement(events: Log, runs: readonly Invocation[]): string | undefined {
  const calls = ofType(events, 'tool.call').map(({ data }) => data.callId)
  const results = ofType(events, 'tool.result')
  if (String(calls) !== String(results.map(({ data }) => data.callId))) return 'a call has no result, or two'
  const [result] = results
  if (!result) return undefined
  const run = runs.find(({ callId }) => callId === result.data.callId)
  const late = ofType(events, 'tool.reconciled').length
  if (run?.status === 'success' && result.data.outcome !== 'ok' && late !== 1) return 'it was not told what came late'
  if (run?.status !== 'success' && (result.data.outcome === 'ok' || late > 0)) return 'it was told of a success'
  if (run?.status !== 'success' && result.data.effect !== 'unknown') return 'it was not told that it is unknown'
  return undefined
}
