import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Effect } from '../../../src/contract/outcome.ts'
import { IN_DOUBT } from '../random-tools.ts'
import { ofType, usesOf, type RoundLog, type UseLog } from './round-logs.ts'

/** Every use has its assistant message before, one call, one result, and what the result says fits what was done. */
export function callFaults(log: readonly StoredEvent[], round: RoundLog): string[] {
  const uses = usesOf(round.events)
  return [
    ...uses.flatMap((use) => faultsOf(use, round).map((fault) => `${use.name} ${use.callId}: ${fault}`)),
    ...uses.flatMap((use) => interrupted(log, use)),
    ...strays(round.events, uses),
    ...unordered(uses),
    // A fork may stand anywhere, also between a call and the question about it.
    ...(round.closedByFork ? [] : crowded(uses, round.events)),
  ]
}

function faultsOf({ seq, calls, starts, handedOver, results }: UseLog, { ended, events }: RoundLog): string[] {
  const faults: string[] = []
  const [call] = calls
  const [start] = starts
  const [result] = results
  const [later] = handedOver
  if (calls.length > 1) faults.push('is called twice')
  if (starts.length > 1) faults.push('is started twice')
  if (handedOver.length > 1) faults.push('is handed over twice')
  if (results.length > 1) faults.push('has two results')
  if (ended && (!call || !result)) faults.push('has no call or no result at the end of its round')
  if (call && call.seq < seq) faults.push('is called before its assistant message is stored')
  if (result && (!call || result.seq < call.seq)) faults.push('has a result before it is called')
  if (start && (!call || start.seq < call.seq)) faults.push('is started before it is called')
  if (start && result && result.seq < start.seq) faults.push('has a result before it is started')
  if (later && (!start || later.seq < start.seq)) faults.push('is handed over before it is started')
  if (later && result && result.seq < later.seq) faults.push('has a result before it is handed over')
  const waits = (at: number): boolean => later !== undefined && at > later.seq && at < (result?.seq ?? Infinity)
  if (ofType(events, 'tool.started').some((one) => waits(one.seq))) faults.push('does not keep others waiting')
  if (!result) return faults
  const { outcome, effect, code, content } = result.data
  const mustHaveStarted = ['ok', 'error', 'timeout', 'unknown'].includes(outcome)
  const cannotHaveStarted = ['refused', 'denied'].includes(outcome)
  if (mustHaveStarted && !start) faults.push(`is ${outcome} and was not started`)
  if (cannotHaveStarted && start) faults.push(`is ${outcome} and was started`)
  if ((outcome === 'refused') !== (code !== undefined && !['EXPIRED', 'UNATTENDED'].includes(code))) {
    faults.push(`is ${outcome} with the code ${code}`)
  }
  // Only who began the call can say that it never ran, or came to nothing; or who has looked it up.
  // Who was handed it knows what came of it.
  const takenOver = events.some(
    (event) => event.type === 'round.resumed' && start && !later && event.seq > start.seq && event.seq < result.seq,
  )
  const isKnown = !takenOver || start?.data.effect === 'verifiable'
  const neverRan = outcome === 'cancelled' && content.endsWith('Cancelled before it started.') && isKnown
  const expected = neverRan ? 'none' : effectOf(outcome, start?.data.effect, content.includes(IN_DOUBT) || !isKnown)
  if (effect !== expected) faults.push(`is ${outcome} and its effect is called ${effect}`)
  return faults
}

function effectOf(outcome: string, effectClass: string | undefined, inDoubt: boolean): Effect {
  if (effectClass === undefined || effectClass === 'pure') return 'none'
  if (outcome === 'ok') return 'done'
  return outcome === 'error' && !inDoubt ? 'none' : 'unknown'
}

/** A user message between a use and its result would part them. */
function interrupted(log: readonly StoredEvent[], { callId, seq, results }: UseLog): string[] {
  const until = results[0]?.seq ?? Infinity
  const between = log.some((event) => event.type === 'message.user' && event.seq > seq && event.seq < until)
  return between ? [`a user message stands between ${callId} and its result`] : []
}

function strays(events: readonly StoredEvent[], uses: readonly UseLog[]): string[] {
  const known = new Set(uses.map(({ callId }) => callId))
  const faults = events.flatMap((event) =>
    'callId' in event.data && !known.has(event.data.callId) ? [`${event.type} ${event.seq} belongs to no use`] : [],
  )
  if (known.size < uses.length) faults.push('two uses have the same id')
  const keys = ofType(events, 'tool.started').map(({ data }) => data.idempotencyKey)
  if (new Set(keys).size < keys.length) faults.push('two calls have the same idempotency key')
  return faults
}

/** In the order asked, within a turn and from turn to turn; what is handed over may end after what ran beside it. */
function unordered(uses: readonly UseLog[]): string[] {
  const atOnce = uses.filter(({ handedOver }) => handedOver.length === 0)
  const numbers = atOnce.flatMap(({ results }) => results.map(({ seq }) => seq))
  return numbers.some((seq, at) => seq < (numbers[at - 1] ?? 0)) ? ['results do not stand in the order asked'] : []
}

/** A call stands before the result of another one only if both run at once, or if it is asked about meanwhile. */
function crowded(uses: readonly UseLog[], events: readonly StoredEvent[]): string[] {
  return uses.flatMap(({ callId, calls: [call], starts: [start], name }, at) => {
    const before = uses[at - 1]?.results[0]
    if (!call || !before || call.seq > before.seq) return []
    const isAsked = ofType(events, 'approval.requested').some(
      ({ data, seq }) => data.callId === callId && seq < before.seq,
    )
    return isAsked || (start && start.seq < before.seq) ? [] : [`${name} ${callId} is recorded before its turn`]
  })
}
