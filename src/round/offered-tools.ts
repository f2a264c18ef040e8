import { mayUseTool } from '../contract/actor.ts'
import type { RoundStarted } from '../contract/event.ts'
import type { SessionState } from '../session/index.ts'
import type { RegisteredTool, ToolRegistry } from '../tool/index.ts'
import type { Hands } from './hands.ts'

/** The tools of the workspace a session is in. */
export const toolsOf = ({ actor, workspaceId }: SessionState, hands: Pick<Hands, 'tools'>): Promise<ToolRegistry> =>
  hands.tools(actor.tenant, workspaceId)

/** Only what this actor may use in this mode. */
export function offeredTools(
  tools: ToolRegistry,
  { mode, permissions }: Pick<RoundStarted, 'mode'> & { readonly permissions: readonly string[] },
): readonly RegisteredTool[] {
  if (mode === 'act' && mayUseTool(permissions)) return tools.all()
  return tools.all().filter((tool) => (mode === 'act' || tool.mayBePure) && mayUseTool(permissions, tool.name))
}
