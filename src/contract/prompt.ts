import type { Message } from './message.ts'

/** The layers in order of authority: a later one cannot change an earlier one. */
export const LAYERS = ['core', 'system', 'preferences', 'context', 'conversation', 'guardrail'] as const
export type LayerName = (typeof LAYERS)[number]

/** What a model is called with, independent of providers; the last message is the user's. */
export interface Prompt {
  /** the system texts in the order they are sent */
  readonly parts: readonly Part[]
  readonly messages: readonly Message[]
  /** what happened in a triggered round, as system messages right before the last user message */
  readonly notes: readonly string[]
}

/** A text that is sent exactly like this, and where it comes from. */
export interface Part {
  readonly layer: LayerName
  /** what it is, such as `core`, the id of a prompt, `workspace` or `preferences` */
  readonly id: string
  readonly version?: number
  /** SHA-256 of the salt, if there is one, and the text */
  readonly hash: string
  readonly text: string
  /** the person whose words it has; then the hash is salted, so that it tells nothing once both are erased */
  readonly owner?: string
  readonly salt?: string
  /** whose foreign words it has, if it taints the conversation */
  readonly foreign?: string
}

/** A part as an event names it. */
export type PartRef = Pick<Part, 'layer' | 'id' | 'version' | 'hash'>
