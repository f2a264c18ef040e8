import type { ActorRef } from './actor.ts'
import type { ChunkRef } from './knowledge.ts'
import type { WorkspaceText } from './workspace.ts'

/** What a round looks things up for. */
export interface Question {
  readonly actor: ActorRef
  readonly permissions: readonly string[]
  readonly workspaceId: string
  /** what the user said */
  readonly text: string
  /** whether the user allows it now */
  readonly usesMemory: boolean
  readonly signal: AbortSignal
}

/** What was looked up when a round began, the most useful first. */
export interface Candidates {
  readonly passages: readonly (ChunkRef & { readonly text: string })[]
  readonly memories: readonly { readonly memoryId: string; readonly text: string }[]
  /** files and fetched context of the workspace, which are foreign text */
  readonly context: readonly WorkspaceText[]
}
