import { draftEvent, type EventData } from '../contract/event.ts'
import type { Verdict } from '../contract/outcome.ts'
import type { Shown } from '../contract/shown.ts'
import { newId } from '../lib/id.ts'
import { recorded, type Call } from '../session/index.ts'
import { showCall } from '../tool/index.ts'
import { appendDenial, appendRefusal, appendUnattended } from './call-results.ts'
import { execute, isReserved, type Ready } from './execute.ts'
import type { Deps } from './deps.ts'
import { folderOf, judgeCall, prepareCall, type PreparedCall } from './prepare-call.ts'
import { roundOf, type StepWork } from './work.ts'

/** Judges the first open call and runs it if allowed, so that results are in the order asked. */
export async function performDispatch(calls: readonly Call[], work: StepWork): Promise<void> {
  const { session } = work
  const [first] = calls as [Call]
  if (first.state === 'denied') return appendDenial(first, session)
  const ready = await prepareCall(first, work)
  record(first, ready, work)
  const verdict = await judgeCall(first, ready, work)
  switch (verdict.kind) {
    case 'refuse':
      return appendRefusal(first, verdict.code, verdict.message, session)
    case 'ask':
      return ask(calls, work)
    case 'allow':
      await execute(await consecutivePure(calls, work), work)
  }
}

function record(call: Call, { signature }: PreparedCall, { session }: StepWork): void {
  if (call.state === 'used') session.append(recorded(call, signature))
}

/** Asks about this call and all later ones that need it, so that a person sees them together. */
async function ask(calls: readonly Call[], work: StepWork): Promise<void> {
  const { session, deps } = work
  const round = roundOf(work)
  for (const call of calls) {
    if (call.state !== 'used' && call.state !== 'called' && call.state !== 'approved') continue
    const ready = await prepareCall(call, work)
    const verdict = await judgeCall(call, ready, work)
    if (verdict.kind !== 'ask') continue
    if (round.started.attended) {
      const shown = await shownFor(ready, work)
      record(call, ready, work)
      // The call has changed since it was approved.
      const outdated = call.state === 'approved' && call.approval && { replaces: call.approval.approvalId }
      const about = { ...request(call, ready, verdict, deps), ...shown, ...outdated }
      session.append(draftEvent('approval.requested', about))
    } else if (call === calls[0]) appendUnattended(call, session)
  }
}

/** Stored with the request, so that everybody sees the same, even after a restart. */
async function shownFor({ tool, args }: PreparedCall, work: StepWork): Promise<{ shown?: Shown }> {
  if (!tool?.tool.show) return {}
  const folder = await folderOf(work)
  if ('refused' in folder) return {}
  const shown = await showCall(tool, args, { folder: folder.path, signal: work.signal, redact: work.deps.redact })
  return shown ? { shown } : {}
}

function request(
  call: Call,
  ready: PreparedCall,
  verdict: Extract<Verdict, { kind: 'ask' }>,
  deps: Deps,
): EventData['approval.requested'] {
  return {
    approvalId: newId(),
    callId: call.callId,
    tool: call.name,
    args: ready.args,
    argsHash: ready.argsHash(),
    definitionHash: ready.tool?.definitionHash ?? '',
    target: ready.target(),
    reason: verdict.reason,
    rememberable: verdict.rememberable,
    expiresAt: deps.clock.now() + deps.settings.approvalMs,
  }
}

/** The first call and, if it is pure, the allowed pure calls right after it. */
async function consecutivePure(calls: readonly Call[], work: StepWork): Promise<Ready[]> {
  const round = roundOf(work)
  const row: Ready[] = []
  for (const call of calls) {
    const ready = await prepareCall(call, work)
    const { tool } = ready
    if (!tool) break
    if (row.length > 0) {
      // A call that a person was asked about is decided by that person.
      if (call.state === 'waiting' || call.state === 'denied') break
      const repeats = row.some((one) => one.ready.signature === ready.signature)
      const within = round.executions + row.length < round.started.limits.maxToolCalls
      if (!mayRunBeside(ready) || repeats || !within) break
      if ((await judgeCall(call, ready, work)).kind !== 'allow') break
    }
    record(call, ready, work)
    row.push({ call, ready: { ...ready, tool } })
    if (!mayRunBeside(ready)) break
  }
  return row
}

/** Calls with a reservation run alone, because one over budget would stop the others. */
const mayRunBeside = (ready: PreparedCall): boolean => ready.effect === 'pure' && !isReserved(ready)
