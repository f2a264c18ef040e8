import { PURPOSES, type Purpose } from '../../contract/event.ts'
import type { StopReason } from '../../contract/outcome.ts'
import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'
import type { JsonObject, Usage } from '../../contract/message.ts'
import { isObject } from '../../lib/type-guards.ts'
import { boolean, integer, list, object, oneOf, optional, refuse, shape, string } from './json-check.ts'
import type { Check, Shape } from './json-check.ts'

/** The JSON file of the scripted model. */
export interface Script {
  readonly scenarios?: readonly Scenario[]
  /** answers every call that no scenario matches; default "Echo: {{message}}" */
  readonly otherwise?: ScriptedTurn
}

export interface Scenario {
  /** a case-insensitive regular expression for the last user message; the first match is played */
  readonly when: string
  /** the n-th turn answers the n-th model call of the round; past the end the answer is empty */
  readonly turns: readonly ScriptedTurn[]
  /** past the end the last turn is repeated */
  readonly repeat?: boolean
  /** answers only what Segno itself asks for this; without it, only what comes from a conversation */
  readonly purpose?: Purpose
}

/**
 * One answer; in `text` and `reasoning`, `{{message}}` is replaced by the last user message and `{{params}}` by how the
 * model was told to answer.
 */
export interface ScriptedTurn {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
  /** pages it refers to */
  readonly sources?: readonly ScriptedSource[]
  /** files it makes */
  readonly files?: readonly ScriptedFile[]
  /** default: estimated from the characters */
  readonly usage?: ScriptedUsage
  /** default: tool_use with calls, end_turn without */
  readonly stopReason?: ScriptedStop
  readonly delayMs?: number
  /** characters of text or reasoning per delta, default 16 */
  readonly deltaChars?: number
  /** deltas per call's arguments, default 1 */
  readonly argDeltas?: number
  readonly fault?: Fault
}

/** `rawArgs` is sent as it is and may be malformed; without either the arguments are `{}`. */
export interface ScriptedCall {
  readonly name: string
  readonly args?: JsonObject
  readonly rawArgs?: string
  /** the provider's id, default call_1, call_2 …; not unique in a round */
  readonly id?: string
}

interface ScriptedSource {
  readonly url: string
  readonly title?: string
}

interface ScriptedFile {
  readonly mediaType: string
  /** base64 */
  readonly data: string
}

export type ScriptedUsage = Omit<Usage, 'estimated' | 'unpriced'>
export type ScriptedStop = Extract<StopReason, 'end_turn' | 'tool_use' | 'max_tokens' | 'content_filter'>

/**
 * How a turn fails after so many deltas; without `afterDeltas` nothing is sent, and `error` and `overloaded` refuse the
 * call itself.
 */
export type Fault =
  /** the stream closes without a finish */
  | { readonly kind: 'cut'; readonly afterDeltas?: number }
  /** nothing more comes until the caller aborts */
  | { readonly kind: 'stall'; readonly afterDeltas?: number }
  | ErrorFault
  /** an error with status 529 */
  | { readonly kind: 'overloaded'; readonly retryAfterMs?: number; readonly afterDeltas?: number }

interface ErrorFault {
  readonly kind: 'error'
  readonly status: number
  /** the provider's error code, such as context_length_exceeded */
  readonly code?: string
  readonly retryAfterMs?: number
  readonly afterDeltas?: number
}

const count = integer(0)
const afterDeltas = optional(count)
const retryAfterMs = optional(count)

const FAULTS: { readonly [K in Fault['kind']]: Check } = {
  cut: shape<Extract<Fault, { kind: 'cut' }>>({ kind: string, afterDeltas }),
  stall: shape<Extract<Fault, { kind: 'stall' }>>({ kind: string, afterDeltas }),
  error: shape<ErrorFault>({
    kind: string,
    status: integer(400, 599),
    code: optional(string),
    retryAfterMs,
    afterDeltas,
  }),
  overloaded: shape<Extract<Fault, { kind: 'overloaded' }>>({ kind: string, retryAfterMs, afterDeltas }),
}
const faultKind = oneOf(...Object.keys(FAULTS))

const fault: Check = (value, path) => {
  object(value, path)
  const { kind } = value as { kind: Fault['kind'] }
  faultKind(kind, `${path}.kind`)
  FAULTS[kind](value, path)
}

const callShape = shape<ScriptedCall>({
  name: string,
  args: optional(object),
  rawArgs: optional(string),
  id: optional(string),
})

const call: Check = (value, path) => {
  callShape(value, path)
  if (isObject(value) && value['args'] !== undefined && value['rawArgs'] !== undefined) {
    refuse(`${path}.rawArgs`, 'nothing beside args', value['rawArgs'])
  }
}

const usage = shape<ScriptedUsage>({
  input: count,
  output: count,
  cachedRead: optional(count),
  cachedWrite: optional(count),
  reasoning: optional(count),
})

const TURN: Shape<ScriptedTurn> = {
  reasoning: optional(string),
  text: optional(string),
  calls: optional(list(call)),
  sources: optional(list(shape<ScriptedSource>({ url: string, title: optional(string) }))),
  files: optional(list(shape<ScriptedFile>({ mediaType: string, data: string }))),
  usage: optional(usage),
  stopReason: optional(oneOf('end_turn', 'tool_use', 'max_tokens', 'content_filter')),
  delayMs: optional(integer(0, LONGEST_TIMER_MS)),
  deltaChars: optional(integer(1)),
  argDeltas: optional(integer(1)),
  fault: optional(fault),
}
const turn = shape(TURN)

const pattern: Check = (value, path) => {
  string(value, path)
  try {
    compileWhen(value as string)
  } catch (error) {
    refuse(path, `a regular expression (${(error as Error).message})`, value)
  }
}

const scenario = shape<Scenario>({
  when: pattern,
  turns: list(turn, 1),
  repeat: optional(boolean),
  purpose: optional(oneOf(...PURPOSES)),
})
const script = shape<Script>({ scenarios: optional(list(scenario)), otherwise: optional(turn) })

/** Checks a script from a file; throws a Problem that says where and what was expected. */
export function parseScript(json: unknown): Script {
  script(json, '')
  return json as Script
}

export function compileWhen(when: string): RegExp {
  return new RegExp(when, 'i')
}
