import { isCost, isQuota } from '../../contract/check-cost.ts'
import type { ApprovalNeed, Quota, Reach, ToolCost } from '../../contract/tool.ts'
import { isCount, isObject, isWords, type Loose } from '../../lib/is.ts'

/** What the operator says of a tool; `*` speaks for all tools of a server that are not named. */
export interface ToolSettings {
  readonly effect?: 'pure' | 'keyed' | 'unsafe'
  readonly approval?: ApprovalNeed
  readonly reach?: readonly Reach[]
  readonly cost?: ToolCost
  readonly quota?: Quota
  readonly timeoutMs?: number
}

/** What a setting of a tool must be, and how that is said. */
const RULES: Readonly<Record<keyof ToolSettings, readonly [is: (value: unknown) => boolean, expected: string]>> = {
  effect: [(value) => ['pure', 'keyed', 'unsafe'].includes(value as string), 'must be pure, keyed or unsafe'],
  approval: [(value) => ['auto', 'ask', 'always'].includes(value as string), 'must be auto, ask or always'],
  reach: [
    (value) => isWords(value) && value.every((one) => one === 'outward' || one === 'secrets'),
    'must be a list of outward and secrets',
  ],
  cost: [isCost, 'must be micro-dollars, "unknown", or { each, unit, field }'],
  quota: [isQuota, 'must be { perHour, concurrent }, whole numbers from 0'],
  timeoutMs: [(value) => isCount(value, 1), 'must be a whole number above 0'],
}

/** Notes what is wrong with a field of a setting. */
export type Fault = (field: string, expected: string) => void

export function readTools(value: unknown, fault: Fault): Readonly<Record<string, ToolSettings>> {
  if (value === undefined) return {}
  if (!isObject(value)) {
    fault('tools', 'must be an object of tools')
    return {}
  }
  for (const [tool, settings] of Object.entries(value)) {
    const at = `tools.${tool}`
    if (isObject(settings)) checkTool(settings, at, fault)
    else fault(at, 'must be an object')
  }
  return value as Readonly<Record<string, ToolSettings>>
}

function checkTool(settings: Loose, at: string, fault: Fault): void {
  unknownFields(settings, Object.keys(RULES), `${at}.`, fault)
  for (const [field, [is, expected]] of Object.entries(RULES))
    if (settings[field] !== undefined && !is(settings[field])) fault(`${at}.${field}`, expected)
}

export function unknownFields(value: Loose, fields: readonly string[], at: string, fault: Fault): void {
  for (const key of Object.keys(value)) {
    if (!fields.includes(key)) fault(`${at}${key}`, `is not a setting; there are ${fields.join(', ')}`)
  }
}
