import type { EffectClass } from './outcome.ts'
import type { JsonObject } from './message.ts'

/**
 * Something the model may ask for and Segno may do.
 *
 * `run` gets arguments that passed `input`, and must stop its work when `ctx.signal` aborts. It returns text (or
 * anything that can be written as JSON), or yields it in pieces; `withFiles` adds pictures and documents. Throwing means outcome `error` and no effect; an
 * error with `effect: 'unknown'` says that it may have happened all the same (a connection lost while sending, say).
 */
export interface Tool {
  readonly name: string
  readonly description: string
  /** a Zod schema or a JSON Schema object; the model sees JSON Schema, the gate validates with the same one */
  readonly input: InputSchema
  /** default `unsafe` */
  readonly effect?: EffectClass
  /** default `ask` for everything that is not `pure`, `auto` for `pure` */
  readonly approval?: ApprovalRule
  /** string fields that are paths, URLs or hosts: normalised before two calls are compared */
  readonly normalise?: Readonly<Record<string, 'path' | 'url' | 'host'>>
  /** what exactly will be touched, shown to the person who approves and remembered per session; default: all arguments */
  target?(args: JsonObject): string
  /** characters of output the model sees */
  readonly outputChars?: number
  readonly timeoutMs?: number
  /** cost in micro-dollars, known before the call */
  readonly cost?: number
  run(args: JsonObject, ctx: ToolContext): ToolOutput | Promise<ToolOutput> | AsyncIterable<string | Uint8Array>
  /** `verifiable` only: did the call with this key happen? */
  verify?(args: JsonObject, ctx: ToolContext): Promise<Verification>
}

export type ApprovalRule = ApprovalNeed | ((args: JsonObject) => ApprovalNeed)
export type ApprovalNeed = 'auto' | 'ask' | 'always'

export type ToolOutput = string | Uint8Array | object | number | boolean | null | undefined

/** A picture or a document a tool returns. */
export interface ToolFile {
  readonly mediaType: string
  readonly data: Uint8Array
  readonly name?: string
}

/** Found by its name: a tool may come with a copy of this package of its own. */
const FILES: unique symbol = Symbol.for('segno.files')

export interface OutputWithFiles {
  readonly output: ToolOutput
  readonly [FILES]: readonly ToolFile[]
}

/** What a tool returns, with files for the model to look at. */
export function withFiles(output: ToolOutput, files: readonly ToolFile[]): OutputWithFiles {
  return { output, [FILES]: files }
}

/** Takes apart what `withFiles` put together; anything else is an output without files. */
export function outputAndFiles(returned: unknown): { output: unknown; files: unknown } {
  if (typeof returned !== 'object' || returned === null || !(FILES in returned)) return { output: returned, files: [] }
  const { output, [FILES]: files } = returned as OutputWithFiles
  return { output, files }
}

export type Verification =
  | { readonly happened: true; readonly output: ToolOutput }
  | { readonly happened: false }
  | { readonly happened: 'unknown' }

export interface ToolContext {
  /** the same for every attempt at this call, and for no other call */
  readonly idempotencyKey: string
  readonly callId: string
  readonly sessionId: string
  readonly requestId: string
  readonly actorId: string
  /** the folder of the workspace: file tools never leave it */
  readonly folder: string
  readonly signal: AbortSignal
}

/** What Segno needs of a Zod schema; `z.object({...})` is one. */
export interface ZodLike {
  readonly _zod: { readonly def: unknown }
}

export type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown }
export type InputSchema = ZodLike | JsonSchema
