import type { StoredEvent } from '../contract/event.ts'
import type { Frame } from './frame.ts'

/** Something a client is sent. One with an id says something that is stored, and the client can go on from there. */
export interface Wire {
  readonly id?: string
  readonly event: string
  /** a text is JSON already */
  readonly data: object | string
}

export const jsonOf = (data: Wire['data']): string => (typeof data === 'string' ? data : JSON.stringify(data))

/** Frames in, what a client is sent out. It does nothing else and knows no clock. */
export interface Encoder {
  encode(frame: Frame): Wire[]
  /** Moves on with an event the reader has, which is not told; without it, as `encode` does. */
  see?(event: StoredEvent): void
  /** The reader has this many characters of the text that was coming after the events seen so far. */
  has?(chars: number): void
  /** Of what would be sent together, what a reader needs. */
  newest?(wires: Wire[]): Wire[]
}

export interface EncoderOptions {
  readonly sessionId: string
  readonly projectId: string
  /** raw tool output is left out unless it was asked for */
  readonly outputs: boolean
}
