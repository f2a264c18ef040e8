import type { ChunkRef } from './knowledge.ts'
import type { ForcedChoice } from './model-params.ts'
import type { PartRef } from './prompt.ts'

/** Everything besides the log that a prompt is made from. */
export interface SentPrompt {
  /** which version of Segno's prompt building made it */
  renderer: number
  parts: PartRef[]
  /** the number of the summary in force, if there is one */
  summary?: number
  /** something before `from` is left out without a summary */
  cut?: true
  /** calls whose results were shortened, and those shown without their files */
  shortened?: string[]
  withoutFiles?: string[]
  /** the hash of the definitions of the offered tools, which are stored as a part */
  tools?: string
  params: SentParams
}

export interface SentParams {
  maxOutput: number
  temperature?: number
  effort?: string
  mayUseTools: boolean
  /** if the model has to call a tool */
  toolChoice?: ForcedChoice
  /** the provider is given the schema of the answer, which is that of the round */
  output?: true
  /**
   * the answer up to which the model's own thoughts are left out, because its provider refused them; true: all of them
   * (older logs)
   */
  withoutThoughts?: string | true
  /** bytes of files it may have */
  fileBytes: number
}

/** A text of Segno's own, such as the date. */
export interface AddedText {
  id: string
  text: string
}

/**
 * Something that was looked up for a round or by a call. Its words are not in the event: those of passages and memories
 * are where they are kept until they are deleted there, those of files and fetched context are a stored part.
 */
export type Retrieved =
  | (ChunkRef & { kind: 'passage'; /** how an answer cites it, unique in the session */ label: string; chars: number })
  | { kind: 'memory'; memoryId: string; chars: number }
  | { kind: 'file'; path: string; hash: string; chars: number }
  | { kind: 'context'; name: string; hash: string; chars: number }

/** A passage that an answer refers to by its label. */
export type Citation = ChunkRef & { label: string }

/** The value of `turn.started.foreign` for untrusted instructions; no tool can have this name. */
export const WORKSPACE_INSTRUCTIONS = 'instructions of the workspace'
/** The same for its files and what is fetched for it. */
export const WORKSPACE_CONTEXT = 'files and context of the workspace'
