import { auditOf } from '../audit/index.ts'
import type { Actor } from '../contract/actor.ts'
import { checkLimit } from '../contract/check-limit.ts'
import { draftEvent, type EventDraft, type NewEvent } from '../contract/event.ts'
import type { SessionCreated, StoredEvent } from '../contract/event.ts'
import type { SessionChanges } from '../contract/input.ts'
import type { Message } from '../contract/message.ts'
import { changeParams, paramsIn, type ModelParams, type ParamChanges } from '../contract/model-params.ts'
import type { Protocol } from '../contract/outcome.ts'
import { need } from '../contract/need.ts'
import { Problem, invalidField } from '../contract/problem.ts'
import type { SessionView } from '../contract/views.ts'
import { SYSTEM_WORKSPACE } from '../contract/workspace.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { close, fold, toMessages, type Round, forgetReservations } from '../session/index.ts'
import { claimOf, earlierResult } from '../store/index.ts'
import type { Claim, Family, InboxStore, ListStore, LogStore, Page, Range, StoredFile } from '../store/index.ts'
import { checkSession } from './checks.ts'
import type { CheckParams } from './check-params.ts'
import type { Coordinator } from './coordinator.ts'
import { findById, foldStored } from './fold-stored.ts'
import { readImport, type ImportSettings } from './import-session.ts'
import { pendingChanges, withChanges, withoutParams } from './session-changes.ts'
import { USUAL_TITLE } from './title.ts'

export interface NewSession extends ModelParams {
  readonly workspaceId?: string
  readonly title?: string
  readonly alias?: string
  readonly model?: string
  readonly protocol?: Protocol
}

/** `later`: it is stored and happens when the running round has ended. */
type Settled = 'done' | 'later'

/** Operations on sessions; those of others look as if they did not exist. */
export interface Sessions {
  /** With the same `once` only one session is created. */
  create(actor: Actor, wanted?: NewSession, once?: string): Promise<SessionView>
  /** A new session from the event log of another system, one JSON object per line; nothing in it is executed. */
  import(actor: Actor, log: string, wanted?: NewSession, once?: string): Promise<SessionView>
  get(actor: Actor, id: string): Promise<SessionView>
  byAlias(actor: Actor, alias: string): Promise<SessionView | undefined>
  /** Newest first; all words of `search` must be in the title, in any case. */
  list(
    actor: Actor,
    query?: { archived?: boolean; search?: string; limit?: number; cursor?: string },
  ): Promise<Page<SessionView>>
  /** All forks of the same session with it, oldest first. */
  family(actor: Actor, id: string): Promise<Family>
  events(actor: Actor, id: string, range?: Range): Promise<StoredEvent[]>
  /** The conversation as messages for a model, now or as of an event, given by its number or id. */
  messages(actor: Actor, id: string, at?: number | string): Promise<Message[]>
  /** A file in a message or a result of the conversation. */
  file(actor: Actor, id: string, hash: string): Promise<StoredFile>
  /** A new session that shares all events up to `seq`; there the author of a draft can try it, in plan mode only. */
  fork(actor: Actor, id: string, seq: number, title?: string, once?: string, promptId?: string): Promise<SessionView>
  /** null takes a parameter, the model or the protocol back */
  change(actor: Actor, id: string, changes: Omit<SessionChanges, 'params'> & ParamChanges): Promise<void>
  archive(actor: Actor, id: string): Promise<Settled>
  clear(actor: Actor, id: string): Promise<Settled>
  /** Asks for a summary of what was said; it is made when no round is running. */
  compact(actor: Actor, id: string): Promise<void>
  deleteMessage(actor: Actor, id: string, eventId: string): Promise<Settled>
  delete(actor: Actor, id: string): Promise<Settled>
}

/** Each check throws a Problem for something that does not exist. */
export interface SessionChecks {
  workspace(actor: Actor, id: string): Promise<unknown>
  model(key: string): void
  params: CheckParams
  /** whether all nodes know Segno's own model calls */
  mayAsk(): boolean
  /** a prompt that this actor wrote */
  draft(actor: Actor, promptId: string): Promise<unknown>
  readonly imports: Omit<ImportSettings, 'now'>
}

export function createSessions(
  store: LogStore & InboxStore & ListStore,
  coordinator: Coordinator,
  clock: Clock,
  checks: SessionChecks,
): Sessions {
  async function get(actor: Actor, id: string): Promise<SessionView> {
    need(actor, 'chat:read')
    const session = typeof id === 'string' ? await store.session(id) : undefined
    if (!isOwn(actor, session)) throw new Problem('NOT_FOUND', `There is no session ${id}.`)
    return withChanges(session, await pendingChanges(store, id))
  }

  async function checked(actor: Actor, wanted: NewSession, usualTitle: string): Promise<SessionCreated> {
    checkSession(wanted)
    const { workspaceId = SYSTEM_WORKSPACE, title = usualTitle, ...more } = withoutParams(wanted)
    const params = changeParams({}, wanted)
    if (more.model !== undefined) checks.model(more.model)
    await checks.workspace(actor, workspaceId)
    const known = { actor: refOf(actor), workspaceId, title, ...more }
    await checks.params(actor, { ...known, before: {} }, params)
    return { ...known, ...(Object.keys(params).length > 0 && { params }) }
  }

  async function create(
    actor: Actor,
    first: EventDraft,
    parent?: { sessionId: string; seq: number },
    rest: readonly NewEvent[] = [],
    claimFor?: (sessionId: string) => Claim | undefined,
  ): Promise<SessionView> {
    const id = newId()
    const claim = claimFor?.(id)
    const event = { ...stamp(first, null), ...(rest[0] && !parent && { at: rest[0].at }) }
    const result = await store.commit({
      sessionId: id,
      epoch: 1,
      expected: parent?.seq ?? 0,
      create: parent ? { parent } : {},
      events: [event, ...rest],
      // The closing events of a fork are about calls that its parent has already recorded.
      audit: auditOf(event, { sessionId: id, actor: refOf(actor), round: null }),
      // Imported events may be older than claims are kept.
      ...(claim && { claim: { ...claim, at: clock.now() } }),
    })
    if (result.kind === 'repeated')
      return get(actor, earlierResult<{ sessionId: string }>(result.claim, claim).sessionId)
    if (result.kind !== 'committed') throw new Problem('CONFLICT', 'A session with this alias is already there.')
    void store.release(id)
    return get(actor, id)
  }

  function stamp({ type, data }: EventDraft, requestId: string | null): NewEvent {
    const event = { id: newId(), type, v: 1, at: clock.now(), requestId, data } as NewEvent
    // The events that close an inherited round took no time.
    return requestId === null ? event : { ...event, ms: 0 }
  }

  /** The round that was open at `seq`; only its own events are read. */
  async function openRoundAt(sessionId: string, seq: number): Promise<Round | null> {
    const around = await store.roundAt(sessionId, seq)
    if (!around || (around.sessionId === sessionId && around.endSeq !== undefined && around.endSeq <= seq)) return null
    const { round } = fold(await store.read(sessionId, { after: around.startSeq - 1, upTo: seq }))
    // The parent's reservations are settled by the parent.
    if (round) forgetReservations(round)
    return round
  }

  function checkAllKnow(what: string): void {
    if (!checks.mayAsk())
      throw new Problem('NOT_ENABLED', `Older nodes share this database; ${what} once they are gone.`)
  }

  async function settle(actor: Actor, id: string, body: Parameters<Coordinator['tell']>[1]): Promise<Settled> {
    need(actor, 'chat:write')
    await get(actor, id)
    const inputId = await coordinator.tell(id, body)
    await coordinator.settled(id, body.kind === 'delete')
    const waiting = await store.pendingInputs(id)
    return waiting.some((input) => input.id === inputId) ? 'later' : 'done'
  }

  return {
    get,
    async create(actor, wanted = {}, once) {
      need(actor, 'chat:write')
      const first = draftEvent('session.created', await checked(actor, wanted, USUAL_TITLE))
      return create(actor, first, undefined, [], claimFor(actor, once, wanted))
    },
    async import(actor, log, wanted = {}, once) {
      need(actor, 'chat:write')
      const { workspaceId, ...about } = await checked(actor, wanted, 'Imported conversation')
      const events = await readImport(actor, workspaceId, log, { ...checks.imports, now: clock.now() })
      const first = draftEvent('session.created', { ...about, workspaceId, imported: true })
      return create(actor, first, undefined, events, claimFor(actor, once, { ...wanted, log }))
    },
    async byAlias(actor, alias) {
      need(actor, 'chat:read')
      return store.sessionByAlias(refOf(actor), alias)
    },
    async list(actor, query = {}) {
      need(actor, 'chat:read')
      checkLimit(query.limit)
      return store.sessions({ tenant: actor.tenant, owner: actor.id, ...query })
    },
    async family(actor, id) {
      await get(actor, id)
      const { root, items } = (await store.family(id)) ?? { root: id, items: [] }
      // For safety, although nobody can fork a session of somebody else.
      const own = items.filter((one) => isOwn(actor, one))
      const changed = own.map(async (one) => withChanges(one, await pendingChanges(store, one.id)))
      return { root, items: await Promise.all(changed) }
    },
    async events(actor, id, range) {
      await get(actor, id)
      return store.read(id, range)
    },
    async messages(actor, id, at) {
      await get(actor, id)
      const state = await foldStored(store, id, at)
      if (!state) throw new Problem('NOT_FOUND', `There is no event ${at} in this conversation.`, { field: 'at' })
      return toMessages(closed(state))
    },
    async file(actor, id, hash) {
      await get(actor, id)
      const file = typeof hash === 'string' ? await store.file(id, hash) : undefined
      if (!file) throw new Problem('NOT_FOUND', `There is no file ${hash} in this conversation.`)
      return file
    },
    async fork(actor, id, seq, title, once, promptId) {
      need(actor, 'chat:write')
      const parent = await get(actor, id)
      if (!Number.isSafeInteger(seq) || seq < 1 || seq > parent.seq)
        throw invalidField('seq', `must be an event of the session: 1 to ${parent.seq}`)
      checkSession({ title })
      if (promptId !== undefined) {
        checkAllKnow('drafts can be tried')
        await checks.draft(actor, promptId)
      }
      const round = await openRoundAt(id, seq)
      const { workspaceId, model, protocol } = parent
      const params = changeParams({}, parent)
      const forked = draftEvent('session.forked', {
        actor: refOf(actor),
        workspaceId,
        title: title ?? `${parent.title} (fork)`,
        ...(model !== undefined && { model }),
        ...(protocol !== undefined && { protocol }),
        ...(Object.keys(params).length > 0 && { params }),
        ...(promptId !== undefined && { promptId }),
        parent: { sessionId: id, seq },
      })
      const closing = close(round, 'cancelled').map((event) => stamp(event, round?.requestId ?? null))
      return create(actor, forked, { sessionId: id, seq }, closing, claimFor(actor, once, { id, seq, title, promptId }))
    },
    async change(actor, id, changes) {
      checkSession(changes)
      if (typeof changes.model === 'string') checks.model(changes.model)
      if (Object.values(changes).every((value) => value === undefined)) return void (await get(actor, id))
      const params = paramsIn(changes)
      if (Object.keys(params).length === 0) return void (await settle(actor, id, { kind: 'change', ...changes }))
      const { workspaceId, model, ...session } = await get(actor, id)
      const next = changes.model === undefined ? model : changes.model
      await checks.params(actor, { workspaceId, model: next ?? undefined, before: changeParams({}, session) }, params)
      await settle(actor, id, { kind: 'change', ...withoutParams(changes), params })
    },
    archive: (actor, id) => settle(actor, id, { kind: 'archive', by: actor.id }),
    async compact(actor, id) {
      need(actor, 'chat:write')
      await get(actor, id)
      checkAllKnow('summaries can be asked for')
      await coordinator.tell(id, { kind: 'compact', by: actor.id })
    },
    clear: (actor, id) => settle(actor, id, { kind: 'clear', by: actor.id }),
    async deleteMessage(actor, id, eventId) {
      const { seq } = await get(actor, id)
      const target = await findById(store, id, eventId, seq)
      if (!target || !DELETABLE.has(target.type))
        throw new Problem('NOT_FOUND', `There is no message ${eventId} in this conversation.`, { field: 'eventId' })
      return settle(actor, id, { kind: 'delete-message', eventId, seq: target.seq, by: actor.id })
    },
    delete: (actor, id) => settle(actor, id, { kind: 'delete', by: actor.id }),
  }
}

const claimFor = (actor: Actor, once: string | undefined, wanted: object) => (sessionId: string) =>
  claimOf('session', actor, once, wanted, { sessionId })

const DELETABLE: ReadonlySet<string> = new Set(['message.user', 'message.assistant', 'tool.result'])

const refOf = (actor: Actor): { id: string; tenant: string } => ({ id: actor.id, tenant: actor.tenant })

/** Gives open calls the results that `close` would give them. */
function closed(state: ReturnType<typeof fold>): ReturnType<typeof fold>['history'] {
  const { round, history } = state
  for (const event of close(round, 'cancelled')) {
    if (event.type !== 'tool.result') continue
    const { callId, content, name, outcome } = event.data
    history.results.set(callId, { eventId: '', content, name, outcome })
  }
  return history
}

/** Whether it is in a session of the actor; what belongs to others must look as if it did not exist. */
export async function canSee(
  store: ListStore,
  actor: Actor,
  { sessionId }: { readonly sessionId: string },
): Promise<boolean> {
  need(actor, 'chat:read')
  return isOwn(actor, await store.session(sessionId))
}

function isOwn(actor: Actor, session: SessionView | undefined): session is SessionView {
  return session?.owner.tenant === actor.tenant && session.owner.id === actor.id
}
