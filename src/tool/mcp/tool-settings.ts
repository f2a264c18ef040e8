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

const TOOL = ['effect', 'approval', 'reach', 'cost', 'quota', 'timeoutMs']

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
  unknownFields(settings, TOOL, `${at}.`, fault)
  const { effect, approval, reach, cost, quota, timeoutMs } = settings
  if (effect !== undefined && !['pure', 'keyed', 'unsafe'].includes(effect as string)) {
    fault(`${at}.effect`, 'must be pure, keyed or unsafe')
  }
  if (approval !== undefined && !['auto', 'ask', 'always'].includes(approval as string)) {
    fault(`${at}.approval`, 'must be auto, ask or always')
  }
  if (reach !== undefined && !(isWords(reach) && reach.every((one) => one === 'outward' || one === 'secrets'))) {
    fault(`${at}.reach`, 'must be a list of outward and secrets')
  }
  if (cost !== undefined && !isCost(cost)) {
    fault(`${at}.cost`, 'must be micro-dollars, "unknown", or { each, unit, field }')
  }
  if (quota !== undefined && !isQuota(quota))
    fault(`${at}.quota`, 'must be { perHour, concurrent }, whole numbers from 0')
  if (timeoutMs !== undefined && !isCount(timeoutMs, 1)) fault(`${at}.timeoutMs`, 'must be a whole number above 0')
}

export function unknownFields(value: Loose, fields: readonly string[], at: string, fault: Fault): void {
  for (const key of Object.keys(value)) {
    if (!fields.includes(key)) fault(`${at}${key}`, `is not a setting; there are ${fields.join(', ')}`)
  }
}
