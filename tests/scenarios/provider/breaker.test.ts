import { setTimeout as later } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Limits } from '../../../src/config/index.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { RoundLimits } from '../../../src/contract/limits.ts'
import type { Completion } from '../../../src/contract/turn.ts'
import type { Play } from '../../support/faulty-provider/exchange.ts'
import { answers, refuses, WELL } from '../../support/faulty-provider/plays.ts'
import { WIRES, type WireName } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './support/fault.ts'
import { openStage, type Stage } from './support/stage.ts'

/** Long enough that what is said of it can be asked about. */
const BREAKER_MS = 1500
const fails = refuses(500)

/** Each message is one attempt, unless it is said otherwise. */
async function open(limits: Partial<Limits> = {}): Promise<Stage> {
  const stage = await openStage({
    BREAKER_FAILURES: 3,
    BREAKER_MS,
    RETRIES: 0,
    TOTAL_MS: 60_000,
    CONNECT_MS: 20_000,
    CONTENT_GAP_MS: 30_000,
    MODEL_CALL_MS: 60_000,
    ...limits,
  })
  onTestFinished(() => stage.close())
  return stage
}

interface Asked extends Completion {
  readonly requests: number
  readonly events: readonly StoredEvent[]
}

async function send(stage: Stage, play: Play, name: WireName = 'anthropic', limits: Partial<RoundLimits> = {}) {
  const { mark, visit } = stage.plan(() => play)
  const { id } = await stage.segno.createSession({ model: WIRES[name].model })
  return { visit, ...(await stage.segno.streamRequest(id, `Look ${mark}.`, { limits })) }
}

async function ask(stage: Stage, play: Play, name?: WireName, limits?: Partial<RoundLimits>): Promise<Asked> {
  const { visit, completion, sessionId } = await send(stage, play, name, limits)
  const ended = await completion
  return { ...ended, requests: visit.requests, events: await stage.segno.sessions.events(LOCAL_OWNER, sessionId) }
}

/** Which providers are left alone, and until when. */
async function leftAlone({ segno }: Stage): Promise<ReadonlyMap<string, number>> {
  const response = await segno.fetch(new Request('http://localhost/api/models'))
  const { items } = (await response.json()) as { items: { provider: string; leftAloneUntil?: number }[] }
  return new Map(
    items.flatMap(({ provider, leftAloneUntil: until }) => (until === undefined ? [] : [[provider, until]])),
  )
}

async function untilOver(stage: Stage): Promise<void> {
  for (;;) {
    const [until] = [...(await leftAlone(stage)).values()]
    if (until === undefined) return
    await later(Math.max(1, until - Date.now()))
  }
}

const REFUSED = /^The model call failed: anthropic failed 3 times in a row and is left alone for [12] s\.$/

verifies(
  'COO-6',
  'a provider that failed several times in a row is left alone for a while, then tried once',
  async () => {
    const stage = await open()
    for (let n = 0; n < 3; n++) expect(await ask(stage, fails)).toMatchObject({ requests: 1, finishReason: 'error' })
    const refused = await ask(stage, answers)
    expect(refused).toMatchObject({ requests: 0, finishReason: 'error' })
    expect(said(refused.events, 'notice').map(({ text }) => text)).toEqual([expect.stringMatching(REFUSED)])
    expect(said(refused.events, 'turn.retried')).toEqual([])
    expect([...(await leftAlone(stage)).keys()]).toEqual(['anthropic'])

    await untilOver(stage)
    expect(await ask(stage, answers)).toMatchObject({ requests: 1, content: WELL })
    // It is well: two failures are not three.
    for (let n = 0; n < 2; n++) await ask(stage, fails)
    expect(await ask(stage, answers)).toMatchObject({ requests: 1, content: WELL })
  },
)

verifies('COO-6', 'a provider that is left alone does not keep another from being asked', async () => {
  const stage = await open()
  for (let n = 0; n < 3; n++) await ask(stage, fails)
  expect(await ask(stage, answers, 'openai')).toMatchObject({ requests: 1, content: WELL })
  expect(await ask(stage, answers)).toMatchObject({ requests: 0 })
})

verifies('COO-6', 'one caller finds out whether a provider is well again, the others do not wait for it', async () => {
  const stage = await open()
  for (let n = 0; n < 3; n++) await ask(stage, fails)
  await untilOver(stage)
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const first = await send(stage, async (exchange) => {
    asked.resolve()
    await go.promise
    await answers(exchange)
  })
  await asked.promise
  expect(await ask(stage, answers)).toMatchObject({ requests: 0, finishReason: 'error' })
  go.resolve()
  expect(await first.completion).toMatchObject({ content: WELL })
  expect(await ask(stage, answers)).toMatchObject({ requests: 1, content: WELL })
})

verifies('COO-6', 'a provider that fails when it is tried is left alone again', async () => {
  const stage = await open()
  for (let n = 0; n < 3; n++) await ask(stage, fails)
  await untilOver(stage)
  expect(await ask(stage, fails)).toMatchObject({ requests: 1 })
  expect(await ask(stage, answers)).toMatchObject({ requests: 0 })
})

verifies('COO-6', 'a provider is left alone in the middle of a round too: it is not asked again', async () => {
  const stage = await open({ RETRIES: 3 })
  const { requests, events, finishReason } = await ask(stage, fails)
  expect({ requests, finishReason }).toEqual({ requests: 3, finishReason: 'error' })
  expect(said(events, 'turn.retried')).toHaveLength(3)
  expect(said(events, 'notice').map(({ text }) => text)).toEqual([expect.stringMatching(REFUSED)])
})

const harmless: Record<string, Play> = {
  'refuses the key': refuses(401),
  'refuses access': refuses(403),
  'knows no such model': refuses(404),
  'finds a mistake in the request': refuses(400),
  'finds the conversation too long': refuses(413),
  'is asked too often': refuses(429),
}

for (const [what, play] of Object.entries(harmless)) {
  verifies('COO-6', `a provider that ${what} is well and goes on being asked`, async () => {
    const stage = await open()
    for (let n = 0; n < 4; n++) expect(await ask(stage, play)).toMatchObject({ requests: 1, finishReason: 'error' })
    expect(await ask(stage, answers)).toMatchObject({ requests: 1, content: WELL })
  })
}

verifies(
  'COO-6',
  'silence of a provider counts as a failure, unless the client was in more of a hurry than usual',
  async () => {
    const stage = await open({ BREAKER_FAILURES: 1, MODEL_CALL_MS: 1500 })
    const silent: Play = ({ stall }) => stall()
    expect(await ask(stage, silent, 'openai', { modelCallMs: 100 })).toMatchObject({
      finishReason: 'timeout',
      requests: 1,
    })
    expect(await ask(stage, silent, 'openai')).toMatchObject({ finishReason: 'timeout', requests: 1 })
    expect(await ask(stage, answers, 'openai')).toMatchObject({ requests: 0 })
  },
)

verifies('COO-6', 'a model that talks for too long has a provider that is well', async () => {
  const stage = await open({ BREAKER_FAILURES: 1, TOTAL_MS: 1500 })
  const talks: Play = async ({ say, open: start, send, wait, gone }) => {
    start()
    await send(say.begin())
    while (!gone.aborted) {
      await send(say.text('and so on '))
      await wait(50)
    }
  }
  expect(await ask(stage, talks)).toMatchObject({ finishReason: 'timeout', requests: 1 })
  expect(await ask(stage, answers)).toMatchObject({ requests: 1, content: WELL })
})

verifies('COO-6', 'a call that is cancelled says nothing about its provider', async () => {
  const stage = await open()
  for (let n = 0; n < 4; n++) {
    const asked = Promise.withResolvers<void>()
    const round = await send(stage, async ({ stall }) => {
      asked.resolve()
      await stall()
    })
    await asked.promise
    await round.cancel()
    expect(await round.completion).toMatchObject({ finishReason: 'cancelled' })
  }
  expect(await ask(stage, answers)).toMatchObject({ requests: 1, content: WELL })
})

verifies('COO-6', 'the try is not used up by a caller who cancels it', async () => {
  const stage = await open()
  for (let n = 0; n < 3; n++) await ask(stage, fails)
  await untilOver(stage)
  const asked = Promise.withResolvers<void>()
  const round = await send(stage, async ({ stall }) => {
    asked.resolve()
    await stall()
  })
  await asked.promise
  await round.cancel()
  await round.completion
  expect(await ask(stage, answers)).toMatchObject({ requests: 1, content: WELL })
})
