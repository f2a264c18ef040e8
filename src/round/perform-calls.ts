import { happened, type EventData, type Happening } from '../contract/event.ts'
import type { Verdict } from '../contract/outcome.ts'
import type { ToolContext, Verification } from '../contract/tool.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import { phaseChanges, type Call, type Round } from '../session/index.ts'
import { runTool, type RegisteredTool, type RunOptions, type RunResult } from '../tool/index.ts'
import type { Hands, Mailbox } from './hands.ts'
import { Stopping, type OwnedSession } from './owned-session.ts'
import { judgeCall, prepareCall, type PreparedCall } from './prepare-call.ts'
import { isStopping } from './why-stopped.ts'

interface Ready {
  readonly call: Call
  readonly ready: PreparedCall & { readonly tool: RegisteredTool }
}

/** Judges the first call that is owed a result and, if it is allowed, runs it; results stand in the order asked. */
export async function performDispatch(
  calls: readonly Call[],
  session: OwnedSession,
  mailbox: Mailbox,
  hands: Hands,
  signal: AbortSignal,
): Promise<void> {
  for (const call of calls) await record(call, session, hands)
  const [first] = calls as [Call]
  if (first.state === 'denied') return deny(first, session)
  const ready = await prepareCall(first, session.state, hands)
  const verdict = judgeCall(first, ready, session.state, session.state.round as Round)
  switch (verdict.kind) {
    case 'refuse':
      session.append(
        happened('tool.result', { ...blank(first), outcome: 'refused', code: verdict.code, content: verdict.message }),
      )
      return
    case 'ask':
      return ask(calls, session, hands)
    case 'allow':
      await execute(await consecutivePure(calls, session, hands), session, mailbox, hands, signal)
  }
}

/** A use becomes a call: from here on it has a signature and, through its event, a key of its own. */
async function record(call: Call, session: OwnedSession, hands: Hands): Promise<void> {
  if (call.state !== 'used') return
  const { signature } = await prepareCall(call, session.state, hands)
  const { callId, turn, name, args, raw } = call
  session.append(happened('tool.call', { callId, turn, name, args, ...(raw !== undefined && { raw }), signature }))
}

function deny(call: Call, session: OwnedSession): void {
  const expired = call.deniedBecause === 'expired'
  const content = expired
    ? 'Denied: nobody decided in time.'
    : `Denied by a person${call.denial ? `: ${call.denial}` : ''}. Do not try again; ask what to do instead.`
  session.append(
    happened('tool.result', {
      ...blank(call),
      outcome: 'denied',
      ...(expired && { code: 'EXPIRED' as const }),
      content,
    }),
  )
}

/** Asks for this call and for every later one that will need it too, so that a person sees them together. */
async function ask(calls: readonly Call[], session: OwnedSession, hands: Hands): Promise<void> {
  const round = session.state.round as Round
  for (const call of calls) {
    if (call.state !== 'called' && call.state !== 'approved') continue
    const ready = await prepareCall(call, session.state, hands)
    const verdict = judgeCall(call, ready, session.state, round)
    if (verdict.kind !== 'ask') continue
    if (round.started.attended) {
      if (call.state === 'approved' && call.approval) session.append(outdated(call.approval))
      session.append(happened('approval.requested', request(call, ready, verdict, hands)))
    } else if (call === calls[0]) {
      const content = 'Denied: this needs approval and there is nobody to ask.'
      session.append(happened('tool.result', { ...blank(call), outcome: 'denied', code: 'UNATTENDED', content }))
    }
  }
}

/** What a person said yes to is no longer what would be done. */
function outdated({ approvalId, callId }: EventData['approval.requested']): Happening {
  const reason = 'what was approved has changed'
  return happened('approval.decided', { approvalId, callId, decision: 'stale', by: 'system', reason })
}

function request(
  call: Call,
  ready: PreparedCall,
  verdict: Extract<Verdict, { kind: 'ask' }>,
  hands: Hands,
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
    expiresAt: hands.clock.now() + hands.settings.approvalMs,
  }
}

/** The first call and, if it only reads, those right behind it that only read too and are allowed. */
async function consecutivePure(calls: readonly Call[], session: OwnedSession, hands: Hands): Promise<Ready[]> {
  const row: Ready[] = []
  const round = session.state.round as Round
  for (const call of calls) {
    const ready = await prepareCall(call, session.state, hands)
    const { tool } = ready
    if (!tool) break
    if (row.length > 0) {
      // What a person was asked about is theirs to decide, also when another of their answers would cover it.
      if (call.state === 'waiting' || call.state === 'denied') break
      const repeats = row.some((one) => one.ready.signature === ready.signature)
      const within = round.executions + row.length < round.started.limits.maxToolCalls
      if (tool.effect !== 'pure' || repeats || !within) break
      if (judgeCall(call, ready, session.state, round).kind !== 'allow') break
    }
    row.push({ call, ready: { ...ready, tool } })
    if (tool.effect !== 'pure') break
  }
  return row
}

async function execute(
  row: readonly Ready[],
  session: OwnedSession,
  mailbox: Mailbox,
  hands: Hands,
  signal: AbortSignal,
): Promise<void> {
  session.append(...phaseChanges(session.state.round as Round, 'execution'))
  for (const { call, ready } of row) {
    session.append(
      happened('tool.started', {
        callId: call.callId,
        idempotencyKey: `segno-${call.eventId}`,
        effect: ready.tool.effect,
        reserved: ready.tool.tool.cost ?? 0,
      }),
    )
  }
  // What has no effect may start before its start is stored: nobody can tell the difference afterwards.
  if (row.some(({ ready }) => ready.tool.effect !== 'pure')) await session.flush(signal)
  await finish(row, session, mailbox, hands, signal)
}

/** Runs calls whose start is recorded, and appends their results in the order asked. */
async function finish(
  row: readonly Ready[],
  session: OwnedSession,
  mailbox: Mailbox,
  hands: Hands,
  signal: AbortSignal,
): Promise<void> {
  const options = runOptions(session, hands, signal)
  const results = await Promise.all(
    row.map(({ call, ready }) => runTool(ready.tool, ready.args, contextOf(call, session, hands, signal), options)),
  )
  if (isStopping(signal)) throw new Stopping('stopped during a tool')
  // What came during the calls came before their results: a pause asked for meanwhile is due after them.
  mailbox.fold()
  row.forEach(({ call, ready }, i) => appendResult(call, ready.tool, results[i] as RunResult, session))
}

/** A tool may ask for more time than is usual; a client that lowered the limit lowered it for every tool. */
function runOptions(session: OwnedSession, { settings }: Hands, signal: AbortSignal): RunOptions {
  const { toolMs } = (session.state.round as Round).started.limits
  const maxTimeoutMs = toolMs < settings.toolMs ? toolMs : settings.toolMaxMs
  return { timeoutMs: toolMs, maxTimeoutMs, outputChars: settings.outputChars, signal }
}

function appendResult(call: Call, tool: RegisteredTool, run: RunResult, session: OwnedSession): void {
  const whole = run.full === undefined ? undefined : typeof run.full === 'string' ? Buffer.from(run.full) : run.full
  const blob = whole && { hash: sha256(whole), bytes: whole }
  if (blob) session.keep(blob)
  const effect = effectOf(tool, run.outcome)
  session.append(
    happened('tool.result', {
      ...blank(call),
      outcome: run.outcome,
      effect,
      content: effect === 'unknown' ? `${IN_DOUBT}\n${run.content}` : run.content,
      ...(blob && { blob: blob.hash }),
      ...(run.cut !== undefined && { cut: run.cut }),
      durationMs: run.durationMs,
      cost: tool.tool.cost ?? 0,
    }),
  )
}

const IN_DOUBT =
  'Unknown: this call was stopped before it ended. It may or may not have happened. Tell the user; do not repeat it.'

/** A call that was stopped after its start may have had its effect; a tool that failed says it had none. */
function effectOf(tool: RegisteredTool, outcome: RunResult['outcome']): EventData['tool.result']['effect'] {
  if (tool.effect === 'pure' || outcome === 'error') return 'none'
  return outcome === 'ok' ? 'done' : 'unknown'
}

function contextOf(call: Call, session: OwnedSession, hands: Hands, signal: AbortSignal): ToolContext {
  const { state } = session
  return {
    idempotencyKey: call.idempotencyKey ?? `segno-${call.eventId}`,
    callId: call.callId,
    sessionId: session.id,
    requestId: (state.round as Round).requestId,
    actorId: (state.round as Round).started.actor.id,
    folder: hands.folder(state.workspaceId),
    signal,
  }
}

/** Started before the process died, and its class says it may run again: the same key, no second start. */
export async function performRerun(
  call: Call,
  session: OwnedSession,
  mailbox: Mailbox,
  hands: Hands,
  signal: AbortSignal,
): Promise<void> {
  const ready = await prepareCall(call, session.state, hands)
  const { tool } = ready
  if (!tool || ready.schemaError !== undefined) return settleUnknown(call, session, 'the tool is not there any more')
  await finish([{ call, ready: { ...ready, tool } }], session, mailbox, hands, signal)
}

/** Started before the process died; the tool can look up whether it happened. */
export async function performVerify(
  call: Call,
  session: OwnedSession,
  mailbox: Mailbox,
  hands: Hands,
  signal: AbortSignal,
): Promise<void> {
  const ready = await prepareCall(call, session.state, hands)
  const { tool } = ready
  if (!tool?.tool.verify || ready.schemaError !== undefined)
    return settleUnknown(call, session, 'it cannot be looked up')
  const seen: { answer: Verification } = { answer: { happened: 'unknown' } }
  const lookup = { ...tool, tool: { ...tool.tool, run: verifyWith(tool, (answer) => (seen.answer = answer)) } }
  const options = runOptions(session, hands, signal)
  const run = await runTool(lookup, ready.args, contextOf(call, session, hands, signal), options)
  if (isStopping(signal)) throw new Stopping('stopped during a look-up')
  const did = seen.answer.happened
  if (run.outcome !== 'ok' || did === 'unknown') return settleUnknown(call, session, 'looking it up gave no answer')
  if (did) appendResult(call, tool, run, session)
  else await finish([{ call, ready: { ...ready, tool } }], session, mailbox, hands, signal)
}

function verifyWith(tool: RegisteredTool, keep: (answer: Verification) => void) {
  return async (args: Parameters<NonNullable<typeof tool.tool.verify>>[0], ctx: ToolContext) => {
    const answer = (await tool.tool.verify?.(args, ctx)) ?? { happened: 'unknown' as const }
    keep(answer)
    return answer.happened === true ? answer.output : null
  }
}

function settleUnknown(call: Call, session: OwnedSession, why: string): void {
  const content =
    `Unknown: this call was started, Segno stopped before its result came, and ${why}. ` +
    'It may or may not have happened. Tell the user; do not repeat it.'
  session.append(happened('tool.result', { ...blank(call), outcome: 'unknown', effect: 'unknown', content }))
}

function blank(
  call: Call,
): Pick<EventData['tool.result'], 'callId' | 'name' | 'signature' | 'effect' | 'durationMs' | 'cost'> {
  return { callId: call.callId, name: call.name, signature: call.signature, effect: 'none', durationMs: 0, cost: 0 }
}
