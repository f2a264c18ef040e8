/**
 * A live delta of a running turn, never stored. `offset` counts UTF-16 units of that turn's text, reasoning, arguments
 * or output; `after` is the last event before the text began, so that a reader with a later event can drop a late
 * pulse.
 */
export type Pulse = Delta | Reset

export interface Delta extends OfTurn {
  readonly type: 'delta'
  readonly kind: 'text' | 'reasoning' | 'args' | 'output'
  readonly callId?: string
  readonly name?: string
  readonly offset: number
  readonly text: string
}

/** The text of the turn so far must be forgotten. */
interface Reset extends OfTurn {
  readonly type: 'reset'
  readonly reason: string
}

interface OfTurn {
  readonly sessionId: string
  readonly requestId: string
  readonly turn: number
  readonly after?: number
}
