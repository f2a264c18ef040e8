import type { EventData, NewEvent, SessionCreated } from '../../../src/contract/event.ts'
import type { Quota } from '../../../src/contract/tool.ts'
import type { Entitlement, Store } from '../../../src/store/index.ts'
import { fact, result, started } from './facts.ts'
import { SessionWriter } from './session-writer.ts'

/** Noon of a day in UTC. */
export const NOON = Date.UTC(2026, 6, 24, 12)
export const TODAY = '2026-07-24'
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

export const at = (time: number, ...events: NewEvent[]): NewEvent[] => events.map((event) => ({ ...event, at: time }))

export const noon = (...events: NewEvent[]): NewEvent[] => at(NOON, ...events)

export const turn = (requestId: string, n: number, tokens: number, cost = 0): NewEvent =>
  fact('turn.started', { turn: n, model: 'm', last: false, layerHashes: [], reserved: { tokens, cost } }, requestId)

export const again = (requestId: string, n: number, tokens: number, cost = 0): NewEvent =>
  fact(
    'turn.retried',
    { turn: n, attempt: 1, reason: 'cut', model: 'm', waitMs: 1, shown: false, reserved: { tokens, cost } },
    requestId,
  )

export const takenOver = (requestId: string, n: number, reserved?: EventData['round.resumed']['reserved']): NewEvent =>
  fact('round.resumed', { n: 1, turn: n, reason: 'takeover', ...(reserved && { reserved }) }, requestId)

/** The end of a turn that used so many tokens; without a cost nobody saw how it ended. */
export const turned = (requestId: string, n: number, tokens: number, cost?: number): NewEvent =>
  fact(
    'turn.ended',
    {
      turn: n,
      stopReason: 'end_turn',
      usage: { input: tokens, output: 0 },
      ...(cost !== undefined && { cost }),
      durationMs: 1,
    },
    requestId,
  )

export const called = (requestId: string, callId: string, name = 'search'): NewEvent =>
  fact('tool.call', { callId, turn: 1, name, args: {}, signature: callId }, requestId)

export const begun = (requestId: string, callId: string, reserved: number, quota?: Quota, name = 'search'): NewEvent =>
  fact(
    'tool.started',
    { callId, name, idempotencyKey: callId, effect: 'unsafe', reserved, ...(quota && { quota }) },
    requestId,
  )

/** A call as it is asked for and started. */
export const call = (requestId: string, callId: string, reserved: number, quota?: Quota): NewEvent[] => [
  called(requestId, callId),
  begun(requestId, callId, reserved, quota),
]

/** Segno asks a model for something of its own. */
export const wondered = (askId: string, reserved?: { tokens: number; cost: number }): NewEvent =>
  fact('model.asked', { askId, purpose: 'title', model: 'm', because: 'it has none', ...(reserved && { reserved }) })

/** Its answer, which used so many tokens; without a cost nobody saw how it ended. */
export const answered = (askId: string, tokens: number, cost?: number): NewEvent =>
  fact('model.answered', {
    askId,
    purpose: 'title',
    usage: { input: tokens, output: 0 },
    ...(cost !== undefined && { cost }),
    durationMs: 1,
  })

export const paid = (requestId: string, callId: string, cost: number): NewEvent => result(requestId, callId, { cost })

/** A session with a round in it. */
export async function open(
  store: Store,
  requestId: string,
  actor: Partial<SessionCreated['actor']> = {},
): Promise<SessionWriter> {
  const writer = await SessionWriter.create(store, { actor: { id: 'ada', tenant: 'local', ...actor } })
  await writer.write(...noon(started(requestId)))
  return writer
}

export const entitled = (more: Partial<Entitlement> = {}): Entitlement => ({
  tenant: 'local',
  userId: 'ada',
  dailyTokens: null,
  dailyToolCost: null,
  dailyCost: null,
  updatedAt: NOON,
  ...more,
})
