import type { Json, JsonObject } from '../../contract/message.ts'
import { visible } from '../../lib/visible.ts'
import type { Instance } from './instance.ts'
import { isObject } from '../../lib/is.ts'
import type { JudgedTool } from './judge-tools.ts'
import type { ServerStatus, ToolStatus } from './mcp.ts'
import type { McpServer } from './servers.ts'

interface Here {
  readonly tenant: string
  readonly workspaceId: string
  readonly instance: Instance
  readonly authorizeUrl: string | undefined
}

/** A server for people to see: how it is, and nothing of what was said. */
export function statusOf(name: string, { transport, disabled }: McpServer, here?: Here): ServerStatus {
  if (here === undefined) return { name, transport, disabled, state: 'stopped', restarts: 0, tools: [] }
  const { tenant, workspaceId, instance, authorizeUrl } = here
  const { state, since, restarts, error, protocolVersion } = instance
  const known = { name, transport, disabled, tenant, workspaceId, state, since, restarts }
  return {
    ...known,
    ...(error !== undefined && { error }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(authorizeUrl !== undefined && { authorizeUrl }),
    tools: instance.judged.map(toolStatus),
  }
}

function toolStatus({ wire, pin: _, ...status }: JudgedTool): ToolStatus {
  const annotations = wire?.['annotations']
  const shown = isObject(annotations) && { annotations: visibleWords(annotations) as JsonObject }
  return { ...status, name: visible(status.name), ...shown }
}

/** Every text in a value, names of fields too, with nothing hidden in it. */
function visibleWords(value: Json): Json {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(visibleWords)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [visible(name), visibleWords(one)]))
}
