import { draftEvent, type EventData, type Reserved } from '../contract/event.ts'
import type { InputBody } from '../contract/input.ts'
import type { FilePart } from '../contract/message.ts'
import type { EffectClass, RefusalCode } from '../contract/outcome.ts'
import type { TaskWork } from '../contract/job.ts'
import type { ServerTask, ToolFile } from '../contract/tool.ts'
import { sha256 } from '../lib/hash.ts'
import { labelOf, resultOf, settled, type Call } from '../session/index.ts'
import type { Blob } from '../store/index.ts'
import type { RegisteredTool, RunResult } from '../tool/index.ts'
import type { OwnedSession } from './owned-session.ts'
import type { PreparedCall } from './prepare-call.ts'
import { roundOf, type Work } from './work.ts'

/** Micro-dollars, and tokens of a model that the tool asked. */
export type Spent = Readonly<Reserved>

export function appendRefusal(call: Call, code: RefusalCode, content: string, session: OwnedSession): void {
  session.append(resultOf(call, { outcome: 'refused', code, content }))
}

export function appendDenial(call: Call, session: OwnedSession): void {
  if (call.deniedBecause === 'expired') {
    const content = 'Denied: nobody decided in time.'
    session.append(resultOf(call, { outcome: 'denied', code: 'EXPIRED', content }))
    return
  }
  const content = `Denied by a person${call.denial ? `: ${call.denial}` : ''}. Do not try again; ask what to do instead.`
  session.append(resultOf(call, { outcome: 'denied', content }))
}

export function appendUnattended(call: Call, session: OwnedSession): void {
  const content = 'Denied: this needs approval and there is nobody to ask.'
  session.append(resultOf(call, { outcome: 'denied', code: 'UNATTENDED', content }))
}

export function appendUnknown(call: Call, why: string, session: OwnedSession): void {
  const content =
    `Unknown: this call was started, Segno stopped before its result came, and ${why}. ` +
    'It may or may not have happened. Tell the user; do not repeat it.'
  const effect = call.effect === 'pure' ? 'none' : 'unknown'
  session.append(resultOf(call, { outcome: 'unknown', effect, content, ...settled(call) }))
}

/** Appends the result of a run, or that it comes later. */
export function appendResult(
  call: Call,
  { tool, effect }: Pick<PreparedCall, 'effect'> & { readonly tool: RegisteredTool },
  run: RunResult,
  spent: Spent,
  work: Work,
): void {
  const { callId, reserved } = call
  const { session } = work
  const { clock, settings } = work.deps
  if (run.later) {
    const { ref, withinMs, task } = run.later
    const since = clock.now()
    const until = since + Math.min(withinMs ?? settings.submittedMs, settings.submittedMaxMs)
    const kind = task ? { kind: 'task' as const } : tool.tool.kind === 'workflow' && { kind: tool.tool.kind }
    const charged = spent.cost < reserved || spent.tokens < call.reservedTokens
    session.append(draftEvent('tool.submitted', { callId, ref, until, ...kind, ...(charged && spent) }))
    if (task) followTask(task, { callId, since, until }, work)
    return
  }
  const { content, blobs } = storableResult(run, effect, tool.tool.own)
  for (const blob of blobs) session.addBlob(blob)
  const { cost, tokens } = spent
  const more = { durationMs: run.durationMs, cost, ...(tokens > 0 && { tokens }) }
  const retrieved = run.passages?.map(({ documentId, version, chunk, chars }, at) => {
    const label = labelOf(session.state.labels + at + 1)
    return { kind: 'passage' as const, label, documentId, version, chunk, chars }
  })
  session.append(resultOf(call, { ...content, ...(retrieved && { retrieved }), ...more }))
}

/** Stored with the hand-over, so that whoever comes after this process asks for the result. */
function followTask(
  { server, task, node, afterMs }: ServerTask,
  of: Pick<TaskWork, 'callId' | 'since' | 'until'>,
  work: Work,
): void {
  const { session } = work
  const { workspaceId, actor } = session.state
  const whose = { tenant: actor.tenant, userId: actor.id, workspaceId, sessionId: session.id }
  const { requestId } = roundOf(work)
  session.enqueue({ kind: 'task', payload: { ...whose, requestId, ...of, server, task, node } }, afterMs)
}

type Kept = Extract<InputBody, { kind: 'result' }>['content']

/** A result as it is stored; the whole of a cut output and every file become blobs. */
export function storableResult(
  run: Omit<RunResult, 'durationMs'>,
  effectClass: EffectClass,
  isOwn = false,
): { content: Kept; blobs: readonly Blob[] } {
  const whole = run.full === undefined ? undefined : typeof run.full === 'string' ? Buffer.from(run.full) : run.full
  const blob = whole && { hash: sha256(whole), bytes: whole }
  const files = run.files?.map((file) => ({ file, hash: sha256(file.data) }))
  const effect = effectOf(effectClass, run)
  return {
    content: {
      outcome: run.outcome,
      effect,
      content: effect === 'unknown' ? `${IN_DOUBT}\n${run.content}` : run.content,
      ...(blob && { blob: blob.hash }),
      ...(run.cut !== undefined && { cut: run.cut }),
      ...(files && { files: files.map(({ file, hash }) => partOf(file, hash)) }),
      ...(isOwn && { own: true }),
    },
    blobs: [...(blob ? [blob] : []), ...(files ?? []).map(({ file, hash }) => ({ hash, bytes: file.data }))],
  }
}

function partOf({ mediaType, name, data }: ToolFile, hash: string): FilePart {
  return { type: 'file', mediaType, ...(name !== undefined && { name }), hash, bytes: data.length }
}

const IN_DOUBT =
  'Unknown: this call did not come to its end. It may or may not have happened. Tell the user; do not repeat it.'

/** A call that was stopped may have had its effect; a failed one had none, unless the tool says otherwise. */
function effectOf(
  effectClass: EffectClass,
  { outcome, effect }: Pick<RunResult, 'outcome' | 'effect'>,
): EventData['tool.result']['effect'] {
  if (effectClass === 'pure') return 'none'
  if (effect !== undefined) return effect
  return outcome === 'ok' ? 'done' : outcome === 'error' ? 'none' : 'unknown'
}
