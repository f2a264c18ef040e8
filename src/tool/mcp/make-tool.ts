import type { JsonObject } from '../../contract/message.ts'
import type { AnswersLater, JsonSchema, Tool, ToolContext, ToolOutput } from '../../contract/tool.ts'
import { cutEnd } from '../cut-end.ts'
import type { JudgedTool } from './judge-tools.ts'
import type { McpServer } from './servers.ts'
import type { ToolSettings } from './tool-settings.ts'

export type Run = (
  tool: JudgedTool,
  settings: ToolSettings,
  args: JsonObject,
  ctx: ToolContext,
) => Promise<ToolOutput | AnswersLater>

/** Makes a tool of a trusted definition. What it may do is up to the operator, not to the server. */
export function makeTool(judged: JudgedTool, server: McpServer, descriptionChars: number, run: Run): Tool {
  const settings = settingsOf(server, judged.name)
  const { effect = 'unsafe', approval = 'ask', reach = ['outward'], cost, quota, timeoutMs } = settings
  return {
    name: judged.as,
    description: describe(judged.wire ?? {}, descriptionChars),
    input: judged.wire?.['inputSchema'] as JsonSchema,
    kind: 'mcp',
    effect,
    approval,
    reach,
    own: !server.taints,
    foreign: server.taints,
    ...(cost !== undefined && { cost }),
    ...(quota !== undefined && { quota }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    run: (args, ctx) => run(judged, settings, args, ctx),
  }
}

function settingsOf({ tools }: McpServer, name: string): ToolSettings {
  const of = (key: string): ToolSettings => (Object.hasOwn(tools, key) ? (tools[key] ?? {}) : {})
  return { ...of('*'), ...of(name) }
}

function describe(wire: JsonObject, chars: number): string {
  const text = [wire['description'], wire['title']].find((one) => typeof one === 'string' && one !== '') ?? ''
  const words = (text as string).toWellFormed()
  const end = cutEnd(words, chars)
  return end === words.length ? words : `${words.slice(0, end)} […]`
}
