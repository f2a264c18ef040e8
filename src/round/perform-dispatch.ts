import { happened, type EventData } from '../contract/event.ts'
import type { Verdict } from '../contract/outcome.ts'
import { newId } from '../lib/id.ts'
import { recorded, type Call } from '../session/index.ts'
import { appendDenial, appendRefusal, appendUnattended } from './call-results.ts'
import { execute, setsAside, type Ready } from './execute.ts'
import type { Hands } from './hands.ts'
import { judgeCall, prepareCall, type PreparedCall } from './prepare-call.ts'
import { roundOf, type StepWork } from './work.ts'

/** Judges the first call that is owed a result and, if it is allowed, runs it; results stand in the order asked. */
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

/** Asks for this call and for every later one that will need it too, so that a person sees them together. */
async function ask(calls: readonly Call[], work: StepWork): Promise<void> {
  const { session, hands } = work
  const round = roundOf(work)
  for (const call of calls) {
    if (call.state !== 'used' && call.state !== 'called' && call.state !== 'approved') continue
    const ready = await prepareCall(call, work)
    const verdict = await judgeCall(call, ready, work)
    if (verdict.kind !== 'ask') continue
    if (round.started.attended) {
      record(call, ready, work)
      // What a person said yes to is no longer what would be done.
      const outdated = call.state === 'approved' && call.approval && { replaces: call.approval.approvalId }
      session.append(happened('approval.requested', { ...request(call, ready, verdict, hands), ...outdated }))
    } else if (call === calls[0]) appendUnattended(call, session)
  }
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
async function consecutivePure(calls: readonly Call[], work: StepWork): Promise<Ready[]> {
  const round = roundOf(work)
  const row: Ready[] = []
  for (const call of calls) {
    const ready = await prepareCall(call, work)
    const { tool } = ready
    if (!tool) break
    if (row.length > 0) {
      // What a person was asked about is theirs to decide, also when another of their answers would cover it.
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

/** What only reads, and sets nothing aside: one that does not fit a budget must not take others with it. */
const mayRunBeside = (ready: PreparedCall): boolean => ready.effect === 'pure' && !setsAside(ready)
