import { isDeepStrictEqual } from 'node:util'
import { heardOf, type Check, type Violation } from './evidence.ts'

const lost = (check: string, what: string): Violation => ({ harm: 'lost', check, what })

/** Every numbered event that was shown stands in the log, unchanged and under its number; none was left out. */
export const acknowledgedEvents: Check = (evidence) => {
  const found: Violation[] = []
  const stored = new Map(
    evidence.state.sessions.flatMap(({ events }) => events.map((one) => [`${one.sessionId} ${one.seq}`, one])),
  )
  for (const { event } of heardOf(evidence, 'event')) {
    const kept = stored.get(`${event.sessionId} ${event.seq}`)
    if (!kept) found.push(lost('shown events are stored', `event ${event.seq} (${event.type}) was shown and is gone`))
    else if (!isDeepStrictEqual(kept, event))
      found.push(
        lost('shown events are stored', `event ${event.seq} was shown as ${event.type} and is ${kept.type} now`),
      )
  }
  const last = new Map<string, number>()
  for (const { event } of heardOf(evidence, 'event')) {
    const before = last.get(event.sessionId) ?? 0
    if (event.seq !== before + 1)
      found.push(lost('followers miss nothing', `a follower got event ${event.seq} after event ${before}`))
    last.set(event.sessionId, event.seq)
  }
  return found
}

/** A message that was accepted started one round, whose start stands in the log with what was said. */
export const acknowledgedInputs: Check = (evidence) => {
  const found: Violation[] = []
  const rounds = new Map<string, Set<string>>()
  for (const { messageId, requestId, sessionId } of heardOf(evidence, 'accepted')) {
    rounds.set(messageId, (rounds.get(messageId) ?? new Set()).add(requestId))
    const log = evidence.state.sessions.find(({ id }) => id === sessionId)?.events ?? []
    if (log.some((one) => one.type === 'round.ended' && one.requestId === requestId && one.data.unstarted)) continue
    const starts = log.filter((one) => one.type === 'round.started' && one.requestId === requestId)
    const said = log.filter((one) => one.type === 'message.user' && one.requestId === requestId)
    if (starts.length !== 1 || said.length !== 1)
      found.push(
        lost(
          'accepted messages are answered once',
          `${messageId} has ${starts.length} rounds, ${said.length} messages`,
        ),
      )
  }
  for (const [messageId, requests] of rounds)
    if (requests.size > 1)
      found.push(lost('accepted messages are answered once', `${messageId} got ${requests.size} rounds`))
  for (const { requestId, finishReason } of heardOf(evidence, 'answered')) {
    const ends = evidence.state.sessions.flatMap(({ id, events }) =>
      events.filter((one) => one.type === 'round.ended' && one.requestId === requestId && one.sessionId === id),
    )
    if (!ends.some((one) => one.type === 'round.ended' && one.data.finishReason === finishReason))
      found.push(lost('answers are stored', `round ${requestId} was answered (${finishReason}) and has no such end`))
  }
  return found
}

/** Sessions and forks that were acknowledged are there; a fork begins with what its parent had at that event. */
export const acknowledgedSessions: Check = (evidence) => {
  const found: Violation[] = []
  const { sessions } = evidence.state
  for (const { sessionId } of heardOf(evidence, 'session'))
    if (!sessions.some(({ id }) => id === sessionId)) found.push(lost('sessions stay', `session ${sessionId} is gone`))
  for (const { sessionId, parent } of heardOf(evidence, 'forked')) {
    const fork = sessions.find(({ id }) => id === sessionId)
    const shared = sessions.find(({ id }) => id === parent.sessionId)?.events.slice(0, parent.seq) ?? []
    const inherited = fork?.events.slice(0, parent.seq) ?? []
    if (!isDeepStrictEqual(fork?.parent, parent)) found.push(lost('forks stay', `fork ${sessionId} is gone`))
    else if (
      !isDeepStrictEqual(
        inherited.map(({ id }) => id),
        shared.map(({ id }) => id),
      )
    )
      found.push(lost('forks stay', `fork ${sessionId} does not begin with what it was forked from`))
  }
  return found
}

/** A round that a person stopped while it ran ended because of that. */
export const acknowledgedCancels: Check = (evidence) =>
  heardOf(evidence, 'cancelled').flatMap(({ sessionId, requestId }) => {
    const log = evidence.state.sessions.find(({ id }) => id === sessionId)?.events ?? []
    const end = log.find((one) => one.type === 'round.ended' && one.requestId === requestId)
    if (end?.type === 'round.ended' && end.data.finishReason === 'cancelled') return []
    return [lost('cancelled rounds stop', `round ${requestId} was cancelled and did not end with that`)]
  })
