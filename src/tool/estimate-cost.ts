import type { JsonObject } from '../contract/message.ts'
import type { CostRule, UnitCost } from '../contract/tool.ts'

/** What a call may cost at most, in micro-dollars, and how sure that is. */
export interface CostEstimate {
  readonly cost: number
  /** of a model that the call asks */
  readonly tokens: number
  /** `unknown` asks a person, `unpriced` is for those without a budget, `failed` refuses */
  readonly confidence: 'exact' | 'estimate' | 'unknown' | 'unpriced' | 'failed'
}

const NOTHING: CostEstimate = { cost: 0, tokens: 0, confidence: 'exact' }
const UNKNOWN: CostEstimate = { ...NOTHING, confidence: 'unknown' }
const UNPRICED: CostEstimate = { ...NOTHING, confidence: 'unpriced' }
const FAILED: CostEstimate = { ...NOTHING, confidence: 'failed' }

/** What a call costs by its rule; without one, or where that is not known, what the operator assumes. */
export function estimateCost(rule: CostRule | undefined, args: JsonObject, assumed?: number): CostEstimate {
  const found = rule === undefined ? UNPRICED : byRule(rule, args)
  const isSaid = rule !== undefined && found.confidence !== 'unknown'
  return isSaid || assumed === undefined ? found : { cost: assumed, tokens: 0, confidence: 'estimate' }
}

function byRule(rule: CostRule, args: JsonObject): CostEstimate {
  if (rule === 0) return NOTHING
  if (rule === 'unknown') return UNKNOWN
  try {
    if (typeof rule === 'number') return sound({ cost: rule, tokens: 0, confidence: 'exact' })
    if (typeof rule === 'function') {
      const most = rule(args)
      const { cost, tokens } = typeof most === 'number' ? { cost: most, tokens: 0 } : most
      if (cost === undefined) return sound({ cost: 0, tokens: Math.ceil(tokens), confidence: 'unpriced' })
      return sound({ cost: Math.ceil(cost), tokens: Math.ceil(tokens), confidence: 'estimate' })
    }
    return byUnit(rule, args)
  } catch {
    return FAILED
  }
}

/** `unknown` if the field is missing, `failed` if it cannot be measured. */
function byUnit({ fixed = 0, each, unit, field, more = 0 }: UnitCost, args: JsonObject): CostEstimate {
  const value = Object.hasOwn(args, field) ? args[field] : undefined
  if (value === undefined) return UNKNOWN
  const units = measure(unit, value)
  if (units === undefined) return FAILED
  const all = units + more
  const confidence = unit === 'token' || more > 0 ? 'estimate' : 'exact'
  return sound({ cost: Math.ceil(fixed + each * all), tokens: unit === 'token' ? all : 0, confidence })
}

function measure(unit: UnitCost['unit'], value: unknown): number | undefined {
  switch (unit) {
    // No text has more tokens than bytes, so this is enough for any model.
    case 'token':
      return typeof value === 'string' ? Buffer.byteLength(value) : undefined
    case 'character':
      return typeof value === 'string' ? value.length : undefined
    case 'record':
      return Array.isArray(value) ? value.length : amount(value)
    case 'second':
      return amount(value)
  }
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

const sound = (estimate: CostEstimate): CostEstimate =>
  [estimate.cost, estimate.tokens].every((one) => Number.isSafeInteger(one) && one >= 0) ? estimate : FAILED
