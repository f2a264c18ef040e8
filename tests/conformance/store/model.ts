import { filesOf, type NewEvent } from '../../../src/contract/event.ts'
import type { Input } from '../../../src/contract/input.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Blob, StoredPart } from '../../../src/store/index.ts'
import {
  asked,
  attached,
  blob,
  decided,
  ended,
  fact,
  fileOf,
  reconciled,
  result,
  said,
  started,
  unknown,
} from './facts.ts'
import { nameless, type SessionWriter } from './session-writer.ts'

export type Kind =
  | 'say'
  | 'start'
  | 'rest'
  | 'end'
  | 'ask'
  | 'decide'
  | 'lose'
  | 'settle'
  | 'output'
  | 'attach'
  | 'rename'

const USES: ReadonlySet<string> = new Set(['session.created', 'session.forked', 'round.started'])

/** One event of a log as the model keeps it: what must be read, and what else it holds. */
interface Line {
  readonly text: string
  /** the round it is in, and the one that is open after it */
  readonly requestId: string | undefined
  readonly openAfter: string | undefined
  readonly blob: string | undefined
  /** what its change named, if it is the first of it */
  readonly parts: readonly string[]
}

/** What the model believes of one session. It copies where the store shares. */
export class Known {
  writer: SessionWriter
  readonly parent: Known | undefined
  readonly forkedAt: number
  readonly log: Line[]
  readonly inputs: Input[] = []
  readonly rounds = new Map<string, string>()
  readonly approvals = new Map<string, string>()
  readonly calls = new Map<string, string>()
  title: string
  usedAt = 0
  private current: string | undefined
  state: 'living' | 'deleted' | 'purged' = 'living'

  constructor(writer: SessionWriter, title: string, parent?: Known, forkedAt = 0) {
    this.writer = writer
    this.title = title
    this.parent = parent
    this.forkedAt = forkedAt
    this.log = parent?.log.slice(0, forkedAt) ?? []
    this.current = this.log.at(-1)?.openAfter
  }

  get open(): string | undefined {
    return [...this.rounds].find(([, state]) => state !== 'ended')?.[0]
  }

  get running(): boolean {
    return [...this.rounds.values()].includes('running')
  }

  /** Turns a wish into an event that makes sense here, and notes what follows from it. */
  next(kind: Kind): { event: NewEvent; blob?: Blob } {
    const open = this.open
    switch (kind) {
      case 'start':
        return open === undefined ? this.startRound() : { event: said() }
      case 'rest':
        if (open === undefined) return { event: said() }
        this.rounds.set(open, 'paused')
        return { event: fact('round.paused', { nextPhaseIndex: null }, open) }
      case 'end':
        if (open === undefined) return { event: said() }
        this.rounds.set(open, 'ended')
        return { event: ended(open) }
      case 'ask': {
        if (open === undefined) return { event: said() }
        const id = newId()
        this.approvals.set(id, 'pending')
        return { event: asked(open, id) }
      }
      case 'decide': {
        const pending = [...this.approvals].find(([, status]) => status === 'pending')?.[0]
        if (pending === undefined) return { event: said() }
        this.approvals.set(pending, 'denied')
        return { event: decided(newId(), pending, 'deny') }
      }
      case 'lose': {
        const id = newId()
        this.calls.set(id, 'unknown')
        return { event: unknown(newId(), id) }
      }
      case 'settle': {
        const lost = [...this.calls].find(([, effect]) => effect === 'unknown')?.[0]
        if (lost === undefined) return { event: said() }
        this.calls.set(lost, 'done')
        return { event: reconciled(lost, true) }
      }
      case 'output': {
        const output = blob()
        return { event: result(newId(), newId(), { blob: output.hash }), blob: output }
      }
      case 'attach': {
        const file = blob()
        return { event: attached(fileOf(file)), blob: file }
      }
      case 'rename':
        this.title = `renamed ${newId()}`
        return { event: fact('session.changed', { title: this.title }) }
      case 'say':
        return { event: said(newId()) }
    }
  }

  private startRound(): { event: NewEvent } {
    const requestId = newId()
    this.rounds.set(requestId, 'running')
    return { event: started(requestId) }
  }

  /** Notes that these events were stored here. */
  stored(events: readonly NewEvent[], parts: readonly StoredPart[] = []): void {
    for (const [i, event] of events.entries()) {
      if (USES.has(event.type)) this.usedAt = event.at
      const [text = ''] = nameless([{ ...event, sessionId: '', seq: this.log.length + 1 }])
      const holds = event.type === 'tool.result' ? event.data.blob : filesOf(event)[0]?.hash
      const names = i === 0 ? parts.map(({ hash }) => hash) : []
      this.log.push({ text, requestId: this.roundOf(event), openAfter: this.current, blob: holds, parts: names })
    }
  }

  /** An event is inside a round from its start to its end, whatever it is. */
  private roundOf(event: NewEvent): string | undefined {
    if (event.type === 'round.started') return (this.current = event.data.requestId)
    const round = this.current
    if (event.type === 'round.ended') this.current = undefined
    return round
  }
}

interface Expected {
  readonly kept: Set<string>
  readonly gone: Set<string>
}

/** The blobs that must be there, and those that must be gone because nobody is left who may keep them. */
export const expectedBlobs = (all: readonly Known[]): Expected =>
  expected(all, ({ blob: hash }) => (hash === undefined ? [] : [hash]))

/** The same of parts. */
export const expectedParts = (all: readonly Known[]): Expected => expected(all, ({ parts }) => parts)

function expected(all: readonly Known[], hashesOf: (line: Line) => readonly string[]): Expected {
  const holding = (states: readonly Known['state'][]): Set<string> =>
    new Set(all.filter((known) => states.includes(known.state)).flatMap((known) => known.log.flatMap(hashesOf)))
  const kept = holding(['living'])
  return { kept, gone: holding(['purged']).difference(holding(['living', 'deleted'])) }
}
