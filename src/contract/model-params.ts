import type { JsonSchema } from './tool.ts'

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** Any tool has to be called, or this one. */
export type ForcedChoice = 'required' | { readonly tool: string }
export type ToolChoice = 'auto' | 'none' | ForcedChoice
export const TOOL_CHOICES = ['auto', 'none', 'required'] as const satisfies readonly ToolChoice[]

/** How a model is to answer; those of a message come before those of its session. */
export interface ModelParams {
  readonly effort?: Effort
  readonly temperature?: number
  /** tokens of one answer, at most as many as the model's entry allows */
  readonly maxOutput?: number
  /** only these, of the tools that may be used anyway */
  readonly tools?: readonly string[]
  /** `required` and a name hold until the first call of the round */
  readonly toolChoice?: ToolChoice
  /** what the answer must be: one JSON object that fits the schema */
  readonly output?: { readonly schema: JsonSchema }
}

/** null takes a parameter back. */
export type ParamChanges = { readonly [Name in keyof ModelParams]?: ModelParams[Name] | null }

export const PARAM_NAMES = ['effort', 'temperature', 'maxOutput', 'tools', 'toolChoice', 'output'] as const

/** The parameters among other fields; undefined ones are left out. */
export function paramsIn(fields: ParamChanges): ParamChanges {
  const given = PARAM_NAMES.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, fields[name]]))
}

export function changeParams(before: ModelParams, changes: ParamChanges): ModelParams {
  const after = Object.entries({ ...before, ...paramsIn(changes) })
  return Object.fromEntries(after.filter(([, value]) => value !== null))
}
