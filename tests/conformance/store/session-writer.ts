import type { NewEvent, SessionCreated, StoredEvent } from '../../../src/contract/event.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Change, Store } from '../../../src/store/index.ts'
import { created, deleted, forked } from './facts.ts'

type More = Omit<Partial<Change>, 'sessionId' | 'events'>

/** Plays the owner of one session: knows its epoch and the number of its last event. */
export class SessionWriter {
  readonly store: Store
  readonly id: string
  epoch: number
  head: number

  constructor(store: Store, id: string, epoch: number, head: number) {
    this.store = store
    this.id = id
    this.epoch = epoch
    this.head = head
  }

  static async create(store: Store, more: Partial<SessionCreated> = {}, id = newId()): Promise<SessionWriter> {
    const writer = new SessionWriter(store, id, 1, 0)
    await writer.commit([created(more)], { create: {} })
    return writer
  }

  static async claim(store: Store, id: string): Promise<SessionWriter> {
    const ownership = await store.claim(id)
    if (ownership?.kind !== 'owned') throw new Error(`no session ${id} to claim`)
    return new SessionWriter(store, id, ownership.epoch, ownership.head)
  }

  change(events: readonly NewEvent[], more: More = {}): Change {
    return { sessionId: this.id, epoch: this.epoch, expected: this.head, events, ...more }
  }

  async write(...events: NewEvent[]): Promise<readonly StoredEvent[]> {
    return this.commit(events)
  }

  /** A change that must be stored; anything else fails the test. */
  async commit(events: readonly NewEvent[], more: More = {}): Promise<readonly StoredEvent[]> {
    const answer = await this.store.commit(this.change(events, more))
    if (answer.kind !== 'committed') throw new Error(`expected a commit, got ${JSON.stringify(answer)}`)
    this.head += events.length
    return answer.events
  }

  async fork(seq: number, ...events: NewEvent[]): Promise<SessionWriter> {
    const fork = new SessionWriter(this.store, newId(), 1, seq)
    const first = forked(this.id, seq)
    await fork.commit([first, ...events], { create: { parent: { sessionId: this.id, seq } } })
    return fork
  }

  async remove(): Promise<void> {
    await this.write(deleted())
  }

  async removeAndPurge(): Promise<{ events: number; blobs: number }> {
    await this.remove()
    return this.store.purge(this.id)
  }

  read(): Promise<StoredEvent[]> {
    return this.store.read(this.id)
  }
}

/** Events as a reader of any session of the lineage must see them: the session's name is all that may differ. */
export const nameless = (events: readonly StoredEvent[]): string[] =>
  events.map(({ id, seq, type, v, at, requestId, data }) => JSON.stringify([id, seq, type, v, at, requestId, data]))
