import { LOCAL_OWNER } from '../../../../src/contract/actor.ts'
import type { StoredEvent } from '../../../../src/contract/event.ts'
import type { Protocol } from '../../../../src/contract/outcome.ts'
import type { Completion } from '../../../../src/contract/turn.ts'
import { watchClient } from '../../../recordings/watch-client.ts'
import type { Plan } from '../../../support/faulty-provider/faulty-provider.ts'
import { answers, WELL } from '../../../support/faulty-provider/plays.ts'
import type { Wire } from '../../../support/faulty-provider/wires.ts'
import type { Stage } from './stage.ts'

/** Never in a notice, whoever says it: the user, the model, or the provider in its errors. */
export const CANARY = 'canary-7f3a'

/** A machine that is busy with other things is not what is tested here. */
export const SLACK_MS = 5000

/** How a round with a faulty provider went, and what came after it. */
export interface Tried {
  readonly round: Completion
  readonly events: readonly StoredEvent[]
  /** how often the provider was asked for it */
  readonly requests: number
  readonly tookMs: number
  /** what `look` was called with */
  readonly looks: readonly object[]
  /** what must never be, whatever the fault; empty if all is well */
  readonly troubles: readonly string[]
}

/** A message to a provider that follows a plan, then another one to a provider that is well. */
export async function tryOut(stage: Stage, wire: Wire, protocol: Protocol, plan: Plan): Promise<Tried> {
  const { segno } = stage
  let healed = false
  const { mark, visit } = stage.plan((attempt, asked) => (healed ? answers : plan(attempt, asked)))
  const { id: sessionId } = await segno.createSession({ model: wire.model, protocol })
  const client = watchClient(segno, sessionId)
  const troubles: string[] = []

  async function ask(content: string): Promise<{ round: Completion; events: StoredEvent[] }> {
    const { requestId, completion } = await segno.streamRequest(sessionId, content)
    const round = await completion
    await client.roundEnded(requestId)
    const events = await segno.sessions.events(LOCAL_OWNER, sessionId)
    return { round, events: events.filter((event) => event.requestId === requestId) }
  }

  const before = performance.now()
  const { round, events } = await ask(`Look ${mark}; do not tell ${CANARY}.`)
  const tookMs = performance.now() - before
  const { requests } = visit
  const looks = [...stage.looks(sessionId)]
  if (!(await visit.settled(SLACK_MS))) troubles.push('an answer is still under way when the round is over')
  healed = true
  const next = await ask(`And now, ${mark}?`)
  if (next.round.finishReason !== 'complete' || next.round.content !== WELL)
    troubles.push(`the next message ends with ${next.round.finishReason}: ${next.round.content}`)
  const log = await segno.sessions.events(LOCAL_OWNER, sessionId)
  troubles.push(...(await client.end(log)).map((fault) => `a client sees: ${fault}`))
  troubles.push(...findTroubles(events, tookMs, stage.limits.TOTAL_MS ?? 0))
  return { round, events, requests, tookMs, looks, troubles }
}

function findTroubles(events: readonly StoredEvent[], tookMs: number, totalMs: number): string[] {
  const ends = events.filter(({ type }) => type === 'round.ended').length
  const told = events.filter(({ type }) => ['notice', 'turn.retried', 'round.ended'].includes(type))
  const resets = events.filter((event) => event.type === 'turn.retried' && event.data.shown).length
  return [
    ...(ends === 1 ? [] : [`the round ended ${ends} times`]),
    ...(tookMs < totalMs + SLACK_MS ? [] : [`it took ${Math.round(tookMs)} ms`]),
    ...(JSON.stringify(told).includes(CANARY) ? ['a notice holds content'] : []),
    ...(resets <= 1 ? [] : [`the text was taken back ${resets} times`]),
  ]
}
