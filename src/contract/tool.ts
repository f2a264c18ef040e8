import type { EffectClass } from './outcome.ts'
import type { JsonObject } from './message.ts'

/**
 * Something the model may ask for and Segno may do.
 *
 * `run` gets arguments that passed `input`, and must stop its work when `ctx.signal` aborts. It returns text (or
 * anything that can be written as JSON), or yields it in pieces; `withFiles` adds pictures and documents, `answersLater`
 * says that somebody else gives the result. Throwing means outcome `error` and no effect; an
 * error with `effect: 'unknown'` says that it may have happened all the same (a connection lost while sending, say).
 */
export interface Tool {
  readonly name: string
  readonly description: string
  /** a Zod schema or a JSON Schema object; the model sees JSON Schema, the gate validates with the same one */
  readonly input: InputSchema
  /** default `unsafe`; a function where it depends on the arguments */
  readonly effect?: EffectRule
  /** default `ask` for everything that is not `pure`, `auto` for `pure` */
  readonly approval?: ApprovalRule
  /** what a call reaches beyond its workspace; default nothing for `pure` calls, `outward` for all others */
  readonly reach?: ReachRule
  /**
   * Every word of its output is worked out by the tool itself. Default false: it is data somebody else wrote, and from
   * then on the round asks before it sends anything out or reads a secret.
   */
  readonly own?: boolean
  /**
   * Its name, description or schema were written by a stranger: being offered it is enough to taint a round.
   */
  readonly foreign?: boolean
  /** It works in the folder of the workspace: where that may not be touched, it is refused before anybody is asked. */
  readonly inFolder?: boolean
  /** default `local` */
  readonly kind?: ToolKind
  /** string fields that are paths, URLs, hosts or shell commands: how two calls are compared and what policies match */
  readonly normalise?: Readonly<Record<string, FieldForm>>
  /** what exactly will be touched, shown to the person who approves and remembered per session; default: all arguments */
  target?(args: JsonObject): string
  /** characters of output the model sees */
  readonly outputChars?: number
  readonly timeoutMs?: number
  /** what a call costs, known or estimated before it starts; default nothing */
  readonly cost?: CostRule
  /** how often it may be called, by everybody in a tenant together */
  readonly quota?: Quota
  run(args: JsonObject, ctx: ToolContext): ToolOutput | Promise<ToolOutput> | AsyncIterable<string | Uint8Array>
  /** `verifiable` only: did the call with this key happen? */
  verify?(args: JsonObject, ctx: ToolContext): Promise<Verification>
}

export type EffectRule = EffectClass | ((args: JsonObject) => EffectClass)
/**
 * `outward`: data leaves for somebody else. `secrets`: it may read what must not leave. `address`: nothing leaves but the
 * address that is asked for, which is declared as a `url` in `normalise`.
 */
export type Reach = 'outward' | 'secrets' | 'address'
export type ReachRule = readonly Reach[] | ((args: JsonObject) => readonly Reach[])
export type ToolKind = 'local' | 'mcp' | 'workflow'
export type FieldForm = 'path' | 'url' | 'host' | 'command'

/** Micro-dollars a call, or a part for each call and a part for each unit of a field; `unknown` asks a person. */
export type ToolCost = number | UnitCost | 'unknown'
/** A function says the most a call may cost, and how many tokens of a model it may use. */
export type CostRule = ToolCost | ((args: JsonObject) => number | MostCost)

export interface MostCost {
  /** undefined: it costs something, and nobody knows how much; then it is refused to who has a budget for cost */
  readonly cost: number | undefined
  readonly tokens: number
}

export interface UnitCost {
  readonly fixed?: number
  /** micro-dollars for each unit; may be a fraction, the sum is rounded up */
  readonly each: number
  /** `token` and `character` measure a text, `record` a list or a count, `second` a number */
  readonly unit: 'token' | 'character' | 'record' | 'second'
  /** the argument that is measured */
  readonly field: string
  /** units the call may use besides those of the field, such as the tokens of an answer */
  readonly more?: number
}

export interface Quota {
  readonly perHour?: number
  readonly concurrent?: number
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

const LATER: unique symbol = Symbol.for('segno.later')

/** The work was handed over, and its result is given later. */
export interface AnswersLater {
  readonly [LATER]: { readonly ref: string; readonly withinMs?: number }
}

/**
 * What a tool returns that has handed its work over: the round rests until `segno.rounds.answerCall` is told the result,
 * also across restarts. `ref` is what the work is known by there, at most REF_CHARS characters; `withinMs` is how long
 * to wait, within the limit SUBMITTED_MAX_MS.
 */
export function answersLater(ref: string, { withinMs }: { withinMs?: number } = {}): AnswersLater {
  return { [LATER]: { ref, ...(withinMs !== undefined && { withinMs }) } }
}

export const REF_CHARS = 500

/** What `answersLater` was told, if a tool returned that; what stands in it is not known to be what it should be. */
export function laterOf(returned: unknown): { ref: unknown; withinMs?: unknown } | undefined {
  if (typeof returned !== 'object' || returned === null || !(LATER in returned)) return undefined
  return (returned as AnswersLater)[LATER]
}

/** What came of work that was handed over: what a tool would have returned or thrown. */
export type LaterAnswer = { readonly output: ToolOutput } | { readonly error: unknown }

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
  /** the folder of the workspace, a path without links: file tools never leave it. Throws where nobody may touch it. */
  readonly folder: string
  readonly signal: AbortSignal
  /** Shows a piece of output while the call runs, to those who may see outputs. It is not kept. */
  say(text: string): void
  /** Asks the person this is done for; the time of the call stands still meanwhile. */
  ask(question: Question): Promise<Answer>
  /** What the call really cost in micro-dollars, and in tokens, where that is less than was set aside for it. */
  charge(cost: number, tokens?: number): void
}

/** What a running call wants to know of a person. */
export interface Question {
  readonly message: string
  /** a JSON Schema object of what is asked for; without it only yes or no */
  readonly schema?: JsonSchema
}

/** `cancel`: nobody was there to answer, or not in time. */
export type Answer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' }

/** What Segno needs of a Zod schema; `z.object({...})` is one. */
export interface ZodLike {
  readonly _zod: { readonly def: unknown }
}

export type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown }
export type InputSchema = ZodLike | JsonSchema
