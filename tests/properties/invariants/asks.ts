import type { StoredEvent } from '../../../src/contract/event.ts'
import { ofType } from './round-logs.ts'

/** What Segno itself asks models is asked and answered one by one, and a summary stands for whole exchanges. */
export function askFaults(log: readonly StoredEvent[], commits: ReadonlySet<number>): string[] {
  return [...pairFaults(log), ...summaryFaults(log, commits), ...tooManyFaults(log)]
}

function pairFaults(log: readonly StoredEvent[]): string[] {
  const faults: string[] = []
  const asked = new Set<string>()
  const calls = new Set<string>()
  let open: string | null = null
  for (const event of log) {
    switch (event.type) {
      case 'message.assistant':
        for (const part of event.data.content) if (part.type === 'tool_use') calls.add(part.id)
        break
      case 'tool.result':
        calls.delete(event.data.callId)
        break
      case 'model.asked':
        if (open !== null) faults.push(`ask ${event.seq} begins while another is open`)
        if (asked.has(event.data.askId)) faults.push(`ask ${event.seq} has the id of another`)
        if (calls.size > 0) faults.push(`ask ${event.seq} begins while a call is open`)
        asked.add((open = event.data.askId))
        break
      case 'model.answered':
        // What was refused before anybody was asked has an id of its own.
        if (open !== null && event.data.askId !== open) faults.push(`answer ${event.seq} is to something else`)
        if (open === null && event.data.failed === undefined) faults.push(`answer ${event.seq} is to nothing`)
        open = null
        break
      case 'turn.started':
      case 'turn.retried':
      case 'tool.started':
      case 'round.started':
        if (open !== null) faults.push(`${event.type} ${event.seq} comes while an ask is open`)
        break
      case 'session.forked':
        open = null
        break
      default:
        break
    }
  }
  if (open !== null) faults.push(`ask ${open} is never answered`)
  return faults
}

function summaryFaults(log: readonly StoredEvent[], commits: ReadonlySet<number>): string[] {
  let before = 0
  return ofType(log, 'compact.summary').flatMap(({ seq, data: { upTo, text, saved } }) => {
    const faults: string[] = []
    const answer = log[seq - 2]
    if (answer?.type !== 'model.answered' || answer.data.failed !== undefined)
      faults.push(`summary ${seq} does not follow its answer`)
    if (commits.has(seq - 1)) faults.push(`summary ${seq} was stored after its answer`)
    if (log[upTo]?.type !== 'message.user') faults.push(`summary ${seq} ends inside an exchange`)
    const dropped = ofType(log, 'message.deleted').some((one) => one.seq < seq && (one.data.seq ?? Infinity) <= before)
    if (upTo <= before && !dropped) faults.push(`summary ${seq} stands for no more than the one before`)
    if (text.trim() === '' || (saved ?? 0) <= 0) faults.push(`summary ${seq} saves nothing`)
    before = upTo
    return faults
  })
}

/** However long a conversation is, one round makes at most one summary. */
function tooManyFaults(log: readonly StoredEvent[]): string[] {
  const times = new Map<string, number>()
  for (const { requestId, data } of ofType(log, 'model.asked'))
    if (requestId !== null && data.purpose === 'summary') times.set(requestId, (times.get(requestId) ?? 0) + 1)
  return [...times].flatMap(([id, n]) => (n > 1 ? [`round ${id} asks for ${n} summaries`] : []))
}
