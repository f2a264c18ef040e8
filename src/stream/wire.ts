import type { EventOf, StoredEvent } from '../contract/event.ts'
import type { MessageContent } from '../contract/message.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { Dropped, EventFrame, Frame } from './frame.ts'

/** A frame for a client; with an id it is stored, and the client can continue from there. */
export interface Wire {
  readonly id?: string
  readonly event: string
  /** a string is already JSON */
  readonly data: object | string
}

export const jsonOf = (data: Wire['data']): string => (typeof data === 'string' ? data : JSON.stringify(data))

/** A stream format for a kind of client. */
export interface Dialect {
  readonly headers: Readonly<Record<string, string>>
  text(wires: readonly Wire[]): string
  /** written as a heartbeat */
  readonly ping: string
  /** the time between two batches */
  readonly paceMs: number
  /** whether it can show the output of running calls */
  readonly hasOutputs: boolean
  encoder(options: EncoderOptions): Encoder
  /** Translates the body of a message from the dialect's field names; missing if they are the same. */
  inbound?(body: object): {
    readonly content: MessageContent
    readonly sessionId?: string | undefined
    readonly workspaceId?: string | undefined
  }
}

/** Turns frames into what a client is sent; without I/O or a clock. */
export interface Encoder {
  event(frame: EventFrame): Wire[]
  pulse(pulse: Pulse): Wire[]
  /** The end of a round, if it is not encoded like other events. */
  end?(frame: EventFrame, event: EventOf<'round.ended'>): Wire[]
  /** The last frame for a reader that is too slow. */
  dropped(reason: Dropped['reason']): Wire
  /** The last frame of a stream that breaks. */
  error(problem: StreamError): Wire
  /** Takes in an event the reader already has; default: `event`, without its result. */
  see?(event: StoredEvent): void
  /** The reader has this many characters of the text after the events seen so far. */
  has?(chars: number): void
  /** Drops frames of a batch that later ones replace. */
  newest?(wires: Wire[]): Wire[]
}

export interface StreamError {
  readonly code: string
  readonly message: string
}

export interface EncoderOptions {
  readonly sessionId: string
  readonly workspaceId: string
  /** include raw tool output */
  readonly outputs: boolean
}

export function encode(encoder: Encoder, frame: Frame): Wire[] {
  if (frame.kind === 'pulse') return encoder.pulse(frame.pulse)
  if (frame.kind === 'dropped') return [encoder.dropped(frame.reason)]
  const { event } = frame
  return event.type === 'round.ended' && encoder.end ? encoder.end(frame, event) : encoder.event(frame)
}
