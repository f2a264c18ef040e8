import { isCost, isQuota } from '../../lib/check-cost.ts'
import type { ApprovalNeed, Quota, Reach, ToolCost } from '../../contract/tool.ts'
import { checkFields, type FieldRules } from '../../lib/check-fields.ts'
import { isIntegerFrom, isObject, isStringArray, type UnknownRecord } from '../../lib/type-guards.ts'

/** What the operator declares about a tool; `*` is for all tools of a server that are not named. */
export interface ToolSettings {
  readonly effect?: 'pure' | 'keyed' | 'unsafe'
  readonly approval?: ApprovalNeed
  readonly reach?: readonly Reach[]
  readonly cost?: ToolCost
  readonly quota?: Quota
  readonly timeoutMs?: number
}

const RULES: FieldRules<ToolSettings> = {
  effect: [(value) => ['pure', 'keyed', 'unsafe'].includes(value as string), 'pure, keyed or unsafe'],
  approval: [(value) => ['auto', 'ask', 'always'].includes(value as string), 'auto, ask or always'],
  reach: [
    (value) => isStringArray(value) && value.every((one) => one === 'outward' || one === 'secrets'),
    'a list of outward and secrets',
  ],
  cost: [isCost, 'micro-dollars, "unknown", or { each, unit, field }'],
  quota: [isQuota, '{ perHour, concurrent }, whole numbers from 0'],
  timeoutMs: [(value) => isIntegerFrom(value, 1), 'a whole number above 0'],
}

export function checkTools(tools: UnknownRecord, at: string, faults: string[]): void {
  for (const [tool, settings] of Object.entries(tools))
    if (isObject(settings)) checkFields(settings, RULES, `${at}${tool}.`, faults)
    else faults.push(`${at}${tool}: expected an object`)
}
