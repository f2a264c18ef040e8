import type { ChunkRef } from './knowledge.ts'
import type { Consent } from './preferences.ts'
import type { EffectClass } from './outcome.ts'
import type { JsonObject } from './message.ts'
import type { Shown } from './shown.ts'

/**
 * Something the model may call. `run` gets validated arguments and must stop when `ctx.signal` aborts; it returns text
 * or JSON, yields pieces, or uses `withFiles` or `answersLater`. Throwing means outcome `error` without effect; an
 * error with `effect: 'unknown'` says that it may have happened, one with `effect: 'done'` that it did; one with
 * `outcome: 'timeout'` that it took too long.
 */
export interface Tool {
  readonly name: string
  readonly description: string
  /** a Zod schema or a JSON Schema object; the model sees JSON Schema, the gate validates with the same one */
  readonly input: InputSchema
  /** default `unsafe`; a function if it depends on the arguments */
  readonly effect?: EffectRule
  /** what the user has to allow before it is offered; see Preferences */
  readonly consent?: Consent
  /** default `auto` for `pure`, else `ask` */
  readonly approval?: ApprovalRule
  /** what a call reaches beyond its workspace; default nothing for `pure` calls, else `outward` */
  readonly reach?: ReachRule
  /**
   * The tool computes its whole output itself; by default it is foreign text, after which the round asks before it
   * sends anything out or reads a secret.
   */
  readonly own?: boolean
  /** a permission besides the one to use it, such as `knowledge:read` */
  readonly needs?: string
  /** A stranger wrote its name, description or schema, so that offering it taints a round. */
  readonly foreign?: boolean
  /**
   * Notes something about the user: offered in unified rounds to who may write memories, at most REMEMBERS times in a
   * round, and outside its other limits.
   */
  readonly remembers?: boolean
  /** It works in the workspace's folder, and is refused early where that may not be touched. */
  readonly inFolder?: boolean
  /** default `local` */
  readonly kind?: ToolKind
  /** string fields that are paths, URLs, hosts or commands, for comparing calls and matching policies */
  readonly normalise?: Readonly<Record<string, FieldForm>>
  /** what exactly will be touched, shown for approval and remembered per session; default: all arguments */
  target?(args: JsonObject): string
  /** what a call would do, for the person who approves it; default: a table of its arguments */
  show?(args: JsonObject, ctx: ShowContext): Shown | Promise<Shown>
  /** characters of output the model sees */
  readonly outputChars?: number
  readonly timeoutMs?: number
  /** what a call costs at most; default nothing */
  readonly cost?: CostRule
  /** how often it may be called in a tenant */
  readonly quota?: Quota
  run(args: JsonObject, ctx: ToolContext): ToolOutput | Promise<ToolOutput> | AsyncIterable<string | Uint8Array>
  /** `verifiable` only: whether the call with this key happened */
  verify?(args: JsonObject, ctx: ToolContext): Promise<Verification>
}

type EffectRule = EffectClass | ((args: JsonObject) => EffectClass)
/**
 * `outward`: data leaves; `secrets`: it may read what must not leave; `address`: only the requested address leaves,
 * declared as `url` in `normalise`
 */
export type Reach = 'outward' | 'secrets' | 'address'
type ReachRule = readonly Reach[] | ((args: JsonObject) => readonly Reach[])
export type ToolKind = 'local' | 'mcp' | 'workflow'
export type FieldForm = 'path' | 'url' | 'host' | 'command'

/** Micro-dollars per call, or a fixed part and a part per unit of a field; `unknown` asks a person. */
export type ToolCost = number | UnitCost | 'unknown'
/** A function returns the most a call may cost and how many tokens it may use. */
export type CostRule = ToolCost | ((args: JsonObject) => number | MostCost)

export interface MostCost {
  /** undefined: unknown, and refused to users with a cost budget */
  readonly cost: number | undefined
  readonly tokens: number
}

export interface UnitCost {
  readonly fixed?: number
  /** micro-dollars per unit; may be a fraction, the sum is rounded up */
  readonly each: number
  /** `token` and `character` measure a text, `record` a list or a count, `second` a number */
  readonly unit: 'token' | 'character' | 'record' | 'second'
  /** the argument that is measured */
  readonly field: string
  /** units used besides those of the field, such as the tokens of an answer */
  readonly more?: number
}

export interface Quota {
  readonly perHour?: number
  readonly concurrent?: number
}

type ApprovalRule = ApprovalNeed | ((args: JsonObject) => ApprovalNeed)
export type ApprovalNeed = 'auto' | 'ask' | 'always'

export type ToolOutput = string | Uint8Array | object | number | boolean | null | undefined

/** An image or document that a tool returns. */
export interface ToolFile {
  readonly mediaType: string
  readonly data: Uint8Array
  readonly name?: string
}

/** A registered symbol, because a tool may bring its own copy of this package. */
const FILES: unique symbol = Symbol.for('segno.files')

export interface OutputWithFiles {
  readonly output: ToolOutput
  readonly [FILES]: readonly ToolFile[]
}

/** A tool's output with files for the model. */
export function withFiles(output: ToolOutput, files: readonly ToolFile[]): OutputWithFiles {
  return { output, [FILES]: files }
}

/** Splits what `withFiles` joined. */
export function outputAndFiles(returned: unknown): { output: unknown; files: unknown } {
  if (typeof returned !== 'object' || returned === null || !(FILES in returned)) return { output: returned, files: [] }
  const { output, [FILES]: files } = returned as OutputWithFiles
  return { output, files }
}

const PASSAGES: unique symbol = Symbol.for('segno.passages')

/** For Segno's own tools: passages by name, whose words are not stored with the call. */
export function withPassages(output: ToolOutput, passages: readonly NamedPassage[]): ToolOutput {
  return { output, [PASSAGES]: passages }
}

export interface NamedPassage extends ChunkRef {
  /** how long its words are */
  readonly chars: number
}

/** Splits what `withPassages` joined. */
export function outputAndPassages(returned: unknown): { output: unknown; passages: readonly NamedPassage[] } {
  if (typeof returned !== 'object' || returned === null || !(PASSAGES in returned))
    return { output: returned, passages: [] }
  const { output, [PASSAGES]: passages } = returned as { output: unknown; [PASSAGES]: readonly NamedPassage[] }
  return { output, passages }
}

const LATER: unique symbol = Symbol.for('segno.later')

export interface AnswersLater {
  readonly [LATER]: { readonly ref: string; readonly withinMs?: number; readonly task?: ServerTask }
}

/** Work of an MCP server that Segno itself asks about. */
export interface ServerTask {
  readonly server: string
  /** the server's name for it */
  readonly task: string
  /** the node whose connection began it; another server process may not know it */
  readonly node: string
  /** when it may be asked about first */
  readonly afterMs: number
}

/**
 * For a tool that handed its work over: the round waits, even across restarts, until `segno.rounds.answerCall` gets the
 * result. `ref` identifies the work there, at most REF_CHARS characters; `withinMs` is limited by SUBMITTED_MAX_MS.
 */
export function answersLater(ref: string, { withinMs }: { withinMs?: number } = {}): AnswersLater {
  return { [LATER]: { ref, ...(withinMs !== undefined && { withinMs }) } }
}

/** Like `answersLater`, for a task of an MCP server. */
export function answersAsTask(task: ServerTask, withinMs: number | undefined): AnswersLater {
  return { [LATER]: { ref: `${task.server}/${task.task}`, task, ...(withinMs !== undefined && { withinMs }) } }
}

export const REF_CHARS = 500

/** The unchecked arguments of `answersLater`, if a tool returned that. */
export function laterOf(returned: unknown): { ref: unknown; withinMs?: unknown; task?: ServerTask } | undefined {
  if (typeof returned !== 'object' || returned === null || !(LATER in returned)) return undefined
  return (returned as AnswersLater)[LATER]
}

/** The result of handed-over work: what a tool would have returned or thrown. */
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
  readonly tenant: string
  readonly workspaceId: string
  /** the event with the user's message */
  readonly messageId?: string
  /** foreign text is in the conversation */
  readonly isTainted: boolean
  /** how many automations led to the round, one causing the next; 0 if missing */
  readonly depth?: number
  /** the workspace's folder as a real path; throws if it may not be touched */
  readonly folder: string
  readonly signal: AbortSignal
  /** Shows output while the call runs; it is not stored. */
  say(text: string): void
  /** Asks the user; the call's time stops meanwhile. */
  ask(question: Question): Promise<Answer>
  /** The actual cost in micro-dollars and tokens, if less than was reserved. */
  charge(cost: number, tokens?: number): void
}

export interface ShowContext extends Pick<ToolContext, 'folder' | 'signal'> {
  /** Removes this installation's secrets from a text. */
  redact(text: string): string
}

/** What a running call asks a person. */
export interface Question {
  readonly message: string
  /** a JSON Schema object for the answer; without it only yes or no */
  readonly schema?: JsonSchema
}

/** `cancel`: nobody answered in time */
export type Answer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' }

/** What Segno needs of a Zod schema such as `z.object({...})`. */
export interface ZodLike {
  readonly _zod: { readonly def: unknown }
}

export type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown }
export type InputSchema = ZodLike | JsonSchema
