import type { AuditRecord } from '../contract/audit.ts'
import type { GovernedPrompt, PromptStatus } from '../contract/governed-prompt.ts'
import type { StoredPreferences } from '../contract/preferences.ts'
import type { Extras } from './accounts.ts'
import type { Repeated } from './inbox.ts'
import type { Page, PageQuery } from './lists.ts'

/** What assistants are told besides the conversation: governed prompts, preferences, and the texts that were sent. */
export interface PromptStore {
  /** Stores a draft under the next version of its name in its workspace. */
  putPrompt(prompt: NewPrompt, extras?: Extras): Promise<GovernedPrompt | Repeated>
  prompt(id: string): Promise<GovernedPrompt | undefined>
  /** Newest first. */
  prompts(query: PromptQuery): Promise<Page<GovernedPrompt>>
  activePrompt(tenant: string, workspaceId: string): Promise<GovernedPrompt | undefined>
  /**
   * Changes a prompt if nobody changed it since `revision`; undefined if somebody did or there is none. Under another
   * name it gets the next version of that name.
   */
  changePrompt(
    id: string,
    revision: number,
    changes: PromptChanges,
    at: number,
    audit?: readonly AuditRecord[],
  ): Promise<GovernedPrompt | undefined>
  /**
   * Makes a prompt the only active one of its workspace, and the one before it deprecated, in one step; undefined if it
   * was changed since `revision`, was never approved (a draft or pending review) or there is none.
   */
  activatePrompt(
    id: string,
    revision: number,
    change: { readonly at: number; readonly reason?: string },
    audit?: readonly AuditRecord[],
  ): Promise<GovernedPrompt | undefined>

  preferences(tenant: string, userId: string): Promise<StoredPreferences | undefined>
  /** Stores preferences under the next version, replacing the earlier ones. */
  putPreferences(given: Omit<StoredPreferences, 'version'>, audit?: readonly AuditRecord[]): Promise<StoredPreferences>
  /** Deletes a user's preferences and erases every stored part with that user's words, whoever refers to it. */
  forgetPreferences(tenant: string, userId: string, audit?: readonly AuditRecord[]): Promise<void>

  /** Stored parts by their hash; an erased one is missing. */
  parts(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export interface NewPrompt extends Pick<
  GovernedPrompt,
  'id' | 'tenant' | 'workspaceId' | 'name' | 'content' | 'author' | 'tokens' | 'createdAt'
> {}

/** Null removes a field. */
export interface PromptChanges {
  readonly name?: string
  readonly content?: string
  readonly tokens?: number
  readonly status?: Exclude<PromptStatus, 'active'>
  readonly editors?: readonly string[]
  readonly reviewer?: string | null
  readonly selfApproved?: boolean
  readonly reason?: string | null
}

export interface PromptQuery extends PageQuery {
  readonly tenant: string
  readonly workspaceId?: string
  readonly status?: PromptStatus
}

/** A text that events name by its hash, stored once before the first of them. */
export interface StoredPart {
  readonly hash: string
  /** without NUL and lone surrogates, which a store may replace */
  readonly text: string
  readonly tenant: string
  /** a user whose words it has; without preferences of that user, which were forgotten then, it is not stored */
  readonly owner?: string
  readonly salt?: string
}
