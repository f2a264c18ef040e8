import type { JsonObject } from '../contract/message.ts'
import { EFFECT_CLASSES, type EffectClass } from '../contract/outcome.ts'
import type { ApprovalNeed, CostRule, FieldForm, Reach, Tool } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { estimateCost, type CostEstimate } from './estimate-cost.ts'
import { normalise } from './normalise.ts'
import type { RegisteredTool } from './registry.ts'

/** What a tool declares about one call; the careful answer if it fails to. */
export interface AboutCall {
  readonly effect: EffectClass
  readonly need: ApprovalNeed
  readonly reach: readonly Reach[]
  readonly estimate: CostEstimate
  /** the arguments declared as paths, URLs, hosts or commands, in normal form */
  readonly fields: Readonly<Record<FieldForm, readonly string[]>>
}

const FARTHEST: readonly Reach[] = ['outward', 'secrets']

/** `said`: what the operator says of its cost, and what to assume where nobody says anything. */
export function aboutCall(
  registered: RegisteredTool,
  args: JsonObject,
  said: { readonly cost?: CostRule | undefined; readonly assumed?: number | undefined } = {},
): AboutCall {
  const { tool } = registered
  const effect = declared(tool.effect ?? 'unsafe', args, isEffect, 'unsafe')
  return {
    effect,
    need: declared(tool.approval ?? (effect === 'pure' ? 'auto' : 'ask'), args, isNeed, 'always'),
    reach: declared(tool.reach ?? (effect === 'pure' ? [] : ['outward']), args, isReach, FARTHEST),
    estimate: estimateCost(said.cost ?? costOf(tool), args, said.assumed),
    fields: fieldsOf(tool.normalise ?? {}, args),
  }
}

/** Who writes a tool of their own says what it costs, or it is free; of a stranger's tool nobody knows. */
const costOf = ({ cost, kind = 'local' }: Tool): CostRule | undefined => cost ?? (kind === 'local' ? 0 : undefined)

/** What exactly a call would touch. */
export function targetOf(registered: RegisteredTool | undefined, args: JsonObject): string {
  try {
    const target: unknown = registered?.tool.target?.(args)
    return typeof target === 'string' ? target : canonicalJson(args)
  } catch {
    return canonicalJson(args)
  }
}

const isEffect = (word: unknown): boolean => EFFECT_CLASSES.includes(word as EffectClass)
const isNeed = (word: unknown): boolean => ['auto', 'ask', 'always'].includes(word as string)
const isReach = (words: unknown): boolean =>
  Array.isArray(words) && words.every((one) => one === 'address' || FARTHEST.includes(one as Reach))

function declared<T extends string | readonly string[]>(
  rule: T | ((args: JsonObject) => T),
  args: JsonObject,
  is: (word: unknown) => boolean,
  careful: T,
): T {
  try {
    const word = typeof rule === 'function' ? rule(args) : rule
    return is(word) ? word : careful
  } catch {
    return careful
  }
}

function fieldsOf(forms: Readonly<Record<string, FieldForm>>, args: JsonObject): AboutCall['fields'] {
  const found: Record<FieldForm, string[]> = { path: [], url: [], host: [], command: [] }
  for (const [field, form] of Object.entries(forms)) {
    const value = Object.hasOwn(args, field) ? args[field] : undefined
    for (const one of [value].flat()) if (typeof one === 'string') found[form].push(normalise(one, form))
  }
  return found
}
