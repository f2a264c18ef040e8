export const PROMPT_STATUSES = ['draft', 'pending_review', 'approved', 'active', 'deprecated'] as const
export type PromptStatus = (typeof PROMPT_STATUSES)[number]

/** A version of a system prompt; only drafts can be edited, and a workspace has at most one active version. */
export interface GovernedPrompt {
  readonly id: string
  readonly tenant: string
  readonly workspaceId: string
  readonly name: string
  /** counts the versions of this name in the workspace, from 1 */
  readonly version: number
  readonly content: string
  readonly status: PromptStatus
  /** who made it */
  readonly author: string
  /** everybody else who changed its words; they may not approve it either */
  readonly editors: readonly string[]
  /** who approved it */
  readonly reviewer?: string
  /** its author approved it, because the tenant has nobody else */
  readonly selfApproved?: true
  /** why it was last rejected, activated or deprecated */
  readonly reason?: string
  readonly tokens: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly activatedAt?: number
  /** counts its changes, so that nobody changes what they have not seen */
  readonly revision: number
}
