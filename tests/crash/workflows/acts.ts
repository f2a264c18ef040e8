import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { hasEnded } from '../../../src/contract/invocation.ts'
import { delay } from '../../../src/lib/delay.ts'
import { signedHeaders } from '../../../src/workflow/standard-webhooks.ts'
import { ofType } from '../../properties/invariants/round-logs.ts'
import type { Came, Conduct } from './receiver.ts'
import { LOOK_MS, until, type Things, type World } from './world.ts'

/** What happens in a home, in all of its lives: what was acknowledged in an earlier one is not done again. */
export interface Stage {
  readonly world: World
  readonly things: Things
  /** what was made before anything is killed, by name */
  readonly made: Readonly<Record<string, string>>
  /** Does it, and says that it was acknowledged. */
  step(name: string, action: () => Promise<unknown>): Promise<void>
  /** From here on it may be killed; otherwise from the beginning. */
  arm(): void
}

export const speak = ({ step, world: { segno }, things: { sessionId } }: Stage): Promise<void> =>
  step('what is said', () => segno.rounds.send(LOCAL_OWNER, sessionId, 'Work on it.', { messageId: 'work' }))

export const invoke = ({ step, world: { segno }, things: { workflowId } }: Stage): Promise<void> =>
  step('what is wanted', () => segno.invocations.invoke(LOCAL_OWNER, workflowId, { page: 1 }, { key: 'work' }))

/** Until the other side has it, or surely never will. */
export const handedOver = ({ world, things: { sessionId } }: Stage): Promise<void> =>
  until(world, async () => {
    const all = await world.runs()
    const hasNone = all.length === 0 && ofType(await world.log(sessionId), 'round.ended').length > 0
    return hasNone || (all.length > 0 && all.every(({ status }) => status !== 'pending'))
  })

/** The other side says what came of everything it was given, until nobody waits for it any more. */
export async function report(stage: Stage, by: 'signature' | 'token'): Promise<void> {
  const { world, things } = stage
  const said = new Set<string>()
  do {
    await handedOver(stage)
    const works = new Map((await world.came()).map((work) => [work.key, work]))
    for (const { key, headers } of works.values()) {
      if (said.has(key)) continue
      const name = said.size === 0 ? 'its result' : `its result ${said.size + 1}`
      await stage.step(name, () => sayResult(world, things, { key, by, headers }))
      said.add(key)
    }
    await delay(LOOK_MS)
  } while (await isWaitedFor(stage))
}

async function isWaitedFor({ world, things }: Stage): Promise<boolean> {
  const isOpen = !(await world.runs()).every(hasEnded)
  const events = await world.log(things.sessionId)
  return isOpen || ofType(events, 'round.started').length > ofType(events, 'round.ended').length
}

function sayResult(
  world: World,
  { secret }: Things,
  { key, by, headers }: { readonly key: string; readonly by: 'signature' | 'token'; readonly headers: Came['headers'] },
): Promise<unknown> {
  const body = JSON.stringify({ status: 'success', output: { done: true } })
  const { 'segno-callback-url': url = '', 'segno-callback-token': token = '' } = headers
  const signed = signedHeaders([secret], { id: `result-${key}`, body, now: world.now() })
  return post(world, url, body, by === 'token' ? { authorization: `Bearer ${token}` } : signed)
}

/** It ends, and whoever looks it up hears so. */
export async function end({ world, step }: Stage): Promise<void> {
  const { origin } = world.other
  if ((await world.came()).length > 0) await step('its end', () => fetch(`${origin}/end`, { method: 'POST' }))
}

async function post(
  { segno }: World,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const sent = { 'content-type': 'application/json', ...headers }
  const response = await segno.fetch(new Request(url, { method: 'POST', headers: sent, body }))
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

export async function makeHook({ segno }: World, does: 'workflow' | 'event' | 'message', things: Things) {
  const { workflowId, sessionId } = things
  const action = {
    workflow: { does: 'workflow', workflowId },
    event: { does: 'event', type: 'order.paid' },
    message: { does: 'message', sessionId, content: 'There is news: {{payload.page}}' },
  } as const
  const { secret = '' } = await segno.hooks.create(LOCAL_OWNER, { name: 'news', action: action[does] })
  return { hookSecret: secret }
}

export const callHook = ({ step, world, made: { hookSecret = '' } }: Stage): Promise<void> =>
  step('what came', () => {
    const body = '{"page":1}'
    const headers = signedHeaders([hookSecret], { id: 'news-1', body, now: world.now() })
    return post(world, 'http://127.0.0.1:7/api/hooks/news', body, headers)
  })

export async function makeTrigger({ segno }: World, event: string, { workflowId }: Things) {
  await segno.triggers.create(LOCAL_OWNER, { event, workflowId })
  return {}
}

export async function makeWebhook({ segno, other: { origin } }: World, conduct: Conduct, event: string) {
  const url = `${origin}/told/${conduct}`
  const { secret = '' } = await segno.webhooks.create(LOCAL_OWNER, { url, events: [event] })
  return { webhookSecret: secret }
}

export const reportEvent = ({ step, world: { segno } }: Stage): Promise<void> =>
  step('what happened', () =>
    segno.events.report(LOCAL_OWNER, { id: 'order-1', type: 'order.paid', payload: { page: 1 } }),
  )

export async function cancel(stage: Stage): Promise<void> {
  const { segno, runs } = stage.world
  await invoke(stage)
  await handedOver(stage)
  stage.arm()
  const [run] = await runs()
  await stage.step('that it is cancelled', () => segno.invocations.cancel(LOCAL_OWNER, run?.id ?? ''))
}

const HOUR_MS = 3_600_000

/** A schedule that is due once, at the next full hour. */
export async function makeSchedule(
  { segno, now }: World,
  what: { readonly content: string } | undefined,
  things: Things,
) {
  const at = new Date(Math.ceil((now() + 60_000) / HOUR_MS) * HOUR_MS)
  const { workflowId, sessionId } = things
  await segno.schedules.create(LOCAL_OWNER, {
    cron: `0 ${at.getUTCHours()} * * *`,
    ...(what ? { sessionId, ...what } : { workflowId, input: { page: 1 } }),
  })
  return { at: String(at.getTime()) }
}

export const comeTo = ({ world: { jump, now }, made: { at = '0' } }: Stage): void =>
  jump(Math.max(0, Number(at) - now()))

export const began = ({ world }: Stage, most: number): Promise<void> =>
  until(world, async () => (await world.runs()).length >= most)

export const spoken = ({ world, things: { sessionId } }: Stage): Promise<void> =>
  until(world, async () => ofType(await world.log(sessionId), 'round.ended').length > 0)
