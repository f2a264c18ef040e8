/** A turn as far as it has been sent. */
export interface SentTurn {
  text: string
  readonly calls: string[]
  reasoning: string
}

/** The turns a server has sent, found again by what a client gives back of them. */
export interface Sent {
  /** Begins a turn, to be filled while it is sent. */
  open(): SentTurn
  /** The reasoning of every turn with this text that begins with these calls; empty if the server sent no such turn. */
  reasonings(text: string, calls: readonly string[]): string[]
}

export function createSent(): Sent {
  const turns: SentTurn[] = []
  return {
    open() {
      const turn: SentTurn = { text: '', calls: [], reasoning: '' }
      turns.push(turn)
      return turn
    },
    reasonings: (text, calls) =>
      turns
        .filter((turn) => turn.text.trim() === text.trim() && calls.every((name, at) => turn.calls[at] === name))
        .filter((turn) => (turn.calls.length === 0) === (calls.length === 0))
        .map(({ reasoning }) => reasoning),
  }
}
