import { draftEvent } from '../contract/event.ts'
import type { EffectClass } from '../contract/outcome.ts'
import type { ToolContext } from '../contract/tool.ts'
import type { UsableFolder } from '../contract/workspace.ts'
import { builtChars, phaseChanges, type Call, type SessionState } from '../session/index.ts'
import { runTool, type RegisteredTool, type RunOptions, type RunResult } from '../tool/index.ts'
import { appendRefusal, appendResult, type Spent } from './call-results.ts'
import { outputPulses } from './pulses.ts'
import { overBudgetWords } from './reserve.ts'
import { checkMayAct, Stopping, isStopping } from './stopping.ts'
import { folderOf, type PreparedCall } from './prepare-call.ts'
import { attend, OpenQuestions } from './open-questions.ts'
import { messageOf, roundOf, type Work } from './work.ts'

/** A call that may run, with the tool that runs it. */
export interface Ready {
  readonly call: Call
  readonly ready: PreparedCall & { readonly tool: RegisteredTool }
}

/** Records that calls start, then runs them. */
export async function execute(row: readonly Ready[], work: Work): Promise<void> {
  const { session, signal } = work
  // Once the start is stored, nothing may fail before the call runs.
  const folder = await folderOf(work)
  const phases = phaseChanges(roundOf(work), 'execution')
  const starts = row.map(({ call, ready }) =>
    draftEvent('tool.started', {
      callId: call.callId,
      name: call.name,
      idempotencyKey: `segno-${call.eventId}`,
      effect: ready.effect,
      definitionHash: ready.tool.definitionHash,
      reserved: ready.estimate.cost,
      ...(ready.estimate.tokens > 0 && { tokens: ready.estimate.tokens }),
      ...builtBy(ready, session.state),
      ...(ready.quota && { quota: ready.quota }),
      ...(ready.tool.tool.remembers && { remembers: true as const }),
    }),
  )
  if (row.some(({ ready }) => isReserved(ready))) {
    const over = await session.appendWithin(signal, ...phases, ...starts)
    if (over) {
      const [{ call }] = row as [Ready]
      const { code, message } = overBudgetWords(over, call.name)
      return appendRefusal(call, code, message, session)
    }
  } else {
    session.append(...phases, ...starts)
    // A call without effect may start before its start is stored, unless its addresses must be counted after a crash.
    const counts = starts.some(({ data }) => 'builtChars' in data)
    if (counts || row.some(({ ready }) => ready.effect !== 'pure')) await session.flush(signal)
  }
  await finish(row, work, folder)
}

/** Characters in addresses that nobody gave, which count once the conversation is tainted. */
function builtBy({ fields }: PreparedCall, { taintedBy, addresses }: SessionState): { builtChars?: number } {
  const chars = taintedBy === null ? 0 : builtChars(addresses, fields.url)
  return chars > 0 ? { builtChars: chars } : {}
}

/** Runs started calls and appends their results in the order asked; `again` if they may have run before. */
export async function finish(row: readonly Ready[], work: Work, folder: UsableFolder, again = false): Promise<void> {
  const { mailbox, signal } = work
  const options = runOptions(work)
  const questions = new OpenQuestions(row.map(({ call }) => call))
  // The lease may have ended while the start was stored.
  checkMayAct(work.deps)
  const running = Promise.all(
    row.map(async ({ call, ready }) => {
      const context = contextOf(call, work, folder, questions)
      const result = await runTool(ready.tool, ready.args, context, options)
      context.end()
      return { result: again ? inDoubt(result, ready.effect) : result, context }
    }),
  )
  const results = await attend(running, questions, work)
  if (isStopping(signal)) {
    const leftBehind = row.some(({ ready }, i) => ready.effect !== 'pure' && results[i]?.result.leftBehind)
    throw new Stopping('stopped during a tool', { leftBehind })
  }
  // Inputs are folded before the results, so that a pause is due after them.
  mailbox.fold()
  row.forEach(({ call, ready }, i) => {
    const { result, context } = results[i] as { result: RunResult; context: CallContext }
    appendResult(call, ready, result, context.spent(result), work)
  })
}

/** A failure now does not show what happened before the process died. */
function inDoubt(result: RunResult, effect: EffectClass): RunResult {
  return effect === 'pure' || result.outcome === 'ok' ? result : { ...result, effect: 'unknown' }
}

/** A tool may ask for more than the default time, unless the client lowered the limit. */
export function runOptions(work: Work): RunOptions {
  const { settings, redact } = work.deps
  const { toolMs } = roundOf(work).started.limits
  const maxTimeoutMs = toolMs < settings.toolMs ? toolMs : settings.toolMaxMs
  const { outputChars, fileBytes, resultFiles } = settings
  return { timeoutMs: toolMs, maxTimeoutMs, outputChars, fileBytes, resultFiles, redact, signal: work.signal }
}

type CallContext = ToolContext & { end(): void; spent(run: RunResult): Spent }

/** The context of a call, which also knows its actual cost at the end. */
export function contextOf(call: Call, work: Work, folder: UsableFolder, questions?: OpenQuestions): CallContext {
  const { session, signal } = work
  const { requestId, started } = roundOf(work)
  const reserved: Spent = { cost: call.reserved, tokens: call.reservedTokens }
  let charged = reserved
  const output = outputPulses(call, work)
  questions?.open(call.callId)
  return {
    idempotencyKey: call.idempotencyKey ?? `segno-${call.eventId}`,
    callId: call.callId,
    sessionId: session.id,
    requestId,
    actorId: started.actor.id,
    tenant: started.actor.tenant,
    workspaceId: session.state.workspaceId,
    ...messageOf(session.state),
    isTainted: session.state.taintedBy !== null,
    ...(started.origin && { depth: started.origin.depth }),
    // Only a tool that uses the folder fails if it may not be used.
    get folder() {
      if ('refused' in folder) throw new Error(folder.refused)
      return folder.path
    },
    signal,
    say: output.say,
    ask: async (question) => (await questions?.ask(call.callId, question)) ?? { action: 'cancel' },
    end() {
      output.end()
      questions?.close(call.callId)
    },
    // A call cannot spend more than was reserved.
    charge(cost, tokens = reserved.tokens) {
      charged = { cost: atMost(cost, reserved.cost), tokens: atMost(tokens, reserved.tokens) }
    },
    // Without a charge, all that was reserved is spent, unless nothing ran.
    spent: (run) => (run.effect === 'none' ? NOTHING : charged),
  }
}

/** Whether the call counts against a budget or a quota. */
export const isReserved = ({ estimate, quota }: PreparedCall): boolean =>
  estimate.cost > 0 || estimate.tokens > 0 || quota !== undefined

const NOTHING: Spent = { cost: 0, tokens: 0 }

/** An invalid amount counts as all of it. */
function atMost(amount: number, most: number): number {
  return Number.isFinite(amount) && amount >= 0 ? Math.min(Math.ceil(amount), most) : most
}
