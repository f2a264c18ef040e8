import { type Actor } from '../contract/actor.ts'
import { happened, type EventData, type Happening, type NewEvent, type StoredEvent } from '../contract/event.ts'
import type { Message } from '../contract/message.ts'
import type { Protocol } from '../contract/outcome.ts'
import { Problem } from '../contract/problem.ts'
import type { SessionView } from '../contract/views.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { close, fold, toMessages, type Round } from '../session/index.ts'
import type { Page, Range, Store } from '../store/index.ts'
import { checkLimit, checkSession } from './check-session.ts'
import type { Coordinator } from './coordinator.ts'

export interface NewSession {
  readonly workspaceId?: string
  readonly title?: string
  readonly alias?: string
  readonly model?: string
  readonly protocol?: Protocol
}

/** What can be done with sessions. Someone else's session is not there. */
export interface Sessions {
  create(actor: Actor, wanted?: NewSession): Promise<SessionView>
  get(actor: Actor, id: string): Promise<SessionView>
  byAlias(actor: Actor, alias: string): Promise<SessionView | undefined>
  list(actor: Actor, query?: { archived?: boolean; limit?: number; cursor?: string }): Promise<Page<SessionView>>
  events(actor: Actor, id: string, range?: Range): Promise<StoredEvent[]>
  /** The conversation as a model could be given it, now or as of an earlier event. */
  messages(actor: Actor, id: string, at?: number): Promise<Message[]>
  /** A new session that shares everything up to event `seq` and goes its own way from there. */
  fork(actor: Actor, id: string, seq: number, title?: string): Promise<SessionView>
  change(actor: Actor, id: string, changes: Omit<EventData['session.changed'], never>): Promise<void>
  archive(actor: Actor, id: string): Promise<void>
  clear(actor: Actor, id: string): Promise<void>
  deleteMessage(actor: Actor, id: string, eventId: string): Promise<void>
  delete(actor: Actor, id: string): Promise<void>
}

export function createSessions(store: Store, coordinator: Coordinator, clock: Clock): Sessions {
  async function get(actor: Actor, id: string): Promise<SessionView> {
    const session = typeof id === 'string' ? await store.session(id) : undefined
    if (!session || session.owner.tenant !== actor.tenant || session.owner.id !== actor.id) {
      throw new Problem('NOT_FOUND', `There is no session ${id}.`)
    }
    return session
  }

  async function create(
    actor: Actor,
    first: Happening,
    parent?: { sessionId: string; seq: number },
    rest: readonly NewEvent[] = [],
  ): Promise<SessionView> {
    const id = newId()
    const result = await store.commit({
      sessionId: id,
      epoch: 1,
      expected: parent?.seq ?? 0,
      create: parent ? { parent } : {},
      events: [stamp(first, null), ...rest],
    })
    if (result.kind !== 'committed') throw new Problem('CONFLICT', 'A session with this alias is already there.')
    store.release(id)
    return get(actor, id)
  }

  function stamp({ type, data }: Happening, requestId: string | null): NewEvent {
    return { id: newId(), type, v: 1, at: clock.now(), requestId, data } as NewEvent
  }

  /** The round that was open at `seq`: found by its start, so the length of the history does not matter. */
  async function openRoundAt(sessionId: string, seq: number): Promise<Round | null> {
    const around = await store.roundAt(sessionId, seq)
    if (!around || (around.sessionId === sessionId && around.endSeq !== undefined && around.endSeq <= seq)) return null
    return fold(await store.read(sessionId, { after: around.startSeq - 1, upTo: seq })).round
  }

  async function settle(actor: Actor, id: string, body: Parameters<Coordinator['tell']>[1]): Promise<void> {
    await get(actor, id)
    await coordinator.tell(id, body, `${body.kind}:${newId()}`)
    await coordinator.settled(id, body.kind === 'delete')
  }

  return {
    get,
    async create(actor, wanted = {}) {
      checkSession(wanted)
      const { workspaceId = 'system', title = 'New conversation', ...more } = wanted
      return create(actor, happened('session.created', { actor: refOf(actor), workspaceId, title, ...more }))
    },
    async byAlias(actor, alias) {
      const session = await store.sessionByAlias(actor.tenant, alias)
      return session?.owner.id === actor.id ? session : undefined
    },
    async list(actor, query = {}) {
      checkLimit(query.limit)
      return store.sessions({ tenant: actor.tenant, owner: actor.id, ...query })
    },
    async events(actor, id, range) {
      await get(actor, id)
      return store.read(id, range)
    },
    async messages(actor, id, at) {
      await get(actor, id)
      const state = fold(await store.read(id, at === undefined ? {} : { upTo: at }))
      return toMessages(closed(state))
    },
    async fork(actor, id, seq, title) {
      const parent = await get(actor, id)
      if (!Number.isSafeInteger(seq) || seq < 1 || seq > parent.seq) {
        throw new Problem('VALIDATION_ERROR', `seq must be an event of the session: 1 to ${parent.seq}.`, {
          field: 'seq',
        })
      }
      checkSession({ title })
      const round = await openRoundAt(id, seq)
      const { workspaceId, model, protocol } = parent
      const forked = happened('session.forked', {
        actor: refOf(actor),
        workspaceId,
        title: title ?? `${parent.title} (fork)`,
        ...(model !== undefined && { model }),
        ...(protocol !== undefined && { protocol }),
        parent: { sessionId: id, seq },
      })
      const closing = close(round, 'cancelled').map((event) => stamp(event, round?.requestId ?? null))
      return create(actor, forked, { sessionId: id, seq }, closing)
    },
    async change(actor, id, changes) {
      checkSession(changes)
      await settle(actor, id, { kind: 'change', ...changes })
    },
    archive: (actor, id) => settle(actor, id, { kind: 'archive', by: actor.id }),
    clear: (actor, id) => settle(actor, id, { kind: 'clear', by: actor.id }),
    async deleteMessage(actor, id, eventId) {
      await get(actor, id)
      const target = (await store.read(id)).find((event) => event.id === eventId)
      if (!target || !DELETABLE.has(target.type))
        throw new Problem('NOT_FOUND', `There is no message ${eventId} in this session.`, { field: 'eventId' })
      await settle(actor, id, { kind: 'delete-message', eventId, by: actor.id })
    },
    delete: (actor, id) => settle(actor, id, { kind: 'delete', by: actor.id }),
  }
}

const DELETABLE: ReadonlySet<string> = new Set(['message.user', 'message.assistant', 'tool.result'])

const refOf = (actor: Actor): { id: string; tenant: string } => ({ id: actor.id, tenant: actor.tenant })

/** As of a moment when calls were open, they are shown as `close` would answer them. */
function closed(state: ReturnType<typeof fold>): ReturnType<typeof fold>['history'] {
  const { round, history } = state
  for (const event of close(round, 'cancelled')) {
    if (event.type !== 'tool.result') continue
    history.results.set(event.data.callId, {
      eventId: '',
      content: event.data.content,
      name: event.data.name,
      outcome: event.data.outcome,
    })
  }
  return history
}
