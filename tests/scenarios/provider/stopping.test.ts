import { afterAll, beforeAll, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import type { Play } from '../../support/faulty-provider/exchange.ts'
import { answers, refuses, WELL } from '../../support/faulty-provider/plays.ts'
import { WIRE_NAMES, WIRES, type Wire } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { said, wrong } from './support/fault.ts'
import { openStage, type Stage } from './support/stage.ts'
import { SLACK_MS } from './support/trial.ts'

/** No limit ends anything here but the one that is looked at. */
let stage: Stage
beforeAll(async () => {
  stage = await openStage({
    TOTAL_MS: 600_000,
    CONNECT_MS: 600_000,
    CONTENT_GAP_MS: 600_000,
    MODEL_CALL_MS: 600_000,
    RETRY_BASE_MS: 600_000,
  })
})
afterAll(() => stage.close())

const story: Play = async ({ say, open, send }) => {
  open()
  await send(say.begin() + say.text('Once upon ', 'a time'))
}

/** What the provider does up to the moment in which the round is stopped. */
const moments: Record<string, Play> = {
  'the provider is to answer': () => {},
  'the first word is waited for': async ({ say, open, send }) => {
    open()
    await send(say.begin())
  },
  'the model speaks': story,
  'the model is to be asked again': refuses(500),
}
const RETRIES = 'the model is to be asked again'

type Stop = 'cancelled' | 'timeout'
const FAREWELL = { cancelled: '(Stopped on request.)', timeout: '(Stopped: this took longer than it may.)' }
const ENOUGH_MS = 300

async function stopped(wire: Wire, protocol: Protocol, when: string, stop: Stop): Promise<string[]> {
  const { segno } = stage
  const reached = Promise.withResolvers<void>()
  let healed = false
  const { mark, visit } = stage.plan(() =>
    healed
      ? answers
      : async (exchange) => {
          await moments[when]?.(exchange)
          reached.resolve()
          await exchange.stall()
        },
  )
  const { id } = await segno.createSession({ model: wire.model, protocol })
  const timeoutMs = stop === 'timeout' ? ENOUGH_MS : 600_000
  const round = await segno.streamRequest(id, `Look ${mark}.`, { timeoutMs })
  if (stop === 'cancelled') {
    await reached.promise
    if (when === RETRIES) await retried(id)
    if (when === 'the model speaks') await shown(id)
    await round.cancel()
  }
  const { finishReason, content } = await round.completion
  const left = !(await visit.settled(SLACK_MS))
  const { requests } = visit
  healed = true
  const next = await (await segno.streamRequest(id, 'And now?')).completion
  const events = (await segno.sessions.events(LOCAL_OWNER, id)).filter((one) => one.requestId === round.requestId)
  return [
    ...wrong('finish reason', finishReason, stop),
    ...wrong('answer', content, FAREWELL[stop]),
    ...wrong('notices', said(events, 'notice'), []),
    ...wrong('ends', said(events, 'round.ended').length, 1),
    ...wrong('retries', said(events, 'turn.retried').length, when === RETRIES ? 1 : 0),
    ...wrong('requests', requests, 1),
    ...wrong('left open', left, false),
    ...wrong('next answer', next.content, WELL),
  ].map((trouble) => `${wire.name}, ${protocol}: ${trouble}`)
}

async function retried(sessionId: string): Promise<void> {
  for await (const frame of stage.segno.follow(sessionId))
    if (frame.kind === 'event' && frame.event.type === 'turn.retried') return
}

async function shown(sessionId: string): Promise<void> {
  for await (const frame of stage.segno.follow(sessionId)) if (frame.kind === 'pulse') return
}

for (const stop of ['cancelled', 'timeout'] as const) {
  for (const when of Object.keys(moments)) {
    verifies(
      ['GOV-7', 'COO-6'],
      `a round ${stop === 'timeout' ? 'whose time is up' : 'that is cancelled'} while ${when} ends at once, and nothing is left open`,
      async () => {
        const trials = WIRE_NAMES.flatMap((name) =>
          (['unified', 'triggered'] as const).map((protocol) =>
            stage.inTurn(() => stopped(WIRES[name], protocol, when, stop)),
          ),
        )
        expect((await Promise.all(trials)).flat()).toEqual([])
      },
      120_000,
    )
  }
}
