import type { ServerStatus, ToolStatus } from '../../contract/mcp.ts'
import type { Json, JsonObject } from '../../contract/message.ts'
import { visible } from '../../lib/visible.ts'
import type { PlacedServer } from './create-mcp.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { JudgedTool } from './judge-tools.ts'
import type { McpServer } from './servers.ts'

/** The state of a server, without anything that was said. */
export function statusOf(name: string, { transport, disabled }: McpServer, here?: PlacedServer): ServerStatus {
  if (here === undefined) return { name, transport, disabled, state: 'stopped', restarts: 0, tools: [] }
  const { tenant, workspaceId, instance, login } = here
  const { state, since, restarts, error, protocolVersion } = instance
  const known = { name, transport, disabled, tenant, workspaceId, state, since, restarts }
  return {
    ...known,
    ...(error !== undefined && { error }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(login?.url !== undefined && { authorizeUrl: login.url }),
    tools: instance.judged.map(toolStatus),
  }
}

function toolStatus({ wire, pin: _, ...status }: JudgedTool): ToolStatus {
  const annotations = wire?.['annotations']
  const shown = isObject(annotations) && { annotations: visibleWords(annotations) as JsonObject }
  return { ...status, name: visible(status.name), ...shown }
}

/** Makes invisible characters visible in all texts and field names of a value. */
function visibleWords(value: Json): Json {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(visibleWords)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [visible(name), visibleWords(one)]))
}
