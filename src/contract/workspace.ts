/** Where conversations of one purpose live: its folder, what the assistant is told there, which models it may use. */
export interface Workspace {
  readonly id: string
  readonly tenant: string
  readonly name: string
  /** the folder file tools may touch */
  readonly folder: string
  /** the person at this machine named the folder, which may then lie outside the roots of the tenant */
  readonly folderByOwner: boolean
  /** told to the model in every conversation of the workspace */
  readonly instructions: string
  /** who wrote them; null where nobody knows any more */
  readonly instructionsBy: string | null
  /** they were allowed to manage workspaces when they wrote them */
  readonly instructionsTrusted: boolean
  /** keys of the models that may be used, the first one by default; empty: any */
  readonly models: readonly string[]
  /** names of the MCP servers that are used here; empty: all that are set up */
  readonly mcpServers: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** The workspace everybody has. It is not stored and cannot be changed. */
export const SYSTEM_WORKSPACE = 'system'

/** The folder of a workspace as it may be used now, a real path; or, in a sentence, why nobody may. */
export type UsableFolder = { readonly path: string } | { readonly refused: string }

export type Instructions = Pick<Workspace, 'instructions' | 'instructionsBy' | 'instructionsTrusted'>

/** Are these the words of somebody else, whom nobody trusted with them? */
export function instructionsAreForeign(
  { instructions, instructionsBy, instructionsTrusted }: Instructions,
  userId: string,
): boolean {
  return instructions !== '' && !instructionsTrusted && instructionsBy !== userId
}
