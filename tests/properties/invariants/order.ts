import type { StoredEvent } from '../../../src/contract/event.ts'
import type { RoundLog } from './round-logs.ts'

/** Numbers without gaps; rounds one after the other, each from its start to its single end. */
export function orderFaults(log: readonly StoredEvent[], rounds: readonly RoundLog[]): string[] {
  const faults: string[] = []
  log.forEach((event, at) => {
    if (event.seq !== at + 1) faults.push(`event ${at + 1} has the number ${event.seq}`)
  })
  if (new Set(log.map(({ id }) => id)).size < log.length) faults.push('two events have the same id')
  if (log[0]?.type !== 'session.created') faults.push('a log begins with something else than session.created')

  let open: string | null = null
  const over = new Set<string>()
  for (const event of log) {
    if (event.type === 'round.started') {
      if (open !== null) faults.push(`round ${event.data.requestId} begins before ${open} has ended`)
      open = event.data.requestId
    }
    if (event.requestId === null) continue
    // A message cancelled while it waited has one event, wherever it stands.
    if (event.type === 'round.ended' && event.data.unstarted) {
      if (log.some((other) => other !== event && other.requestId === event.requestId))
        faults.push(`a round that never started has other events than ${event.seq}`)
      continue
    }
    if (over.has(event.requestId)) faults.push(`${event.type} ${event.seq} comes after the end of its round`)
    else if (event.requestId !== open) faults.push(`${event.type} ${event.seq} belongs to a round that is not open`)
    if (event.type === 'round.ended') {
      over.add(event.requestId)
      open = null
    }
  }
  for (const { events, ended, closedByFork } of rounds) {
    const finals = events.filter((event) => event.type === 'message.assistant' && event.data.final)
    if (finals.length > 1) faults.push('a round has two final answers')
    // A fork may stand anywhere, also between the start of a round and its message.
    if (closedByFork) continue
    if (events[1]?.type !== 'message.user') faults.push('a round does not begin with its user message')
    if (ended && finals.length === 0) faults.push(`a round ended with ${ended.data.finishReason} and no answer`)
  }
  return faults
}
