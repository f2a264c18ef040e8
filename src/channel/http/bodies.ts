import type { z } from '@hono/zod-openapi'
import type { StoredEvent } from '../../contract/event.ts'
import type { Turn } from '../../contract/turn.ts'
import type { ListedRound, RoundView, SessionView, UnknownCallView, Wire } from '../../contract/views.ts'
import { pictureRound } from '../../stream/index.ts'
import { given, type callSchema } from './schemas.ts'

export const iso = (ms: number): string => new Date(ms).toISOString()

/** A view as it is sent: its times are ISO 8601. */
export function wire<View extends object>(view: View): Wire<View> {
  const fields = Object.entries(view).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' && /^at$|^since$|At$/.test(name) ? iso(value) : value,
  ])
  return Object.fromEntries(fields) as Wire<View>
}

export const sessionBody = ({ owner: _, ...session }: SessionView) => wire(session)

export const callBody = ({ signature: _, reconciled: __, ...call }: UnknownCallView) => wire(call)

/** A round in a list, without its turns and calls. */
export const listedRoundBody = ({ startSeq: _, endSeq: __, ...round }: ListedRound) => wire(round)

/** A round with the turns and calls found in its events. */
export function roundBody({ startSeq: _, endSeq: __, ...round }: RoundView, events: readonly StoredEvent[]) {
  const picture = pictureRound(round.sessionId, round.requestId)
  for (const event of events) picture.see({ kind: 'event', event })
  const { output } = picture.completion()
  return {
    ...wire(round),
    ...phaseOf(round, events),
    turns: picture.turns().map(turnBody),
    calls: callsOf(events),
    ...(output && { output }),
  }
}

const turnBody = ({ requestId: _, reasoning: __, toolCalls, ...turn }: Turn) => ({
  ...wire(turn),
  toolCalls: toolCalls.map(({ args: ___, ...call }) => call),
})

function phaseOf({ protocol, state }: Pick<RoundView, 'protocol' | 'state'>, events: readonly StoredEvent[]) {
  const last = events.findLast((event) => event.type === 'phase.started')
  if (protocol !== 'triggered' || last?.type !== 'phase.started') return {}
  const { phase, phaseIndex, cycleIndex } = last.data
  return state === 'ended'
    ? { phase: 'complete', phaseIndex: phaseIndex + 1, cycleIndex }
    : { phase, phaseIndex, cycleIndex }
}

function callsOf(events: readonly StoredEvent[]) {
  const started = new Map<string, number>()
  const calls = new Map<string, z.infer<typeof callSchema>>()
  for (const event of events) {
    const { sessionId, at } = event
    const requestId = event.requestId ?? ''
    if (event.type === 'tool.call') {
      const { callId, name } = event.data
      calls.set(callId, { callId, sessionId, requestId, tool: name, outcome: 'open', effect: 'none' })
    } else if (event.type === 'tool.started') started.set(event.data.callId, at)
    else if (event.type === 'tool.result') {
      const { callId, name: tool, outcome, code, effect, durationMs, cost } = event.data
      const times = { startedAt: started.get(callId), endedAt: at, durationMs }
      calls.set(callId, wire(given({ callId, sessionId, requestId, tool, outcome, code, effect, ...times, cost })))
    }
  }
  return [...calls.values()]
}
