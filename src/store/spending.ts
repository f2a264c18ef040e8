import type { NewEvent, Reserved, StoredEvent } from '../contract/event.ts'
import type { Usage } from '../contract/message.ts'
import type { Quota } from '../contract/tool.ts'

/** What an event reserves and settles; every attempt at a turn reserves, and settling the turn settles all of them. */
export interface Spending {
  readonly what: 'turn' | 'tool'
  /** the call, the round and the number of its turn, or what Segno asks a model itself */
  readonly about: string
  /** what was spent, or all that was reserved */
  readonly settle?: Reserved | 'reserved'
  /** reserved after settling */
  readonly reserve?: Reserved
  readonly quota?: Quota
  readonly tool?: string
}

export function spendingOf(event: NewEvent | StoredEvent): Spending | undefined {
  switch (event.type) {
    case 'turn.started':
    case 'turn.retried':
      return event.data.reserved && { ...turnOf(event, event.data.turn), reserve: amounts(event.data.reserved) }
    case 'round.resumed': {
      const { turn, reason, reserved } = event.data
      if (reason !== 'takeover') return undefined
      // The attempt died with its owner and its cost is unknown, so all that was reserved counts as spent.
      return { ...turnOf(event, turn), settle: 'reserved', ...(reserved && { reserve: amounts(reserved) }) }
    }
    case 'turn.ended': {
      const { turn, usage, cost } = event.data
      // Without a cost nobody saw the turn end.
      const settle = cost === undefined ? 'reserved' : amounts({ tokens: tokensOf(usage), cost })
      return { ...turnOf(event, turn), settle }
    }
    case 'tool.started': {
      const { callId, name = '', reserved: cost, tokens = 0, quota } = event.data
      if (cost <= 0 && tokens <= 0 && !quota) return undefined
      return { what: 'tool', about: callId, reserve: amounts({ tokens, cost }), ...(quota && { quota, tool: name }) }
    }
    case 'tool.result':
      return {
        what: 'tool',
        about: event.data.callId,
        settle: amounts({ tokens: event.data.tokens ?? 0, cost: event.data.cost }),
      }
    case 'model.asked': {
      const { askId, reserved } = event.data
      return reserved && { ...askOf(askId), reserve: amounts(reserved) }
    }
    case 'model.answered': {
      const { askId, usage, cost } = event.data
      // Without a cost nobody saw the answer end.
      const settle = cost === undefined ? 'reserved' : amounts({ tokens: tokensOf(usage), cost })
      return { ...askOf(askId), settle }
    }
    case 'session.created':
    case 'session.changed':
    case 'session.forked':
    case 'session.archived':
    case 'session.deleted':
    case 'round.started':
    case 'round.asked':
    case 'round.waiting':
    case 'round.paused':
    case 'round.ended':
    case 'phase.started':
    case 'phase.ended':
    case 'message.user':
    case 'message.assistant':
    case 'tool.call':
    case 'approval.requested':
    case 'approval.decided':
    case 'tool.submitted':
    case 'tool.reconciled':
    case 'notice':
    case 'compact.summary':
    case 'context.cleared':
    case 'message.deleted':
      return undefined
  }
}

/** Splits what was spent over its reservations: each up to its own amount, the rest to the last. */
export function shareOut(spent: Reserved, reserved: readonly Reserved[]): Reserved[] {
  let { tokens, cost } = spent
  return reserved.map((one, i) => {
    const isLast = i === reserved.length - 1
    const share = {
      tokens: isLast ? tokens : Math.min(tokens, one.tokens),
      cost: isLast ? cost : Math.min(cost, one.cost),
    }
    tokens -= share.tokens
    cost -= share.cost
    return share
  })
}

/** The day of a time in UTC, such as `2026-07-24`. */
export function dayOf(at: number): string {
  const number = Math.floor(at / DAY_MS)
  if (last?.number !== number) last = { number, day: new Date(at).toISOString().slice(0, 10) }
  return last.day
}

const DAY_MS = 86_400_000
/** Cached, because every turn needs it. */
let last: { readonly number: number; readonly day: string } | undefined

function turnOf({ requestId }: NewEvent | StoredEvent, turn: number) {
  return { what: 'turn', about: `${requestId} ${turn}` } as const
}

const askOf = (askId: string) => ({ what: 'turn', about: `ask ${askId}` }) as const

const tokensOf = ({ input, output }: Usage): number => input + output

/** Whole numbers, never negative. */
function amounts({ tokens, cost }: Reserved): Reserved {
  return { tokens: Math.max(0, Math.ceil(tokens)), cost: Math.max(0, Math.ceil(cost)) }
}
