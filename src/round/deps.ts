import type { RetrievedTexts } from '../context/index.ts'
import type { BudgetLeft } from '../contract/account.ts'
import type { ActorRef } from '../contract/actor.ts'
import type { Candidates, Question } from '../contract/retrieval.ts'
import type { Retrieved } from '../contract/sent-prompt.ts'
import type { GovernedPrompt } from '../contract/governed-prompt.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Policy } from '../contract/policy.ts'
import type { StoredPreferences } from '../contract/preferences.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { JsonSchema } from '../contract/tool.ts'
import type { Instructions, UsableFolder, Workspace } from '../contract/workspace.ts'
import type { Clock } from '../lib/clock.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { Breakers, LearnedWindows, Model } from '../model/index.ts'
import type { ToolRegistry, Validation } from '../tool/index.ts'

/** Everything the loop needs of the outside, so that it knows no adapter. */
export interface Deps {
  readonly clock: Clock
  /** Whether this process may still call models and start effects; after its lease, another node may do so. */
  mayAct(): boolean
  /** The tools of a workspace; it does not wait long for slow servers. */
  tools(tenant: string, workspaceId: string): Promise<ToolRegistry>
  readonly policy: Policy
  /** what a user may still spend today; null is unlimited */
  left(tenant: string, userId: string): Promise<BudgetLeft>
  /** removes this installation's secrets from a text */
  readonly redact: Redactor
  /** Throws a Problem for a model that cannot be used. */
  model(key: string): Model
  readonly breakers: Breakers
  /** Never rejects, and does not take long, whoever wrote the schema. */
  checkAnswer(schema: JsonSchema, answer: JsonObject): Promise<Validation>
  readonly windows: LearnedWindows
  pulse(pulse: Pulse): void
  /** Logs what a provider said about a failed call. */
  logSaid(what: { readonly sessionId: string; readonly requestId: string; readonly said: string }): void
  workspace(tenant: string, id: string): Promise<RoundWorkspace>
  /** the prompt in force in a workspace; undefined if nobody activated one */
  prompt(tenant: string, workspaceId: string): Promise<GovernedPrompt | undefined>
  /** a draft, for its author; undefined if there is none any more */
  draft(tenant: string, userId: string, promptId: string): Promise<GovernedPrompt | undefined>
  preferences(tenant: string, userId: string): Promise<StoredPreferences | undefined>
  /** What may help with a message: passages, memories, context of the workspace. Never rejects, and takes little time. */
  retrieve(question: Question): Promise<Candidates>
  /** The words of what was looked up before, as far as they were not deleted. */
  texts(actor: ActorRef, retrieved: readonly Retrieved[]): Promise<RetrievedTexts>
  /** Whether all nodes know the events of Segno's own model calls. */
  mayAsk(): boolean
  /** Whether all nodes know that words of hooks are foreign. */
  mayOriginate(): boolean
  /** why a tool of this name is not there now, if somebody took it away */
  missing(tenant: string, name: string): Promise<string | undefined>
  /** the folder that tools may touch, checked anew each time */
  folder(tenant: string, id: string): Promise<UsableFolder>
  /** the bytes of files by their hash; missing files are left out */
  files(hashes: Iterable<string>): Promise<Map<string, Uint8Array>>
  /** Types of events that automations of a tenant want to hear of. */
  wants(tenant: string): ReadonlySet<string>
  readonly settings: Settings
}

export type RoundWorkspace = Instructions & Pick<Workspace, 'name' | 'models' | 'promptSettings'>

export interface Settings {
  readonly systemPrompt: string | undefined
  readonly historyMessages: number
  readonly contextTokens: number
  /** how full the conversation may get before its older half is summarised, in percent of what can be shown; 0: never */
  readonly compactPercent: number
  /** characters of a summary */
  readonly summaryChars: number
  /** the models for summaries and titles; default: the round's model, and no titles */
  readonly summaryModel: string | undefined
  readonly titleModel: string | undefined
  /** the number of events after which a new snapshot is made, between rounds */
  readonly snapshotEvents: number
  readonly outputChars: number
  /** bytes of one file */
  readonly fileBytes: number
  /** files of one result */
  readonly resultFiles: number
  /** what one round may note about its user */
  readonly remembers: number
  readonly toolMs: number
  readonly toolMaxMs: number
  /** how long a result that comes later may take, by default and at most */
  readonly submittedMs: number
  readonly submittedMaxMs: number
  readonly approvalMs: number
  /** how long a running call waits for an answer */
  readonly questionMs: number
  /** characters in paths of addresses nobody gave that may be requested unasked after foreign text was read */
  readonly builtChars: number
  readonly retries: number
  readonly retryBaseMs: number
  readonly retryAfterMs: number
  /** micro-dollars of a call of a tool that does not say what it costs; undefined: nobody said */
  readonly assumedToolCost?: number | undefined
  /** the defaults, which a client may lower */
  readonly totalMs: number
  readonly contentGapMs: number
  readonly modelCallMs: number
  readonly connectMs: number
  readonly answerChars: number
  /** bytes of all files in one model call */
  readonly fileBytesAtOnce: number
}
