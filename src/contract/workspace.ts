/** Where conversations of one purpose live: its folder, what the assistant is told there, which models it may use. */
export interface Workspace {
  readonly id: string
  readonly tenant: string
  readonly name: string
  /** the folder file tools may touch */
  readonly folder: string
  /** told to the model in every conversation of the workspace */
  readonly instructions: string
  /** keys of the models that may be used, the first one by default; empty: any */
  readonly models: readonly string[]
  /** names of the MCP servers that are used here; empty: all that are set up */
  readonly mcpServers: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** The workspace everybody has. It is not stored and cannot be changed. */
export const SYSTEM_WORKSPACE = 'system'
