import type { Frame } from './frame.ts'

/** Something a client is sent. One with an id says something that is stored, and the client can go on from there. */
export interface Wire {
  readonly id?: string
  readonly event: string
  /** a text is JSON already */
  readonly data: object | string
}

/** Frames in, what a client is sent out. It does nothing else and knows no clock. */
export interface Encoder {
  encode(frame: Frame): Wire[]
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
