/**
 * `proposed`: from a conversation with foreign text, and unused until its user keeps it; `replaced`: a newer one stands
 * for it
 */
export const MEMORY_STATUSES = ['active', 'proposed', 'replaced'] as const
export type MemoryStatus = (typeof MEMORY_STATUSES)[number]

/** How it came: a call of the tool `remember`, a tag in an answer, or the user wrote it. */
export const MEMORY_METHODS = ['tool', 'tag', 'user'] as const
type MemoryMethod = (typeof MEMORY_METHODS)[number]

export const MEMORY_CATEGORIES = ['preference', 'fact', 'person', 'project', 'other'] as const
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number]

export const MEMORY_CHARS = 200

/** The tool that models remember with; whoever takes it away from a round takes the tags away too. */
export const REMEMBER = 'remember'

/** Something that one user wants remembered; its words never change, an edited one replaces the one before. */
export interface Memory {
  readonly id: string
  readonly tenant: string
  readonly userId: string
  /** at most MEMORY_CHARS characters */
  readonly content: string
  readonly category: MemoryCategory
  /** 1 to 10 */
  readonly importance: number
  readonly status: MemoryStatus
  readonly method: MemoryMethod
  /** `ai_extraction` unless the user wrote it */
  readonly source: 'ai_extraction' | 'user'
  /** the conversation it came from, and the message of the user that led to it */
  readonly sessionId?: string
  readonly eventId?: string
  /** the one it replaced */
  readonly supersedes?: string
  readonly createdAt: number
  /** when it was last said again, kept or changed */
  readonly updatedAt: number
  readonly revision: number
}
