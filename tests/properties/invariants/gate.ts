import type { StoredEvent } from '../../../src/contract/event.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { CLASSES } from '../random-tools.ts'
import type { ToolName } from '../tool-names.ts'
import { ofType, usesOf, type RoundLog, type UseLog } from './round-logs.ts'

/**
 * Whatever was started was allowed: by the mode, the permissions, a person, and for the first time. `definitions` says
 * with which definition of its tool each call was started: a yes counts only for that one.
 */
export function gateFaults(
  log: readonly StoredEvent[],
  round: RoundLog,
  definitions: ReadonlyMap<string, string>,
): string[] {
  const uses = usesOf(round.events)
  return uses.flatMap((use) => {
    const repeats = earlierWith(uses, use, signatureOf)
    const code = use.results[0]?.data.code
    // Recorded while its tool was not there, it has another signature than the call it repeats.
    if (code === 'DUPLICATE' && !repeats && !earlierWith(uses, use, targetOf))
      return [`${use.name} is refused as a duplicate of nothing`]
    const [start] = use.starts
    if (!start) return []
    const faults: string[] = []
    const { effect, approval } = CLASSES[use.name as ToolName]
    const { mode, permissions, protocol } = round.started
    if (start.data.effect !== effect) faults.push(`${use.name} was started as ${start.data.effect}`)
    if (mode === 'plan' && effect !== 'pure') faults.push(`${use.name} was started in plan mode`)
    if (!['*', 'tool:invoke', `tool:${use.name}`].some((one) => permissions.includes(one))) {
      faults.push(`${use.name} was started without permission`)
    }
    if (repeats && (protocol === 'triggered' || effect !== 'pure')) faults.push(`${use.name} was started again`)
    const definition = definitions.get(use.callId)
    if (start.data.definitionHash !== definition) faults.push(`${use.name} was started under a wrong definition`)
    const approved = use.decisions.some(({ seq, data }) => {
      const asked = use.requests.find((one) => one.data.approvalId === data.approvalId)
      return seq < start.seq && data.decision === 'approve' && asked?.data.definitionHash === definition
    })
    const needed = approval === 'always' || wasUnknown(log, use, start.seq)
    if (needed && !approved) faults.push(`${use.name} was started and nobody said yes`)
    if (approval === 'ask' && !approved && !remembered(log, use, start.seq, definition)) {
      faults.push(`${use.name} was started and nobody said yes before either`)
    }
    return faults
  })
}

/** The same call, judged by this, that came to something before this one was judged. */
function earlierWith(uses: readonly UseLog[], use: UseLog, by: (use: UseLog) => string | undefined): boolean {
  const judged = use.starts[0]?.seq ?? use.results[0]?.seq ?? Infinity
  return uses.some((other) => {
    const [result] = other.results
    if (other.callId === use.callId || other.name !== use.name || by(other) !== by(use) || !result) return false
    return result.seq < judged && result.data.outcome !== 'cancelled'
  })
}

/** Somebody approved this very target for the session, and not for one it was forked from. */
function remembered(log: readonly StoredEvent[], use: UseLog, before: number, definition: string | undefined): boolean {
  const own = ofType(log, 'session.forked').findLast(({ seq }) => seq < before)?.seq ?? 0
  return ofType(log, 'approval.decided').some(({ seq, data }) => {
    if (seq > before || seq < own || data.remember !== 'session' || data.decision !== 'approve') return false
    const asked = ofType(log, 'approval.requested').find((one) => one.data.approvalId === data.approvalId)?.data
    if (!asked?.rememberable || asked.definitionHash !== definition) return false
    return asked.tool === use.name && asked.target === targetOf(use)
  })
}

const signatureOf = (use: UseLog): string | undefined => use.calls[0]?.data.signature

/** The tools here declare no target of their own, so it is their arguments with the default filled in. */
function targetOf(use: UseLog): string {
  return canonicalJson({ note: 'none', ...use.calls[0]?.data.args })
}

/** At that moment the effect of an identical call was unknown and nobody had settled it. */
function wasUnknown(log: readonly StoredEvent[], use: UseLog, before: number): boolean {
  const signature = use.calls[0]?.data.signature
  return ofType(log, 'tool.result').some(
    ({ seq, data }) =>
      seq < before &&
      data.signature === signature &&
      data.effect === 'unknown' &&
      !ofType(log, 'tool.reconciled').some((one) => one.data.callId === data.callId && one.seq < before),
  )
}
