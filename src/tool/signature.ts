import type { Json, JsonObject } from '../contract/message.ts'
import type { FieldForm } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { normalise } from './normalise.ts'
import type { RegisteredTool } from './registry.ts'

/** Equal for calls that would do the same; `args` have their defaults filled in. */
export function signature(
  tool: RegisteredTool | undefined,
  name: string,
  args: JsonObject,
  workspaceId: string,
): string {
  const action = args['action']
  return sha256(
    canonicalJson({
      name,
      ...(typeof action === 'string' ? { action } : {}),
      args: normaliseFields(args, tool?.tool.normalise ?? {}),
      workspaceId,
    }),
  )
}

function normaliseFields(args: JsonObject, forms: Readonly<Record<string, FieldForm>>): JsonObject {
  const changed: Record<string, Json> = {}
  for (const [field, form] of Object.entries(forms)) {
    const value = Object.hasOwn(args, field) ? args[field] : undefined
    if (typeof value === 'string') changed[field] = normalise(value, form)
    else if (Array.isArray(value))
      changed[field] = value.map((one: Json) => (typeof one === 'string' ? normalise(one, form) : one))
  }
  return { ...args, ...changed }
}
