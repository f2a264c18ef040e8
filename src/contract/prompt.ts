import type { Message } from './message.ts'

/** What a model is called with, independent of providers; the last message is the user's. */
export interface Prompt {
  /** in order; a later layer cannot change an earlier one */
  readonly layers: readonly Layer[]
  readonly messages: readonly Message[]
  /** the first event of the conversation as it is shown */
  readonly from?: number
}

export interface Layer {
  readonly name: string
  readonly text: string
  readonly hash: string
}
