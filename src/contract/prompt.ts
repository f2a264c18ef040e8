import type { Message } from './message.ts'

/** What a model is called with, in no provider's dialect. The list of messages always ends with the user. */
export interface Prompt {
  /** in strict order; a later one can never change an earlier one */
  readonly layers: readonly Layer[]
  readonly messages: readonly Message[]
  /** the number of the event where the conversation as it is shown begins */
  readonly from?: number
}

export interface Layer {
  readonly name: string
  readonly text: string
  readonly hash: string
}
