import type { JsonObject } from '../contract/message.ts'
import type { EffectClass } from '../contract/outcome.ts'
import type { ApprovalNeed, CostRule, FieldForm, Reach } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { estimateCost, type CostEstimate } from './estimate-cost.ts'
import { normalise } from './normalise.ts'
import type { RegisteredTool } from './registry.ts'

/** What a tool says of one call. Where it cannot say, the careful answer stands. */
export interface AboutCall {
  readonly effect: EffectClass
  readonly need: ApprovalNeed
  readonly reach: readonly Reach[]
  readonly estimate: CostEstimate
  /** the arguments the tool declares to be paths, URLs, hosts or commands, in their normal form */
  readonly fields: Readonly<Record<FieldForm, readonly string[]>>
}

const FARTHEST: readonly Reach[] = ['outward', 'secrets']

export function aboutCall(registered: RegisteredTool, args: JsonObject, cost: CostRule | undefined): AboutCall {
  const { tool } = registered
  const effect = said(tool.effect ?? 'unsafe', args, 'unsafe')
  return {
    effect,
    need: said(tool.approval ?? (effect === 'pure' ? 'auto' : 'ask'), args, 'always'),
    reach: said(tool.reach ?? (effect === 'pure' ? [] : ['outward']), args, FARTHEST),
    estimate: estimateCost(cost ?? tool.cost ?? 0, args),
    fields: fieldsOf(tool.normalise ?? {}, args),
  }
}

/** What exactly a call would touch. */
export function targetOf(registered: RegisteredTool | undefined, args: JsonObject): string {
  try {
    const target: unknown = registered?.tool.target?.(args)
    return typeof target === 'string' ? target : canonicalJson(args)
  } catch {
    return canonicalJson(args)
  }
}

function said<T extends string | readonly string[]>(rule: T | ((args: JsonObject) => T), args: JsonObject, careful: T): T {
  try {
    return typeof rule === 'function' ? rule(args) : rule
  } catch {
    return careful
  }
}

function fieldsOf(forms: Readonly<Record<string, FieldForm>>, args: JsonObject): AboutCall['fields'] {
  const found: Record<FieldForm, string[]> = { path: [], url: [], host: [], command: [] }
  for (const [field, form] of Object.entries(forms)) {
    const value = Object.hasOwn(args, field) ? args[field] : undefined
    if (typeof value === 'string') found[form].push(normalise(value, form))
  }
  return found
}
