import { heardOf, type Check, type Violation } from './evidence.ts'

/** An acknowledged decision is in the log once, as it was made, and the call went the way it said. */
export const decisions: Check = (evidence) => {
  const found: Violation[] = []
  const events = evidence.state.sessions.flatMap(({ parent, events: all }) =>
    all.filter(({ seq }) => seq > (parent?.seq ?? 0)),
  )
  for (const { sessionId, approvalId, decision } of heardOf(evidence, 'decided')) {
    const check = 'decisions are kept'
    const decided = events.flatMap((one) =>
      one.type === 'approval.decided' && one.sessionId === sessionId && one.data.approvalId === approvalId
        ? [one.data]
        : [],
    )
    const [first] = decided
    if (!first || decided.length > 1 || first.decision !== decision) {
      const stored = decided.map((one) => one.decision).join(' and ') || 'nothing'
      found.push({ harm: 'lost', check, what: `${decision} of ${approvalId} was acknowledged, ${stored} is stored` })
      continue
    }
    const result = events.find(
      (one) => one.type === 'tool.result' && one.sessionId === sessionId && one.data.callId === first.callId,
    )
    const denied = result?.type === 'tool.result' && result.data.outcome === 'denied'
    if (denied !== (decision === 'deny'))
      found.push({ harm: 'lost', check, what: `${decision} of ${approvalId} had no consequence` })
  }
  return found
}
