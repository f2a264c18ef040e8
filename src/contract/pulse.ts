/**
 * A live delta of a running turn. Never stored; superseded by the event that contains the whole text. `offset` counts
 * UTF-16 units from the start of that turn's text (or reasoning, or of that call's arguments, or of what it puts out while it runs).
 */
export type Pulse =
  | {
      readonly type: 'delta'
      readonly sessionId: string
      readonly requestId: string
      readonly turn: number
      readonly kind: 'text' | 'reasoning' | 'args' | 'output'
      readonly callId?: string
      readonly name?: string
      readonly offset: number
      readonly text: string
    }
  | {
      readonly type: 'reset'
      readonly sessionId: string
      readonly requestId: string
      readonly turn: number
      readonly reason: string
    }
