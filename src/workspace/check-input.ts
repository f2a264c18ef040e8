import { may, type Actor } from '../contract/actor.ts'
import { Problem, invalidField } from '../contract/problem.ts'
import type { PromptSettings, Workspace } from '../contract/workspace.ts'
import { checkDynamicContext, checkFiles, checkPromptSettings } from './check-context.ts'

export const FIELDS = [
  'name',
  'folder',
  'instructions',
  'models',
  'mcpServers',
  'files',
  'dynamicContext',
  'promptSettings',
] as const
export type WorkspaceInput = Partial<Omit<Pick<Workspace, (typeof FIELDS)[number]>, 'promptSettings'>> & {
  /** what is not said is as usual */
  readonly promptSettings?: Partial<PromptSettings>
}

export interface WorkspaceChecks {
  /** Throws a Problem for an unknown model. */
  checkModel(key: string): void
  /** names of the configured MCP servers */
  readonly mcpServers: readonly string[]
  /** the shortest interval at which a call may be made again */
  readonly leastEveryMs: number
}

const INSTRUCTION_CHARS = 2000

/** All checks that do not need the disk. */
export function checkWorkspaceInput(actor: Actor, input: WorkspaceInput, options: WorkspaceChecks): void {
  const { name, folder, instructions, models, mcpServers, files, dynamicContext, promptSettings } = input
  if (name !== undefined && (name.trim() === '' || name.length > 200 || !name.isWellFormed()))
    throw invalidField('name', 'must have 1 to 200 characters')
  if (instructions !== undefined && (instructions.length > INSTRUCTION_CHARS || !instructions.isWellFormed()))
    throw invalidField('instructions', `may have ${INSTRUCTION_CHARS} characters`)
  for (const model of models ?? []) options.checkModel(model)
  for (const server of mcpServers ?? [])
    if (!options.mcpServers.includes(server))
      throw invalidField(
        'mcpServers',
        `has "${server}", expected names of SEGNO_MCP: ${options.mcpServers.join(', ') || 'none'}`,
      )
  if (files !== undefined) checkFiles(files)
  if (dynamicContext !== undefined) checkDynamicContext(dynamicContext, options)
  if (promptSettings !== undefined) checkPromptSettings(promptSettings)
  if (may(actor, 'tool:manage')) return
  if (mcpServers !== undefined)
    throw new Problem('PERMISSION_DENIED', 'Only who may manage tools chooses the servers of them (tool:manage).')
  if (folder !== undefined)
    throw new Problem('PERMISSION_DENIED', 'Only who may manage tools chooses the folder they may touch (tool:manage).')
}
