import { may, type Actor } from '../contract/actor.ts'
import { Problem, wrong } from '../contract/problem.ts'
import type { Workspace } from '../contract/workspace.ts'

export const FIELDS = ['name', 'folder', 'instructions', 'models', 'mcpServers'] as const
export type WorkspaceWish = Partial<Pick<Workspace, (typeof FIELDS)[number]>>

export interface WishOptions {
  /** Throws a Problem for a model nobody knows. */
  checkModel(key: string): void
  /** names of the MCP servers that are set up */
  readonly mcpServers: readonly string[]
}

const INSTRUCTION_CHARS = 2000

/** Everything that can be said of a wish without looking at the disk. */
export function checkWish(actor: Actor, wish: WorkspaceWish, options: WishOptions): void {
  const { name, folder, instructions, models, mcpServers } = wish
  if (name !== undefined && (name.trim() === '' || name.length > 200 || !name.isWellFormed()))
    throw wrong('name', 'must have 1 to 200 characters')
  if (instructions !== undefined && (instructions.length > INSTRUCTION_CHARS || !instructions.isWellFormed()))
    throw wrong('instructions', `may have ${INSTRUCTION_CHARS} characters`)
  for (const model of models ?? []) options.checkModel(model)
  for (const server of mcpServers ?? [])
    if (!options.mcpServers.includes(server))
      throw wrong(
        'mcpServers',
        `has "${server}", expected names of SEGNO_MCP: ${options.mcpServers.join(', ') || 'none'}`,
      )
  if (may(actor, 'tool:manage')) return
  if (mcpServers !== undefined)
    throw new Problem('PERMISSION_DENIED', 'Only who may manage tools chooses the servers of them (tool:manage).')
  if (folder !== undefined)
    throw new Problem('PERMISSION_DENIED', 'Only who may manage tools chooses the folder they may touch (tool:manage).')
}
