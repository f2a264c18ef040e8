import type { Delta } from '../../../src/client/index.ts'

/** What a running turn has said so far. It is forgotten when the turn is stored. */
export interface LiveTurn {
  text: string
  /** The text as it came, for readers: a slice of a long text would keep all of it in memory. */
  pieces: string[]
  reasoning: string
  /** arguments of calls as they are being written, by call id */
  readonly args: Map<string, { name: string; text: string }>
  /** what calls put out while they run, by call id */
  readonly output: Map<string, string>
  /** grows when text is taken back; until then text only gets longer */
  generation: number
  /** grows with everything that arrives */
  version: number
}

/** The running turns of one session. Subscribers are told once per frame of the screen, not once per delta. */
export interface LiveTurns {
  turn(requestId: string, turn: number): LiveTurn | undefined
  take(delta: Delta): void
  forget(requestId: string, turn: number): void
  /** Forgets all turns of a round. */
  end(requestId: string): void
  clear(): void
  subscribe(listener: () => void): () => void
}

type Later = (run: () => void) => void

export function createLiveTurns(later: Later): LiveTurns {
  const turns = new Map<string, LiveTurn>()
  const listeners = new Set<() => void>()
  let isDue = false

  function changed(): void {
    if (isDue) return
    isDue = true
    later(() => {
      isDue = false
      for (const listener of listeners) listener()
    })
  }

  return {
    turn: (requestId, turn) => turns.get(`${requestId} ${turn}`),
    take(delta) {
      const key = `${delta.requestId} ${delta.turn}`
      let live = turns.get(key)
      if (!live) turns.set(key, (live = newTurn()))
      add(live, delta)
      changed()
    },
    forget(requestId, turn) {
      if (turns.delete(`${requestId} ${turn}`)) changed()
    },
    end(requestId) {
      for (const key of turns.keys()) if (key.startsWith(`${requestId} `)) turns.delete(key)
      changed()
    },
    clear() {
      turns.clear()
      changed()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const newTurn = (): LiveTurn => ({
  text: '',
  pieces: [],
  reasoning: '',
  args: new Map(),
  output: new Map(),
  generation: 0,
  version: 0,
})

function add(live: LiveTurn, { kind, callId = '', name, offset, text }: Delta): void {
  live.version += 1
  if (kind === 'text' || kind === 'reasoning') {
    // A reader that reconnects is given everything again, so what overlaps is known already.
    if (offset > live[kind].length) return
    const known = live[kind].slice(offset)
    if (!text.startsWith(known)) {
      live.generation += 1
      live[kind] = live[kind].slice(0, offset) + text
      if (kind === 'text') live.pieces = [live.text]
    } else {
      const fresh = text.slice(known.length)
      live[kind] += fresh
      if (kind === 'text') live.pieces.push(fresh)
    }
    return
  }
  const before = kind === 'args' ? (live.args.get(callId)?.text ?? '') : (live.output.get(callId) ?? '')
  if (offset > before.length) return
  const next = before.slice(0, offset) + text
  if (kind === 'output') live.output.set(callId, next)
  else live.args.set(callId, { name: name ?? live.args.get(callId)?.name ?? '', text: next })
}
