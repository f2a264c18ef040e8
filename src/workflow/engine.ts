import type { EngineName, Target } from '../contract/automation.ts'
import type { InvocationCode } from '../contract/invocation.ts'
import type { Json, JsonObject } from '../contract/message.ts'

/** What is outside and runs workflows. */
export interface Engine {
  readonly name: EngineName
  /** Whether what it sends is signed: `secrets.signing`, which whoever stores the workflow makes, is then needed. */
  readonly signs: boolean
  /** Whether the key alone is enough to find one, so that what cannot be told now may be told later. */
  readonly knowsKeys: boolean
  /**
   * Checks what was given as the target of a workflow, and takes out what is secret; throws a Problem that names the
   * field. Secrets that were not given again are taken from `before`, except for another origin.
   */
  readTarget(given: unknown, before?: KeptTarget): KeptTarget
  /** Hands over. It never rejects for what the other side does, and stops when the signal aborts. */
  start(work: HandOver): Promise<Started>
  /** How far one with this key is, where the engine can tell. */
  find?(work: HandOver): Promise<Started | 'absent' | 'unclear'>
  /** Whether the engine was told to stop it. */
  cancel?(work: HandOver): Promise<boolean>
  /** Lets go of what it holds open. */
  close?(): Promise<void>
}

/** A target and its secrets, such as the value of a header, by name. */
export interface KeptTarget {
  readonly target: Target
  readonly secrets: Readonly<Record<string, string>>
}

export interface HandOver extends KeptTarget {
  readonly invocationId: string
  /** the same for every attempt */
  readonly key: string
  readonly input: JsonObject
  readonly depth: number
  /** where the engine may report the result, undefined if Segno cannot be reached */
  readonly callback: { readonly url: string; readonly token: string } | undefined
  /** what the engine calls it, if that is known */
  readonly engineRef?: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

export type Started = Succeeded | Submitted | NotDone

interface Succeeded {
  readonly kind: 'success'
  readonly output: Json
  readonly engineRef?: string
}

/** Its result comes later. */
export interface Submitted {
  readonly kind: 'submitted'
  readonly engineRef?: string
}

/** As much is kept of an answer that did not fit. */
export const RAW_CHARS = 2000

export interface NotDone {
  readonly kind: 'failure'
  readonly code: InvocationCode
  /** a sentence without secrets */
  readonly error: string
  /** false: it surely did not begin */
  readonly mayHaveHappened: boolean
  /** the other side has answered: nothing more will come of this hand-over */
  readonly isFinal: boolean
  readonly retryAfterMs?: number
  /** the beginning of an answer that did not fit, for people */
  readonly raw?: string
  readonly engineRef?: string
}
