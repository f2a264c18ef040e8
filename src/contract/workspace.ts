/** A place for conversations of one purpose, with its folder, instructions and models. */
export interface Workspace {
  readonly id: string
  readonly tenant: string
  readonly name: string
  /** the folder file tools may touch */
  readonly folder: string
  /** the machine's owner chose the folder, so it may be outside the tenant's roots */
  readonly folderByOwner: boolean
  /** for the model, in every conversation of the workspace */
  readonly instructions: string
  /** null if unknown */
  readonly instructionsBy: string | null
  /** the author was allowed to manage workspaces */
  readonly instructionsTrusted: boolean
  /** keys of the allowed models, the first is the default; empty: any */
  readonly models: readonly string[]
  /** names of the MCP servers used here; empty: all */
  readonly mcpServers: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** The workspace everybody has, which is not stored and cannot be changed. */
export const SYSTEM_WORKSPACE = 'system'

/** The folder of a workspace as a real path, or why it may not be used. */
export type UsableFolder = { readonly path: string } | { readonly refused: string }

export type Instructions = Pick<Workspace, 'instructions' | 'instructionsBy' | 'instructionsTrusted'>

/** Whether somebody else wrote them who was not trusted to. */
export function instructionsAreForeign(
  { instructions, instructionsBy, instructionsTrusted }: Instructions,
  userId: string,
): boolean {
  return instructions !== '' && !instructionsTrusted && instructionsBy !== userId
}
