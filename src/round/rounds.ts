import type { Actor } from '../contract/actor.ts'
import type { StoredEvent } from '../contract/event.ts'
import { need } from '../contract/need.ts'
import { NO_USAGE } from '../contract/message.ts'
import type { RoundLimits } from '../contract/limits.ts'
import type { Mode, Protocol } from '../contract/outcome.ts'
import { Problem } from '../contract/problem.ts'
import type { ApprovalView, RoundView, SessionView, UnknownCallView } from '../contract/views.ts'
import { newId } from '../lib/id.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import type { Store } from '../store/index.ts'
import { checkContent, checkWord, lowerLimits } from './check-message.ts'
import type { Accepted, Coordinator, OnBusy } from './coordinator.ts'
import type { Sessions } from './sessions.ts'

export interface SendOptions {
  readonly protocol?: Protocol
  readonly mode?: Mode
  readonly model?: string
  readonly limits?: Partial<RoundLimits>
  readonly onBusy?: OnBusy
  readonly toolResultsAs?: 'system' | 'tool'
  /** false when no one can be asked: then every ask is a denial */
  readonly attended?: boolean
  /** delivering the same message again under this id joins the round it started */
  readonly messageId?: string
  /** the id of the round, for a caller who wants to listen before it starts */
  readonly requestId?: string
}

const JOIN_MS = 60_000
const JOIN_ROUNDS = 5

const PROTOCOLS: readonly Protocol[] = ['unified', 'triggered']
const MODES: readonly Mode[] = ['plan', 'act']

export interface RoundDefaults {
  readonly protocol: Protocol
  readonly model: string
  readonly limits: RoundLimits
  readonly messageChars: number
  now(): number
  /** Throws a Problem for a model nobody knows. */
  checkModel(key: string): void
  /** the models a workspace may use, the first one by default; empty: any */
  models(tenant: string, workspaceId: string): Promise<readonly string[]>
}

/** What can be done with rounds, the approvals they wait for and the calls they left in doubt. */
export interface Rounds {
  send(actor: Actor, sessionId: string, content: string, options?: SendOptions): Promise<Accepted>
  /** Like `send`, but joins a round of this actor that was started by the same words and runs or has just ended. */
  sendOrJoin(actor: Actor, sessionId: string, content: string): Promise<Accepted>
  /** Throws a Problem if this cannot be a message. */
  check(content: string): void
  get(actor: Actor, requestId: string): Promise<RoundView>
  /** What the log says of a round; nothing while it is queued. */
  events(actor: Actor, requestId: string): Promise<StoredEvent[]>
  /** The round a reader that has everything up to `seq` is in, unless it has seen its end. */
  after(actor: Actor, sessionId: string, seq: number): Promise<string | undefined>
  cancel(actor: Actor, sessionId: string, requestId: string): Promise<void>
  pause(actor: Actor, requestId: string): Promise<void>
  /** `fromPhase`: the phase that would start next; with another number nothing is resumed. */
  resume(actor: Actor, requestId: string, fromPhase?: number): Promise<void>
  approvals(actor: Actor, status?: ApprovalView['status']): Promise<ApprovalView[]>
  decide(actor: Actor, approvalId: string, decision: Decision): Promise<void>
  unknownCalls(actor: Actor): Promise<UnknownCallView[]>
  /** Settles a call in the session it was made in, or in a fork that inherited it. */
  reconcile(actor: Actor, callId: string, happened: boolean, note?: string, inSession?: string): Promise<void>
}

export interface Decision {
  readonly decision: 'approve' | 'deny'
  readonly remember?: 'session'
  readonly reason?: string
}

export function createRounds(
  store: Store,
  coordinator: Coordinator,
  sessions: Sessions,
  defaults: RoundDefaults,
): Rounds {
  async function get(actor: Actor, requestId: string): Promise<RoundView> {
    const round =
      typeof requestId === 'string' ? ((await store.round(requestId)) ?? (await queued(requestId))) : undefined
    if (round) await sessions.get(actor, round.sessionId)
    if (!round) throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
    return round
  }

  async function queued(requestId: string): Promise<RoundView | undefined> {
    const input = await store.queuedMessage(requestId)
    if (input?.body.kind !== 'message') return undefined
    const { protocol, mode, model } = input.body
    const { sessionId, at: startedAt } = input
    return {
      requestId,
      sessionId,
      state: 'queued',
      protocol,
      mode,
      model,
      startSeq: 0,
      usage: NO_USAGE,
      cost: 0,
      startedAt,
    }
  }

  /** What a message needs to know of its session; from memory where it is there. */
  async function speakable(
    actor: Actor,
    sessionId: string,
  ): Promise<Pick<SessionView, 'archived' | 'model' | 'protocol' | 'workspaceId'>> {
    const known = coordinator.known(sessionId)
    const owned = known && !known.deleted && known.actor.id === actor.id && known.actor.tenant === actor.tenant
    if (!owned) return sessions.get(actor, sessionId)
    const { archived, model, protocol, workspaceId } = known
    return { archived, workspaceId, ...(model !== null && { model }), ...(protocol !== null && { protocol }) }
  }

  async function eventsOf(round: RoundView): Promise<StoredEvent[]> {
    if (round.state === 'queued') return []
    const range = { after: round.startSeq - 1, ...(round.endSeq !== undefined && { upTo: round.endSeq }) }
    return (await store.read(round.sessionId, range)).filter((event) => event.requestId === round.requestId)
  }

  async function checkPhase(round: RoundView, fromPhase: number): Promise<void> {
    const paused = (await eventsOf(round)).findLast((event) => event.type === 'round.paused')
    const next = paused?.type === 'round.paused' ? paused.data.nextPhaseIndex : null
    if (next === null) throw new Problem('CONFLICT', 'This round has no phases; resume it without a phase.')
    if (next !== fromPhase) {
      const why = `The phase that comes next is ${next}, not ${fromPhase}.`
      throw new Problem('CONFLICT', why, { field: 'resumeFromPhaseIndex' })
    }
  }

  /** A message of this actor with these words that waits, runs, or was answered less than a minute ago. */
  async function sameWords(actor: Actor, sessionId: string, content: string): Promise<Accepted | undefined> {
    for (const { body } of await store.pendingInputs(sessionId)) {
      if (body.kind === 'message' && body.content === content && body.actor.id === actor.id)
        return { requestId: body.requestId, sessionId, state: 'queued' }
    }
    const since = defaults.now() - JOIN_MS
    for (const round of await store.rounds({ sessionId, limit: JOIN_ROUNDS })) {
      if (round.endedAt !== undefined && round.endedAt < since) continue
      const [started, said] = await store.read(sessionId, { after: round.startSeq - 1, limit: 2 })
      if (started?.type !== 'round.started' || started.data.actor.id !== actor.id) continue
      if (said?.type === 'message.user' && said.data.content.map((part) => part.text).join('') === content)
        return { requestId: round.requestId, sessionId, state: 'running' }
    }
    return undefined
  }

  /** Messages with the same words that arrive at the same moment wait for each other. */
  const joining = new Map<string, Promise<Accepted>>()

  const rounds: Rounds = {
    get,
    check: (content) => void checkContent(content, defaults.messageChars),
    async events(actor, requestId) {
      return eventsOf(await get(actor, requestId))
    },
    async after(actor, sessionId, seq) {
      await sessions.get(actor, sessionId)
      const round = await store.roundAt(sessionId, seq)
      return round && (round.endSeq === undefined || round.endSeq > seq) ? round.requestId : undefined
    },
    async sendOrJoin(actor, sessionId, content) {
      need(actor, 'chat:write')
      await sessions.get(actor, sessionId)
      const key = `${actor.tenant} ${actor.id} ${sessionId} ${content}`
      const before = joining.get(key)
      if (before) return before
      const accepted = (async () =>
        (await sameWords(actor, sessionId, content)) ?? rounds.send(actor, sessionId, content))()
      joining.set(key, accepted)
      try {
        return await accepted
      } finally {
        joining.delete(key)
      }
    },
    async send(actor, sessionId, content, options = {}) {
      need(actor, 'chat:write')
      const text = checkContent(content, defaults.messageChars)
      const session = await speakable(actor, sessionId)
      if (session.archived)
        throw new Problem('CONFLICT', 'This session is archived; bring it back before writing to it.')
      const models = await defaults.models(actor.tenant, session.workspaceId)
      const model = options.model ?? session.model ?? models[0] ?? defaults.model
      defaults.checkModel(model)
      if (models.length > 0 && !models.includes(model)) {
        const allowed = `This workspace uses ${models.join(', ')}, not ${model}.`
        throw new Problem('VALIDATION_ERROR', allowed, { field: 'model' })
      }
      const { messageId, requestId = newId(), attended = true, ...wanted } = options
      const key = messageId && {
        key: `message:${actor.tenant}:${actor.id}:${messageId}`,
        hash: sha256(canonicalJson([sessionId, text, wanted])),
      }
      return coordinator.send(
        sessionId,
        {
          kind: 'message',
          requestId,
          content: text,
          actor: { id: actor.id, tenant: actor.tenant },
          permissions: actor.permissions,
          protocol: checkWord('protocol', options.protocol ?? session.protocol ?? defaults.protocol, PROTOCOLS),
          mode: checkWord('mode', options.mode ?? 'act', MODES),
          model,
          limits: lowerLimits(defaults.limits, options.limits),
          toolResultsAs: checkWord('toolResultsAs', options.toolResultsAs ?? 'system', ['system', 'tool']),
          attended,
          interrupt: false,
        },
        checkWord('onBusy', options.onBusy ?? 'queue', ['queue', 'reject', 'interrupt']),
        key || undefined,
      )
    },
    async cancel(actor, sessionId, requestId) {
      need(actor, 'chat:write')
      await sessions.get(actor, sessionId)
      await coordinator.tell(sessionId, { kind: 'cancel', requestId, by: actor.id }, `cancel:${newId()}`)
    },
    async pause(actor, requestId) {
      need(actor, 'chat:write')
      const round = await get(actor, requestId)
      if (round.state === 'ended') throw new Problem('CONFLICT', 'The round has ended; there is nothing to pause.')
      await coordinator.tell(round.sessionId, { kind: 'pause', requestId, by: actor.id }, `pause:${newId()}`)
    },
    async resume(actor, requestId, fromPhase) {
      need(actor, 'chat:write')
      const round = await get(actor, requestId)
      if (round.state !== 'paused') throw new Problem('CONFLICT', `The round is ${round.state}, not paused.`)
      if (fromPhase !== undefined) await checkPhase(round, fromPhase)
      await coordinator.tell(round.sessionId, { kind: 'resume', requestId, by: actor.id }, `resume:${newId()}`)
    },
    async approvals(actor, status) {
      need(actor, 'chat:read')
      const all = await store.approvals(status === undefined ? {} : { status })
      return own(actor, all)
    },
    async decide(actor, approvalId, { decision, remember, reason }) {
      need(actor, 'chat:write')
      checkWord('decision', decision, ['approve', 'deny'])
      if (remember !== undefined) checkWord('remember', remember, ['session'])
      const approval = await store.approval(approvalId)
      if (approval) await sessions.get(actor, approval.sessionId)
      if (!approval) throw new Problem('NOT_FOUND', `There is no approval ${approvalId}.`)
      if (approval.status !== 'pending') throw new Problem('CONFLICT', `This was already decided: ${approval.status}.`)
      if (approval.expiresAt <= defaults.now()) throw new Problem('CONFLICT', 'The time to decide this is over.')
      const told = await coordinator.tell(
        approval.sessionId,
        {
          kind: 'decision',
          approvalId,
          decision,
          by: actor.id,
          ...(remember !== undefined && { remember }),
          ...(reason !== undefined && { reason }),
        },
        `decision:${approvalId}`,
      )
      if (told === 'repeated') throw new Problem('CONFLICT', 'Somebody decided this just before.')
    },
    async unknownCalls(actor) {
      need(actor, 'chat:read')
      return own(actor, await store.unknownCalls({ reconciled: false }))
    },
    async reconcile(actor, callId, happened, note, inSession) {
      need(actor, 'chat:write')
      const sessionId = inSession ?? (await unsettledIn(actor, callId))
      await sessions.get(actor, sessionId)
      await coordinator.wake(sessionId)
      if (!coordinator.known(sessionId)?.unknown.has(callId)) {
        throw new Problem('NOT_FOUND', `There is no call ${callId} with an unknown effect in this session.`)
      }
      const body = { kind: 'reconcile', callId, happened, by: actor.id, ...(note !== undefined && { note }) } as const
      await coordinator.tell(sessionId, body, `reconcile:${sessionId}:${callId}`)
      await coordinator.settled(sessionId, false)
    },
  }
  return rounds

  /** The session a call was made in. Forks that inherited it settle it for themselves. */
  async function unsettledIn(actor: Actor, callId: string): Promise<string> {
    const call = await store.unknownCall(callId)
    if (call) await sessions.get(actor, call.sessionId)
    if (!call) throw new Problem('NOT_FOUND', `There is no call ${callId} with an unknown effect.`)
    if (call.reconciled !== undefined) throw new Problem('CONFLICT', 'This call was already settled.')
    return call.sessionId
  }

  async function own<T extends { sessionId: string }>(actor: Actor, all: readonly T[]): Promise<T[]> {
    const mine: T[] = []
    for (const one of all) {
      const session = await store.session(one.sessionId)
      if (session?.owner.tenant === actor.tenant && session.owner.id === actor.id) mine.push(one)
    }
    return mine
  }
}
