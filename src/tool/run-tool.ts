import type { JsonObject } from '../contract/message.ts'
import {
  laterOf,
  outputAndFiles,
  outputAndPassages,
  REF_CHARS,
  type LaterAnswer,
  type NamedPassage,
  type ServerTask,
  type ToolContext,
  type ToolFile,
} from '../contract/tool.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { errorText } from './error-text.ts'
import { PieceReader } from './piece-reader.ts'
import type { RegisteredTool } from './registry.ts'
import { NO_OUTPUT, showOutput, type Redact, type ShownOutput } from './show-output.ts'
import { takeFiles, type FileLimits } from './take-files.ts'

export interface ShowOptions extends FileLimits {
  readonly outputChars: number
  /** removes secrets from what is kept and shown */
  readonly redact: Redact
}

export interface RunOptions extends ShowOptions {
  readonly timeoutMs: number
  /** no tool gets more than this, whatever it declares */
  readonly maxTimeoutMs: number
  readonly signal: AbortSignal
}

export interface RunResult {
  readonly outcome: 'ok' | 'error' | 'timeout' | 'cancelled'
  readonly content: string
  /** the whole output, up to 8 MiB, if `content` is not all of it */
  readonly full?: Uint8Array | string
  /** characters left out of `content` */
  readonly cut?: number
  /** the files that can be kept, of a call that was not stopped */
  readonly files?: readonly ToolFile[]
  /** what it found in documents */
  readonly passages?: readonly NamedPassage[]
  readonly durationMs: number
  /** the work was handed over under this name; its result comes within this time */
  readonly later?: { readonly ref: string; readonly withinMs: number | undefined; readonly task?: ServerTask }
  /** `none`: it never ran; `done`: it ran, but its output is lost; `unknown`: nobody can tell */
  readonly effect?: 'none' | 'done' | 'unknown'
  /** it did not stop in time and may still be running */
  readonly leftBehind?: true
}

type Produced = LaterAnswer | 'pieces'

/**
 * Runs a tool with a deadline and limited output; never throws. A tool that ignores the abort of `ctx.signal` is left
 * behind after a short grace. The outcome of a tool that was told to stop is `timeout` or `cancelled` even if it
 * answers, because its answer may be incomplete.
 */
export async function runTool(
  tool: RegisteredTool,
  args: JsonObject,
  ctx: ToolContext,
  options: RunOptions,
): Promise<RunResult> {
  if (options.signal.aborted)
    return { outcome: 'cancelled', content: 'Cancelled before it started.', effect: 'none', durationMs: 0 }
  const started = performance.now()
  const ms = Math.min(tool.tool.timeoutMs ?? options.timeoutMs, options.maxTimeoutMs)
  const deadline = startDeadline(ms, options.signal)
  const pieces = new PieceReader(deadline.halt, ctx.say)
  try {
    const work = produce(tool, args, withDeadline(ctx, deadline.signal, deadline.holding(ctx.ask)), pieces)
    const produced = await Promise.race([work, deadline.passed])
    const seconds = (performance.now() - started) / 1000
    const show = { ...options, outputChars: tool.tool.outputChars ?? options.outputChars }
    const shown = report(produced, pieces, deadline, show, seconds)
    return {
      ...shown,
      durationMs: Math.round(seconds * 1000),
      ...(produced === undefined && { leftBehind: true as const }),
    }
  } finally {
    pieces.close()
    deadline.clear()
  }
}

function withDeadline(ctx: ToolContext, signal: AbortSignal, ask: ToolContext['ask']): ToolContext {
  const {
    idempotencyKey,
    callId,
    sessionId,
    requestId,
    actorId,
    tenant,
    workspaceId,
    isTainted,
    messageId,
    depth,
    say,
    charge,
  } = ctx
  const who = {
    actorId,
    tenant,
    workspaceId,
    isTainted,
    ...(messageId !== undefined && { messageId }),
    ...(depth !== undefined && { depth }),
  }
  const same = { idempotencyKey, callId, sessionId, requestId, ...who, say, charge }
  return {
    ...same,
    signal,
    ask,
    // A getter, because it may throw.
    get folder() {
      return ctx.folder
    },
  }
}

async function produce(
  tool: RegisteredTool,
  args: JsonObject,
  ctx: ToolContext,
  pieces: PieceReader,
): Promise<Produced> {
  try {
    const output = await tool.tool.run(args, ctx)
    if (!isAsyncIterable(output)) return { output }
    await pieces.read(output)
    return 'pieces'
  } catch (error) {
    return { error }
  }
}

function report(
  produced: Produced | undefined,
  pieces: PieceReader,
  deadline: Deadline,
  options: RunOptions,
  seconds: number,
): Omit<RunResult, 'durationMs'> {
  const { outputChars: chars, redact } = options
  try {
    if (deadline.reason !== undefined) {
      const shown =
        typeof produced === 'object' && 'output' in produced && !laterOf(produced.output)
          ? showOutput(outputAndFiles(produced.output).output, chars, redact)
          : pieces.show(chars, redact)
      return { ...shown, outcome: deadline.reason, content: stopped(deadline.reason, seconds, shown) }
    }
    if (typeof produced === 'object') return handedOver(produced, redact) ?? showAnswer(produced, options)
    return { ...pieces.show(chars, redact), outcome: 'ok' }
  } catch (error) {
    return { outcome: deadline.reason ?? 'error', content: redact(errorText(error)), effect: 'done' }
  }
}

/** The result of a tool, or of work it handed over, as it is kept. */
export function showAnswer(answer: LaterAnswer, options: ShowOptions): Omit<RunResult, 'durationMs'> {
  const { redact } = options
  if ('error' in answer) {
    const { effect, outcome } = Object(answer.error) as { effect?: unknown; outcome?: unknown }
    const content = redact(errorText(answer.error))
    return {
      outcome: outcome === 'timeout' ? outcome : 'error',
      content,
      ...((effect === 'unknown' || effect === 'done') && { effect }),
    }
  }
  try {
    return { ...showValue(answer.output, options), outcome: 'ok' }
  } catch (error) {
    // The tool did its work, but its output cannot be shown.
    return { outcome: 'error', content: redact(errorText(error)), effect: 'done' }
  }
}

function handedOver(produced: LaterAnswer, redact: Redact): Omit<RunResult, 'durationMs'> | undefined {
  const later = 'output' in produced ? laterOf(produced.output) : undefined
  if (!later) return undefined
  const { ref, withinMs, task } = later
  if (typeof ref !== 'string' || ref === '' || ref.length > REF_CHARS) {
    const content = `The tool answers later, but does not name its work with 1 to ${REF_CHARS} characters.`
    return { outcome: 'error', content, effect: 'unknown' }
  }
  const isTime = typeof withinMs === 'number' && withinMs > 0
  const given = {
    ref: redact(ref).toWellFormed(),
    withinMs: isTime ? Math.ceil(withinMs) : undefined,
    ...(task && { task }),
  }
  return { outcome: 'ok', content: '', later: given }
}

/** Output with its files; the text names those that could not be kept. */
function showValue(value: unknown, options: ShowOptions): ShownOutput & Pick<RunResult, 'files' | 'passages'> {
  const { output: returnedOutput, passages } = outputAndPassages(value)
  if (passages.length > 0) return { ...showOutput(returnedOutput, options.outputChars, options.redact), passages }
  const { output, files: returned } = outputAndFiles(value)
  const shown = showOutput(output, options.outputChars, options.redact)
  const { files, leftOut } = takeFiles(returned, options)
  if (files.length === 0 && leftOut.length === 0) return shown
  const content = shown.content === NO_OUTPUT ? `(files: ${files.length})` : shown.content
  const lines = [content, ...leftOut.map((what) => `[left out: ${what}]`)]
  return { ...shown, content: lines.join('\n'), ...(files.length > 0 && { files }) }
}

function stopped(reason: 'timeout' | 'cancelled', seconds: number, shown: ShownOutput): string {
  const said = reason === 'timeout' ? 'Timed out' : 'Cancelled'
  const head = `${said} after ${seconds.toFixed(1)} s.`
  return shown.content === NO_OUTPUT ? head : `${head} Output until then:\n${shown.content}`
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
