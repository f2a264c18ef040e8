import type { EventOf } from '../../../src/contract/event.ts'
import type { Delivery } from '../ledger.ts'
import type { Check, Evidence, Violation } from './evidence.ts'

const repeated = (check: string, what: string): Violation => ({ harm: 'repeated', check, what })

/** Nothing with an effect was asked of the world before `tool.started` of its call was in the file. */
export const startsFirst: Check = ({ deliveries }) =>
  deliveries
    .filter(({ effect, startStored }) => effect !== 'pure' && !startStored)
    .map(({ callId }) =>
      repeated('starts are stored before effects', `call ${callId} acted before its start was stored`),
    )

/** What was asked for once happened at most once, whatever the calls were named. Redelivery is for `keyed` alone. */
export const effectsOnce: Check = ({ deliveries }) => {
  const found: Violation[] = []
  const check = 'effects happen once'
  const lasting = deliveries.filter(({ effect }) => effect !== 'pure')
  for (const [callId, some] of Map.groupBy(lasting, ({ callId }) => callId)) {
    const effect = (some[0] as Delivery).effect
    if (effect !== 'keyed' && some.length > 1)
      found.push(repeated(check, `${effect} call ${callId} was delivered ${some.length} times`))
  }
  for (const [item, some] of Map.groupBy(lasting, ({ args }) => JSON.stringify(args))) {
    const times = some.filter(({ happened }) => happened).length
    if (times > 1) found.push(repeated(check, `${some[0]?.effect} ${item} happened ${times} times`))
  }
  return found
}

/** A result says what the world saw: `ok` was started and happened; what says it had no effect has none. */
export const effectsOfResults: Check = (evidence) => {
  const found: Violation[] = []
  const check = 'results tell the truth'
  const reached = new Set(evidence.deliveries.map(({ callId }) => callId))
  for (const { data, started, closing } of resultsOf(evidence)) {
    const { callId, outcome } = data
    if (outcome === 'ok' && !started) found.push(repeated(check, `call ${callId} is ok and was never started`))
    if (outcome === 'ok' && !reached.has(callId))
      found.push({ harm: 'lost', check, what: `call ${callId} is ok and never happened` })
    // A fork answers for itself: what it inherited unanswered may go on in its parent.
    if (data.effect === 'none' && reached.has(callId) && !closing && started?.data.effect !== 'pure')
      found.push(repeated(check, `call ${callId} is ${outcome}, without effect, and happened`))
    if (outcome === 'unknown' && (!started || started.data.effect === 'pure'))
      found.push(repeated(check, `call ${callId} is unknown and ${started ? 'pure' : 'was never started'}`))
  }
  return found
}

/** One key for one call, the one its start names, in the session that started it. */
export const keysOfCalls: Check = (evidence) => {
  const found: Violation[] = []
  const check = 'keys belong to one call'
  const { sessions } = evidence.state
  const starts = sessions.flatMap(({ parent, events }) =>
    events.filter((one) => one.type === 'tool.started' && one.seq > (parent?.seq ?? 0)),
  ) as EventOf<'tool.started'>[]
  for (const [key, some] of Map.groupBy(starts, ({ data }) => data.idempotencyKey))
    if (new Set(some.map(({ data }) => data.callId)).size > 1)
      found.push(repeated(check, `key ${key} was given to ${some.length} calls`))
  for (const [key, some] of Map.groupBy(evidence.deliveries, (one) => one.key))
    if (new Set(some.map(({ callId }) => callId)).size > 1)
      found.push(repeated(check, `key ${key} came with several calls`))
  for (const { key, callId, sessionId, effect } of evidence.deliveries) {
    // What has no effect may run before anything of it is stored, and then nobody knows of it.
    if (effect === 'pure') continue
    const start = starts.find(({ data, sessionId: where }) => data.callId === callId && where === sessionId)
    if (!start) found.push(repeated(check, `call ${callId} happened in a session that never started it`))
    else if (start.data.idempotencyKey !== key)
      found.push(repeated(check, `call ${callId} came with the key of another call`))
  }
  return found
}

function resultsOf({ state }: Evidence) {
  return state.sessions.flatMap(({ parent, events }) =>
    events.flatMap((one) => {
      if (one.type !== 'tool.result' || one.seq <= (parent?.seq ?? 0)) return []
      const started = events.find(
        (other): other is EventOf<'tool.started'> =>
          other.type === 'tool.started' && other.data.callId === one.data.callId && other.seq < one.seq,
      )
      const call = events.find((other) => other.type === 'tool.call' && other.data.callId === one.data.callId)
      const use = events.find(
        (other) =>
          other.type === 'message.assistant' &&
          other.data.content.some((part) => part.type === 'tool_use' && part.id === one.data.callId),
      )
      const closing = (use ?? call ?? one).seq <= (parent?.seq ?? 0)
      return [{ data: one.data, started, closing }]
    }),
  )
}
