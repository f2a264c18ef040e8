import { EFFORTS, TOOL_CHOICES, type ModelParams } from '../contract/model-params.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { invalidField } from '../contract/problem.ts'
import { oneOf, type FieldRule, type FieldRules } from '../lib/check-fields.ts'
import { isIntegerFrom, isObject, isStringArray } from '../lib/type-guards.ts'

const MOST_NAMES = 200
const NAME_CHARS = 200

const isName = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= NAME_CHARS && value.isWellFormed()

const hasOnly = (value: unknown, field: string): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).length === 1 && field in value

/** What each parameter must be, whichever model it is for. */
const RULES: FieldRules<ModelParams> = {
  effort: oneOf(...EFFORTS),
  temperature: [(value) => typeof value === 'number' && value >= 0 && value <= 2, 'a number from 0 to 2'],
  maxOutput: [(value) => isIntegerFrom(value, 1), 'a whole number from 1 up'],
  tools: [
    (value) => isStringArray(value) && value.length <= MOST_NAMES && value.every(isName),
    `a list of at most ${MOST_NAMES} names of tools`,
  ],
  toolChoice: [
    (value) => TOOL_CHOICES.includes(value as never) || (hasOnly(value, 'tool') && isName(value['tool'])),
    `${TOOL_CHOICES.join(', ')}, or {"tool": "<its name>"}`,
  ],
  output: [(value) => hasOnly(value, 'schema') && isObject(value['schema']), '{"schema": <a JSON schema>}'],
}

/** Throws a Problem for a parameter that fits no model; null takes one back. */
export function checkParamRules(params: object): void {
  refuseUnknownFields(params, Object.keys(RULES), 'A message')
  for (const [name, value] of Object.entries(params) as [keyof ModelParams, unknown][]) {
    const [fits, expected]: FieldRule = RULES[name]
    if (value !== null && value !== undefined && !fits(value)) throw invalidField(name, `must be ${expected}`)
  }
}
