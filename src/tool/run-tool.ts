import type { JsonObject } from '../contract/message.ts'
import {
  laterOf,
  outputAndFiles,
  REF_CHARS,
  type LaterAnswer,
  type ToolContext,
  type ToolFile,
} from '../contract/tool.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { errorText } from './error-text.ts'
import { PieceReader } from './piece-reader.ts'
import type { RegisteredTool } from './registry.ts'
import { asItIs, NO_OUTPUT, showOutput, type Redact, type ShownOutput } from './show-output.ts'
import { takeFiles, type FileLimits } from './take-files.ts'

const LONGEST_MS = 60_000

/** How an output is shown. */
export interface ShowOptions extends FileLimits {
  readonly outputChars: number
  /** takes secrets out of what is kept and shown */
  readonly redact?: Redact
}

export interface RunOptions extends ShowOptions {
  readonly timeoutMs: number
  /** no tool gets more than this, whatever it declares; default 60 s */
  readonly maxTimeoutMs?: number
  readonly signal: AbortSignal
}

export interface RunResult {
  readonly outcome: 'ok' | 'error' | 'timeout' | 'cancelled'
  readonly content: string
  /** the whole output, up to 8 MiB, when `content` is not all of it */
  readonly full?: Uint8Array | string
  /** characters left out of `content` */
  readonly cut?: number
  /** what `withFiles` added, as far as it can be kept; only of a call that came to its end */
  readonly files?: readonly ToolFile[]
  readonly durationMs: number
  /** it is not over: the work was handed over under this name, and its result is given within this time */
  readonly later?: { readonly ref: string; readonly withinMs: number | undefined }
  /** what is known of the effect beyond the outcome: it never ran, it ran though its output is lost, nobody can say */
  readonly effect?: 'none' | 'done' | 'unknown'
}

type Produced = LaterAnswer | 'pieces'

/**
 * Runs a tool within its time and its output within bounds; never throws. `ctx.signal` is replaced by one that aborts
 * at the deadline too. A tool that ignores it is left behind after a short grace: what it does later is not heard.
 *
 * `timeout` and `cancelled` mean that the tool was told to stop, even if it managed to answer afterwards: such an
 * answer may be half of one, so it is only shown.
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
  const ms = Math.min(tool.tool.timeoutMs ?? options.timeoutMs, options.maxTimeoutMs ?? LONGEST_MS)
  const deadline = startDeadline(ms, options.signal)
  const pieces = new PieceReader(deadline.halt, ctx.say)
  try {
    const work = produce(tool, args, withDeadline(ctx, deadline.signal, deadline.holding(ctx.ask)), pieces)
    const produced = await Promise.race([work, deadline.passed])
    const seconds = (performance.now() - started) / 1000
    const show = { ...options, outputChars: tool.tool.outputChars ?? options.outputChars }
    const shown = report(produced, pieces, deadline, show, seconds)
    return { ...shown, durationMs: Math.round(seconds * 1000) }
  } finally {
    pieces.close()
    deadline.clear()
  }
}

function withDeadline(ctx: ToolContext, signal: AbortSignal, ask: ToolContext['ask']): ToolContext {
  const { idempotencyKey, callId, sessionId, requestId, actorId, say, charge } = ctx
  const same = { idempotencyKey, callId, sessionId, requestId, actorId, say, charge }
  return {
    ...same,
    signal,
    ask,
    // Looked at only by who asks for it.
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
  const { outputChars: chars, redact = asItIs } = options
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

/** What a tool returned or threw, or was said to have come of its work later, as it is kept. */
export function showAnswer(answer: LaterAnswer, options: ShowOptions): Omit<RunResult, 'durationMs'> {
  const { redact = asItIs } = options
  if ('error' in answer) {
    const inDoubt = (answer.error as { effect?: unknown } | null)?.effect === 'unknown'
    const content = redact(errorText(answer.error))
    return { outcome: 'error', content, ...(inDoubt && { effect: 'unknown' as const }) }
  }
  try {
    return { ...showValue(answer.output, options), outcome: 'ok' }
  } catch (error) {
    // The tool did its work; only what it returned cannot be shown.
    return { outcome: 'error', content: redact(errorText(error)), effect: 'done' }
  }
}

function handedOver(produced: LaterAnswer, redact: Redact): Omit<RunResult, 'durationMs'> | undefined {
  const later = 'output' in produced ? laterOf(produced.output) : undefined
  if (!later) return undefined
  const { ref, withinMs } = later
  if (typeof ref !== 'string' || ref === '' || ref.length > REF_CHARS) {
    const content = `The tool answers later, but does not name its work with 1 to ${REF_CHARS} characters.`
    return { outcome: 'error', content, effect: 'unknown' }
  }
  const isTime = typeof withinMs === 'number' && withinMs > 0
  const given = { ref: redact(ref).toWellFormed(), withinMs: isTime ? withinMs : undefined }
  return { outcome: 'ok', content: '', later: given }
}

/** Output with its files, if it has some; which of them could not be kept is said after the text. */
function showValue(value: unknown, options: ShowOptions): ShownOutput & Pick<RunResult, 'files'> {
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
