import { isCost, isQuota } from '../lib/check-cost.ts'
import { EFFECT_CLASSES } from '../contract/outcome.ts'
import type { Tool } from '../contract/tool.ts'
import { isIntegerFrom } from '../lib/type-guards.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
/** `tool:invoke` and `tool:manage` are permissions for all tools. */
const TAKEN: readonly string[] = ['invoke', 'manage']
const EFFECTS: readonly unknown[] = [...EFFECT_CLASSES, undefined]
const APPROVALS: readonly unknown[] = ['auto', 'ask', 'always', undefined]
const NORMAL_FORMS: readonly unknown[] = ['path', 'url', 'host', 'command']
const REACHES: readonly unknown[] = ['outward', 'secrets', 'address']

/** What is wrong with a tool besides its input schema, worded to follow its name. */
export function toolFault(tool: Tool): string | undefined {
  if (typeof tool.name !== 'string' || !NAME.test(tool.name)) {
    return 'has a name no model provider takes; use 1 to 64 letters, digits, "_" or "-"'
  }
  if (TAKEN.includes(tool.name)) return 'has the name of a permission for all tools; choose another'
  if (typeof tool.description !== 'string') return 'has no description; say in words what it does'
  if (typeof tool.run !== 'function') return 'has no run function'
  if (typeof tool.effect !== 'function' && !EFFECTS.includes(tool.effect))
    return `has the unknown effect class "${String(tool.effect)}"`
  if (typeof tool.approval !== 'function' && !APPROVALS.includes(tool.approval)) {
    return `has the unknown approval rule "${String(tool.approval)}"`
  }
  if (tool.effect === 'verifiable' && typeof tool.verify !== 'function') {
    return 'is "verifiable" but has no verify function; add one or choose another effect class'
  }
  const strange = Object.values(tool.normalise ?? {}).find((form) => !NORMAL_FORMS.includes(form))
  if (strange !== undefined) return `normalises a field as "${strange}"; use path, url, host or command`
  if (typeof tool.reach !== 'function' && !(tool.reach ?? []).every((one) => REACHES.includes(one)))
    return 'reaches something unknown; use outward, secrets or address'
  const { outputChars = 1, timeoutMs = 1 } = tool
  if (!isIntegerFrom(outputChars, 1)) return 'needs a whole number above 0 as outputChars'
  if (!isIntegerFrom(timeoutMs, 1)) return 'needs a whole number above 0 as timeoutMs'
  if (tool.cost !== undefined && typeof tool.cost !== 'function' && !isCost(tool.cost))
    return 'has a cost that cannot be read; use micro-dollars, "unknown" or { fixed, each, unit, field }'
  if (tool.quota !== undefined && !isQuota(tool.quota))
    return 'has a quota that cannot be read; use { perHour, concurrent } with whole numbers'
  return undefined
}
