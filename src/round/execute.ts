import { happened } from '../contract/event.ts'
import type { EffectClass } from '../contract/outcome.ts'
import type { ToolContext } from '../contract/tool.ts'
import type { UsableFolder } from '../contract/workspace.ts'
import { builtChars, phaseChanges, type Call, type SessionState } from '../session/index.ts'
import { runTool, type RegisteredTool, type RunOptions, type RunResult } from '../tool/index.ts'
import { appendRefusal, appendResult, type Spent } from './call-results.ts'
import { outputPulses } from './pulses.ts'
import { overBudgetWords } from './reserve.ts'
import { Stopping, isStopping } from './stopping.ts'
import { folderOf, type PreparedCall } from './prepare-call.ts'
import { attend, QuestionDesk } from './question-desk.ts'
import { roundOf, type Work } from './work.ts'

/** A call that may run, with the tool that runs it. */
export interface Ready {
  readonly call: Call
  readonly ready: PreparedCall & { readonly tool: RegisteredTool }
}

/** Records that calls start, then runs them. */
export async function execute(row: readonly Ready[], work: Work): Promise<void> {
  const { session, signal } = work
  const phases = phaseChanges(roundOf(work), 'execution')
  const starts = row.map(({ call, ready }) =>
    happened('tool.started', {
      callId: call.callId,
      name: call.name,
      idempotencyKey: `segno-${call.eventId}`,
      effect: ready.effect,
      definitionHash: ready.tool.definitionHash,
      reserved: ready.estimate.cost,
      ...(ready.estimate.tokens > 0 && { tokens: ready.estimate.tokens }),
      ...builtBy(ready, session.state),
      ...(ready.quota && { quota: ready.quota }),
    }),
  )
  if (row.some(({ ready }) => setsAside(ready))) {
    const over = await session.appendWithin(signal, ...phases, ...starts)
    if (over) {
      const [{ call }] = row as [Ready]
      const { code, message } = overBudgetWords(over, call.name)
      return appendRefusal(call, code, message, session)
    }
  } else {
    session.append(...phases, ...starts)
    // What has no effect may start before its start is stored: nobody can tell the difference afterwards. But what it
    // told a host must still count after a crash.
    const counts = starts.some(({ data }) => 'builtChars' in data)
    if (counts || row.some(({ ready }) => ready.effect !== 'pure')) await session.flush(signal)
  }
  await finish(row, work)
}

/** What the model put into addresses of its own: it counts from the taint on, whoever let it through. */
function builtBy({ fields }: PreparedCall, { taintedBy, addresses }: SessionState): { builtChars?: number } {
  const chars = taintedBy === null ? 0 : builtChars(addresses, fields.url)
  return chars > 0 ? { builtChars: chars } : {}
}

/**
 * Runs calls whose start is recorded, and appends their results in the order asked. `again`: they ran before, and nobody
 * knows what came of it.
 */
export async function finish(row: readonly Ready[], work: Work, again = false): Promise<void> {
  const { mailbox, signal } = work
  const options = runOptions(work)
  const folder = await folderOf(work)
  const desk = new QuestionDesk(row.map(({ call }) => call))
  const running = Promise.all(
    row.map(async ({ call, ready }) => {
      const context = contextOf(call, work, folder, desk)
      const result = await runTool(ready.tool, ready.args, context, options)
      context.end()
      return { result: again ? inDoubt(result, ready.effect) : result, context }
    }),
  )
  const results = await attend(running, desk, work)
  if (isStopping(signal)) throw new Stopping('stopped during a tool')
  // What came during the calls came before their results: a pause asked for meanwhile is due after them.
  mailbox.fold()
  row.forEach(({ call, ready }, i) => {
    const { result, context } = results[i] as { result: RunResult; context: CallContext }
    appendResult(call, ready, result, context.spent(result), work)
  })
}

/** That it failed, or did not even start, this time says nothing of the time before the process died. */
function inDoubt(result: RunResult, effect: EffectClass): RunResult {
  return effect === 'pure' || result.outcome === 'ok' ? result : { ...result, effect: 'unknown' }
}

/** A tool may ask for more time than is usual; a client that lowered the limit lowered it for every tool. */
export function runOptions(work: Work): RunOptions {
  const { settings, redact } = work.hands
  const { toolMs } = roundOf(work).started.limits
  const maxTimeoutMs = toolMs < settings.toolMs ? toolMs : settings.toolMaxMs
  const { outputChars, fileBytes, resultFiles } = settings
  return { timeoutMs: toolMs, maxTimeoutMs, outputChars, fileBytes, resultFiles, redact, signal: work.signal }
}

type CallContext = ToolContext & { end(): void; spent(run: RunResult): Spent }

/** What a tool is given, and what its call is found to have cost once it has ended. */
export function contextOf(call: Call, work: Work, folder: UsableFolder, desk?: QuestionDesk): CallContext {
  const { session, signal } = work
  const { requestId, started } = roundOf(work)
  const aside: Spent = { cost: call.reserved, tokens: call.reservedTokens }
  let charged = aside
  const output = outputPulses(call, work)
  desk?.open(call.callId)
  return {
    idempotencyKey: call.idempotencyKey ?? `segno-${call.eventId}`,
    callId: call.callId,
    sessionId: session.id,
    requestId,
    actorId: started.actor.id,
    // Only who works in the folder learns that it may not be used.
    get folder() {
      if ('refused' in folder) throw new Error(folder.refused)
      return folder.path
    },
    signal,
    say: output.say,
    ask: async (question) => (await desk?.ask(call.callId, question)) ?? { action: 'cancel' },
    end() {
      output.end()
      desk?.close(call.callId)
    },
    // More than was set aside cannot be spent.
    charge(cost, tokens = aside.tokens) {
      charged = { cost: atMost(cost, aside.cost), tokens: atMost(tokens, aside.tokens) }
    },
    // Who says nothing has used all of it, unless nothing ran.
    spent: (run) => (run.effect === 'none' ? NOTHING : charged),
  }
}

/** Does this call count against a budget or a quota? */
export const setsAside = ({ estimate, quota }: PreparedCall): boolean =>
  estimate.cost > 0 || estimate.tokens > 0 || quota !== undefined

const NOTHING: Spent = { cost: 0, tokens: 0 }

/** An amount that is none counts as all of it. */
function atMost(amount: number, most: number): number {
  return Number.isFinite(amount) && amount >= 0 ? Math.min(Math.ceil(amount), most) : most
}
