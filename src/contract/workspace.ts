import type { JsonObject } from './message.ts'

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
  /** text files of the folder that the model is told in every conversation, by their paths in it */
  readonly files: readonly string[]
  readonly dynamicContext: readonly ContextCall[]
  readonly promptSettings: PromptSettings
  readonly createdAt: number
  readonly updatedAt: number
}

/** A call of an MCP server that only reads; what it returns is told in every conversation. */
export interface ContextCall {
  readonly name: string
  readonly server: string
  /** as the server calls it */
  readonly tool: string
  readonly args: JsonObject
  /** how old its result may get, in milliseconds */
  readonly everyMs: number
}

/** What Segno tells the model with a message besides it. */
export interface PromptSettings {
  /** in which workspace this is */
  readonly metadata: boolean
  /** which Segno this is, and on what */
  readonly systemInfo: boolean
  readonly date: boolean
}

export const USUAL_PROMPT: PromptSettings = { metadata: true, systemInfo: false, date: true }

/** A text that a workspace adds to its conversations. */
export interface WorkspaceText {
  readonly kind: 'file' | 'context'
  readonly name: string
  readonly text: string
}

/** How it is with a file or a call that a workspace adds to its conversations. */
export interface ContextView {
  readonly kind: WorkspaceText['kind']
  readonly name: string
  /** of the text, before it is cut */
  readonly chars?: number
  /** missing for a call that was not needed yet */
  readonly fetchedAt?: number
  /** why there is no text, without a word of it */
  readonly error?: string
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
