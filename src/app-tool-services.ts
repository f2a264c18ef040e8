import type { RoundLimits } from './contract/limits.ts'
import { Problem } from './contract/problem.ts'
import type { ToolView } from './contract/views.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { explainCall, offeredTools, type Deps } from './round/index.ts'
import type { Segno } from './segno.ts'
import type { RegisteredTool } from './tool/index.ts'
import type { Workspaces } from './workspace/index.ts'

/** Queries about tools, for actors who may see the workspace. */
export function toolServices(
  deps: Deps,
  workspaces: Pick<Workspaces, 'get'>,
  limits: RoundLimits,
): Pick<Segno, 'tools' | 'explain' | 'estimateCost' | 'canInvokeTool'> {
  const explain: Segno['explain'] = async (actor, call) => {
    const { workspaceId = SYSTEM_WORKSPACE, mode = 'act', tainted = false } = call
    await workspaces.get(actor, workspaceId)
    return explainCall(deps, actor, { ...call, workspaceId, mode, tainted }, limits)
  }
  return {
    explain,
    async estimateCost(actor, tool, args, at) {
      const { estimate, because } = await explain(actor, { ...at, tool, args })
      if (!estimate) throw new Problem('VALIDATION_ERROR', because, { field: 'tool' })
      const { cost, tokens, latencyMs, confidence } = estimate
      if (confidence === 'failed') throw new Problem('TOOL_ERROR', `What ${tool} would cost could not be worked out.`)
      return {
        cost,
        estimatedCost: cost / MICRODOLLARS_PER_CENT,
        ...(tokens > 0 && { estimatedTokens: tokens }),
        estimatedLatencyMs: latencyMs,
        confidence: confidence === 'unpriced' ? 'unknown' : confidence,
      }
    },
    async canInvokeTool(actor, tool, args, at) {
      const { verdict, because } = await explain(actor, { ...at, tool, args })
      const { kind } = verdict
      return { allowed: kind === 'allow', kind, reason: because, ...(kind === 'refuse' && { code: verdict.code }) }
    },
    async tools(actor, workspaceId = SYSTEM_WORKSPACE) {
      await workspaces.get(actor, workspaceId)
      const registry = await deps.tools(actor.tenant, workspaceId)
      const wanted = await deps.preferences(actor.tenant, actor.id)
      return offeredTools(registry, { mode: 'act', permissions: actor.permissions }, wanted?.preferences).map(toolView)
    },
  }
}

const MICRODOLLARS_PER_CENT = 10_000

function toolView({ name, description, effect, jsonSchema, tool }: RegisteredTool): ToolView {
  const { kind = 'local', foreign = false } = tool
  return { name, description, kind, effect, foreign, inputSchema: jsonSchema }
}
