import type { Actor } from '../contract/actor.ts'
import { checkLimit } from '../contract/check-limit.ts'
import type { RoundOrigin, RoundStarted } from '../contract/round-started.ts'
import type { StoredEvent } from '../contract/event.ts'
import { need } from '../contract/need.ts'
import { NO_USAGE, type MessageContent } from '../contract/message.ts'
import type { RoundLimits } from '../contract/limits.ts'
import { changeParams, paramsIn, type ModelParams } from '../contract/model-params.ts'
import { MODES, PROTOCOLS, type Mode, type Protocol } from '../contract/outcome.ts'
import { Problem } from '../contract/problem.ts'
import type { ListedRound, RoundView, SessionView } from '../contract/views.ts'
import { newId } from '../lib/id.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { keyOf } from '../lib/key-of.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import type { AuditStore, InboxStore, ListStore, LogStore, Page, RoundQuery } from '../store/index.ts'
import { answerCalls, type AnswerCall } from './answer-call.ts'
import type { CheckParams } from './check-params.ts'
import { checkEnabled, checkRetries, checkWord, lowerLimits } from './checks.ts'
import { continueRound, type ContinueRound } from './continue-round.ts'
import type { Coordinator } from './coordinator.ts'
import type { Deps } from './deps.ts'
import { roundEvents } from './fold-stored.ts'
import { canSee, type Sessions } from './sessions.ts'
import { pendingChanges } from './session-changes.ts'
import { repeatedMessage } from './repeated-message.ts'
import { createDecisions, type Decisions } from './decisions.ts'
import { readContent, type ContentLimits } from './read-content.ts'
import type { Accepted, OnBusy } from './sending.ts'

export interface SendOptions extends Pick<RoundStarted, 'enableTools' | 'retryOptions'>, ModelParams {
  readonly protocol?: Protocol
  readonly mode?: Mode
  readonly model?: string
  readonly limits?: Partial<RoundLimits>
  readonly onBusy?: OnBusy
  readonly toolResultsAs?: 'system' | 'tool'
  /** false if nobody can be asked, so that every ask is a denial */
  readonly attended?: boolean
  /** delivering the same message again under this id joins the round it started */
  readonly messageId?: string
  /** the way the message came in, for the audit; default `library` */
  readonly channel?: string
  /** the id of the round, for callers who listen before it starts */
  readonly requestId?: string
}

export interface RoundDefaults extends ContentLimits {
  readonly protocol: Protocol
  readonly model: string
  readonly limits: RoundLimits
  now(): number
  readonly deps: Pick<Deps, 'tools' | 'redact' | 'settings' | 'mayOriginate'>
  /** Throws a Problem for an unknown model. */
  checkModel(key: string): void
  readonly checkParams: CheckParams
  /** the models a workspace may use, the first one by default; empty: any */
  models(tenant: string, workspaceId: string): Promise<readonly string[]>
}

/** Operations on rounds, their approvals and their calls with an unknown effect. */
export interface Rounds extends Decisions {
  /** The result of a call that answers later (`answersLater`); repeating the same one is fine. */
  answerCall: AnswerCall
  send(actor: Actor, sessionId: string, content: MessageContent, options?: SendOptions): Promise<Accepted>
  /** The message of a hook or schedule, as its creator; nobody can be asked, and the same id counts once. */
  sendFor(origin: RoundOrigin, actor: Actor, sessionId: string, content: string, messageId: string): Promise<Accepted>
  /** The round of this actor's message with this id, undefined if there is none. */
  ofMessage(actor: Actor, messageId: string): Promise<RoundView | undefined>
  /** Like `send`, but joins a round of this actor with the same text that runs or has just ended. */
  sendOrJoin(actor: Actor, sessionId: string, content: string, channel: string): Promise<Accepted>
  /** Throws a Problem if this could not be the first message of a new session now. */
  checkFirst(actor: Actor, content: MessageContent): void
  get(actor: Actor, requestId: string): Promise<RoundView>
  /** A round of this session, which may be queued or inherited. */
  inSession(actor: Actor, sessionId: string, requestId: string): Promise<RoundView>
  /** Newest first: your own, or with `all` everybody's (needs user:read) without their titles. */
  list(actor: Actor, query?: Omit<RoundQuery, 'tenant' | 'owner'> & { all?: boolean }): Promise<Page<ListedRound>>
  /** The events of a round; none while it is queued. */
  events(actor: Actor, requestId: string): Promise<StoredEvent[]>
  /** The round at event `seq`, unless it has ended by then. */
  after(actor: Actor, sessionId: string, seq: number): Promise<string | undefined>
  /** Does nothing if the round has ended. */
  cancel(actor: Actor, sessionId: string, requestId: string): Promise<void>
  pause(actor: Actor, requestId: string): Promise<void>
  /** `fromPhase` must be the phase that comes next. */
  resume(actor: Actor, requestId: string, fromPhase?: number): Promise<void>
  /** A new round that goes on from one that a count limit ended, if that was the last; twice is the same round. */
  continue: ContinueRound
}

export function createRounds(
  store: LogStore & InboxStore & ListStore & AuditStore,
  coordinator: Coordinator,
  sessions: Sessions,
  defaults: RoundDefaults,
): Rounds {
  async function get(actor: Actor, requestId: string): Promise<RoundView> {
    const round =
      typeof requestId === 'string' ? ((await store.round(requestId)) ?? (await queued(requestId))) : undefined
    if (!round || !(await canSee(store, actor, round)))
      throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
    return round
  }

  async function queued(requestId: string): Promise<RoundView | undefined> {
    const input = await store.queuedMessage(requestId)
    if (input?.body.kind !== 'message') return undefined
    const { protocol, mode, model } = input.body
    const { sessionId, at: startedAt } = input
    const nothing = { startSeq: 0, usage: NO_USAGE, cost: 0 }
    return { requestId, sessionId, state: 'queued', protocol, mode, model, ...nothing, startedAt }
  }

  /** What a message needs to know of its session, from memory if possible. */
  async function speakable(actor: Actor, sessionId: string): Promise<Spoken> {
    const known = coordinator.known(sessionId)
    const owned = known && !known.deleted && known.actor.id === actor.id && known.actor.tenant === actor.tenant
    if (!owned) {
      const session = await sessions.get(actor, sessionId)
      return { ...session, params: changeParams({}, session) }
    }
    const { params: changes = {}, ...pending } = await pendingChanges(store, sessionId)
    const { archived, model, protocol, workspaceId } = { ...known, ...pending }
    const params = changeParams(known.params, changes)
    return { archived, workspaceId, params, ...(model !== null && { model }), ...(protocol !== null && { protocol }) }
  }

  /** The wanted model or the usual one; throws a Problem if it may not be used there. */
  async function usableModel({ tenant }: Actor, workspaceId: string, wanted: string | undefined): Promise<string> {
    const models = await defaults.models(tenant, workspaceId)
    const model = wanted ?? models[0] ?? defaults.model
    defaults.checkModel(model)
    if (models.length === 0 || models.includes(model)) return model
    const allowed = `This workspace uses ${models.join(', ')}, not ${model}.`
    throw new Problem('VALIDATION_ERROR', allowed, { field: 'model' })
  }

  async function checkPhase(round: RoundView, fromPhase: number): Promise<void> {
    const paused = (await roundEvents(store, round)).findLast((event) => event.type === 'round.paused')
    const next = paused?.type === 'round.paused' ? paused.data.nextPhaseIndex : null
    if (next === null) throw new Problem('CONFLICT', 'This round has no phases; resume it without a phase.')
    if (next !== fromPhase) {
      const why = `The phase that comes next is ${next}, not ${fromPhase}.`
      throw new Problem('CONFLICT', why, { field: 'resumeFromPhaseIndex' })
    }
  }

  const inTurn = oneAtATime<Accepted>()

  async function send(
    actor: Actor,
    sessionId: string,
    content: MessageContent,
    options: SendOptions & Pick<RoundStarted, 'origin'>,
  ): Promise<Accepted> {
    need(actor, 'chat:write')
    // The sender reads the answer.
    need(actor, 'chat:read')
    const said = readContent(content, defaults)
    // One at a time, because the store may answer queries in another order.
    return inTurn(keyOf('message', actor.tenant, actor.id, sessionId), async () => {
      const session = await speakable(actor, sessionId)
      const { messageId, requestId = newId(), attended = true, channel = 'library', origin, ...wanted } = options
      const key = messageId && {
        key: messageKey(actor, messageId),
        hash: sha256(canonicalJson([sessionId, said.content, wanted])),
      }
      // A message repeated after archiving gets its earlier answer.
      if (session.archived && !(key && (await store.findClaim(key.key))))
        throw new Problem('CONFLICT', 'This conversation is archived; bring it back before writing to it.')
      const model = await usableModel(actor, session.workspaceId, options.model ?? session.model)
      const mode = checkWord('mode', options.mode ?? 'act', MODES)
      const enabled = checkEnabled(options.enableTools)
      const { workspaceId, params: before } = session
      await defaults.checkParams(actor, { workspaceId, model, before, mode, ...enabled }, paramsIn(options))
      const params = changeParams(before, options)
      return coordinator.send(sessionId, {
        workspaceId: session.workspaceId,
        message: {
          kind: 'message',
          requestId,
          content: said.content,
          actor: { id: actor.id, tenant: actor.tenant },
          permissions: actor.permissions,
          protocol: checkWord('protocol', options.protocol ?? session.protocol ?? defaults.protocol, PROTOCOLS),
          mode,
          model,
          limits: lowerLimits(defaults.limits, options.limits),
          toolResultsAs: checkWord('toolResultsAs', options.toolResultsAs ?? 'system', ['system', 'tool']),
          attended,
          channel,
          ...enabled,
          ...checkRetries(options.retryOptions),
          ...(origin && { origin }),
          ...(Object.keys(params).length > 0 && { params }),
          interrupt: false,
        },
        files: said.files,
        onBusy: checkWord('onBusy', options.onBusy ?? 'queue', ['queue', 'reject', 'interrupt']),
        ...(key && { key }),
      })
    })
  }

  const rounds: Rounds = {
    get,
    async inSession(actor, sessionId, requestId) {
      await sessions.get(actor, sessionId)
      const round = (await store.roundIn(sessionId, requestId)) ?? (await queued(requestId))
      if (round?.sessionId === sessionId) return round
      throw new Problem('NOT_FOUND', `There is no round ${requestId} in this conversation.`, { field: 'round' })
    },
    async list(actor, { all = false, ...query } = {}) {
      need(actor, all ? 'user:read' : 'chat:read')
      checkLimit(query.limit)
      const { tenant, id } = actor
      if (query.sessionId !== undefined) {
        const owner = (await store.session(query.sessionId))?.owner
        if (owner?.tenant !== tenant || (!all && owner.id !== id))
          throw new Problem('NOT_FOUND', `There is no session ${query.sessionId}.`, { field: 'session' })
      }
      const { items, next } = await store.roundPage({ ...query, tenant, ...(!all && { owner: id }) })
      return { items: items.map(({ title, ...round }) => ({ ...round, ...(round.userId === id && { title }) })), next }
    },
    checkFirst(actor, content) {
      need(actor, 'chat:write')
      readContent(content, defaults)
      coordinator.checkRoom({ id: actor.id, tenant: actor.tenant })
    },
    async events(actor, requestId) {
      return roundEvents(store, await get(actor, requestId))
    },
    async after(actor, sessionId, seq) {
      await sessions.get(actor, sessionId)
      const round = await store.roundAt(sessionId, seq)
      return round && (round.endSeq === undefined || round.endSeq > seq) ? round.requestId : undefined
    },
    async sendOrJoin(actor, sessionId, content, channel) {
      need(actor, 'chat:write')
      const session = await sessions.get(actor, sessionId)
      // Of two equal messages at the same moment, the second waits and finds the first.
      return inTurn(keyOf('words', sessionId, content), async () => {
        const same = await repeatedMessage(store, actor, session, content, defaults.now())
        return same ?? rounds.send(actor, sessionId, content, { channel })
      })
    },
    send: (actor, sessionId, content, options = {}) => send(actor, sessionId, content, options),
    async sendFor(origin, actor, sessionId, content, messageId) {
      // Nodes of an older version would take words from outside for the creator's own.
      if (!defaults.deps.mayOriginate())
        throw new Problem(
          'STORE_UNAVAILABLE',
          'A node of an older version is still running; try again when it is gone.',
        )
      return send(actor, sessionId, content, { origin, messageId, attended: false, channel: origin.kind })
    },
    async ofMessage(actor, messageId) {
      const claim = await store.findClaim(messageKey(actor, messageId))
      const requestId = (claim?.result as { requestId?: string } | undefined)?.requestId
      return requestId === undefined ? undefined : ((await store.round(requestId)) ?? (await queued(requestId)))
    },
    async cancel(actor, sessionId, requestId) {
      need(actor, 'chat:write')
      const round = await get(actor, requestId)
      if (round.sessionId !== sessionId)
        throw new Problem('NOT_FOUND', `There is no round ${requestId} in this conversation.`)
      if (round.state === 'ended') return
      await coordinator.tell(sessionId, { kind: 'cancel', requestId, by: actor.id })
    },
    async pause(actor, requestId) {
      need(actor, 'chat:write')
      const round = await get(actor, requestId)
      if (round.state === 'ended') throw new Problem('CONFLICT', 'The round has ended; there is nothing to pause.')
      await coordinator.tell(round.sessionId, { kind: 'pause', requestId, by: actor.id })
    },
    async resume(actor, requestId, fromPhase) {
      need(actor, 'chat:write')
      const round = await get(actor, requestId)
      if (round.state !== 'paused') throw new Problem('CONFLICT', `The round is ${round.state}, not paused.`)
      if (fromPhase !== undefined) await checkPhase(round, fromPhase)
      await coordinator.tell(round.sessionId, { kind: 'resume', requestId, by: actor.id })
    },
    continue: continueRound({ store, coordinator, limits: defaults.limits, get, speakable, usableModel }),
    answerCall: answerCalls(store, coordinator, sessions, defaults),
    ...createDecisions(store, coordinator, sessions, defaults.now),
  }
  return rounds
}

const messageKey = ({ tenant, id }: Actor, messageId: string): string => keyOf('message', tenant, id, messageId)

/** What a message has to know of its session. */
interface Spoken extends Pick<SessionView, 'archived' | 'model' | 'protocol' | 'workspaceId'> {
  readonly params: ModelParams
}
