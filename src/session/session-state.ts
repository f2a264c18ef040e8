import { WORKSPACE_CONTEXT, WORKSPACE_INSTRUCTIONS, type Retrieved } from '../contract/sent-prompt.ts'
import type { ActorRef } from '../contract/actor.ts'
import type { EventData, EventOf, StoredEvent } from '../contract/event.ts'
import type { ToolResult } from '../contract/call-events.ts'
import type { ModelParams } from '../contract/model-params.ts'
import { isCountLimit, type Protocol } from '../contract/outcome.ts'
import { emptyAddresses, evolveAddresses, type Addresses } from './addresses.ts'
import { findCall, type Call } from './call-state.ts'
import { emptyHistory, evolveHistory, type History } from './history.ts'
import { evolveRound, forgetReservations, startRound, type Round } from './round-state.ts'

/** The state of a session, folded from its log. */
export interface SessionState {
  seq: number
  actor: ActorRef
  workspaceId: string
  title: string
  model: string | null
  protocol: Protocol | null
  params: ModelParams
  archived: boolean
  deleted: boolean
  round: Round | null
  history: History
  /** by model: the first event of the conversation as it was last shown */
  shownFrom: Map<string, number>
  /** by model: the last answer whose thoughts its provider refused */
  thoughtsRefused: Map<string, string>
  /** signatures of calls with an unknown effect; an identical call needs a person */
  unknown: Map<string, string>
  /** targets and arguments approved for the rest of the session */
  remembered: Set<string>
  /** the first source of foreign text in the conversation: a tool, a file, instructions */
  taintedBy: string | null
  addresses: Addresses
  /** the number of the last label that was given to a passage */
  labels: number
  /** the draft of a prompt that is tried here */
  promptId: string | null
  /** the model that was called last in a round that ended */
  lastModel: string | null
  /** what Segno asks a model for itself, while it is open */
  asking: (EventData['model.asked'] & { readonly requestId: string | null }) | null
  /** the last round in which a summary was asked for, which it may be once in each */
  summaryIn: string | null
  /** a title was asked for, and is not asked for again */
  titleAsked: boolean
  /** what the model is told with the next message */
  news: string[]
  /** the last round, if a count limit ended it, with the signatures that a round that continues it begins with */
  limited: { readonly requestId: string; readonly signatures: readonly string[] } | null
}

export function emptySession(): SessionState {
  return {
    seq: 0,
    actor: { id: '', tenant: '' },
    workspaceId: '',
    title: '',
    model: null,
    protocol: null,
    params: {},
    archived: false,
    deleted: false,
    round: null,
    history: emptyHistory(),
    shownFrom: new Map(),
    thoughtsRefused: new Map(),
    unknown: new Map(),
    remembered: new Set(),
    taintedBy: null,
    addresses: emptyAddresses(),
    labels: 0,
    promptId: null,
    lastModel: null,
    asking: null,
    summaryIn: null,
    titleAsked: false,
    news: [],
    limited: null,
  }
}

/** Folds an event into the state in place. */
export function evolve(state: SessionState, event: StoredEvent): void {
  state.seq = event.seq
  const summaries = state.history.summaries.length
  evolveHistory(state.history, event)
  evolveAddresses(state.addresses, event, callOf(state, event))
  if (event.type === 'round.started') {
    state.round = startRound(event, inheritedBy(event, state))
    state.limited = null
    const { origin } = event.data
    if (origin?.hasPayload) state.taintedBy ??= `a ${origin.kind}`
    return
  }
  if (state.round && event.requestId === state.round.requestId) evolveRound(state.round, event)
  switch (event.type) {
    case 'round.ended':
      // Cancelling a queued message ends another round than the open one.
      if (state.round?.requestId !== event.requestId) return
      state.lastModel = state.round.called ?? state.lastModel
      state.limited = isCountLimit(event.data.finishReason) ? remainsOf(state.round) : null
      state.round = null
      return
    case 'session.created':
    case 'session.forked':
      // Approvals for a session do not hold for its forks.
      state.remembered.clear()
      if (state.round) forgetReservations(state.round)
      state.actor = event.data.actor
      state.workspaceId = event.data.workspaceId
      state.title = event.data.title
      state.model = event.data.model ?? null
      state.protocol = event.data.protocol ?? null
      state.params = event.data.params ?? {}
      state.promptId = event.data.promptId ?? null
      // What the parent asks is answered there, and its rounds are continued there.
      state.asking = null
      state.limited = null
      if (event.type === 'session.created' && event.data.imported) state.taintedBy = 'an imported conversation'
      state.archived = false
      return
    case 'session.changed':
      if (event.data.title !== undefined) state.title = event.data.title
      if (event.data.model !== undefined) state.model = event.data.model
      if (event.data.protocol !== undefined) state.protocol = event.data.protocol
      if (event.data.params !== undefined) state.params = event.data.params
      if (event.data.archived !== undefined) state.archived = event.data.archived
      return
    case 'session.archived':
      state.archived = true
      return
    case 'session.deleted':
      state.deleted = true
      return
    case 'turn.retried': {
      const { model, sent } = event.data
      evolveSent(state, event.data)
      const refused = sent?.params.withoutThoughts
      if (typeof refused === 'string') state.thoughtsRefused.set(model, refused)
      return
    }
    case 'turn.started':
      evolveSent(state, event.data)
      if (event.data.added && event.data.turn === 1) state.news = []
      return
    case 'model.asked':
      state.asking = { ...event.data, requestId: event.requestId }
      if (event.data.purpose === 'title') state.titleAsked = true
      return
    case 'model.answered':
      state.asking = null
      if (event.data.purpose === 'summary') state.summaryIn = event.requestId ?? state.summaryIn
      return
    case 'message.user':
      if (event.data.content.some((part) => part.type === 'file')) state.taintedBy ??= 'a file'
      return
    case 'message.deleted':
      // What a summary stood for is shown again.
      if (state.history.summaries.length < summaries) state.shownFrom.clear()
      return
    case 'context.cleared':
      state.shownFrom.clear()
      state.titleAsked = false
      state.news = []
      state.limited = null
      if (!event.data.imported) state.taintedBy = null
      return
    case 'tool.result':
      countLabels(state, event.data.retrieved)
      if (!isOwn(event.data)) state.taintedBy ??= event.data.name
      if (event.data.effect === 'unknown') state.unknown.set(event.data.callId, event.data.signature)
      return
    case 'tool.reconciled':
      state.unknown.delete(event.data.callId)
      state.news.push(
        `Call ${event.data.callId} had an unknown outcome. ${event.data.late ? 'Its result has come since' : 'A person looked'}: it ${event.data.happened ? 'did' : 'did not'} happen.`,
      )
      return
    case 'approval.decided': {
      const approval = state.round?.calls.find((call) => call.callId === event.data.callId)?.approval
      if (approval?.approvalId !== event.data.approvalId || !approval.rememberable) return
      if (event.data.remember === 'session' && event.data.decision === 'approve') {
        state.remembered.add(rememberKey(approval.tool, approval.definitionHash, approval.target))
        state.remembered.add(exactKey(approval.tool, approval.definitionHash, approval.argsHash))
      }
      return
    }
    default:
      return
  }
}

function inheritedBy({ data }: EventOf<'round.started'>, { limited }: SessionState): readonly string[] {
  return limited !== null && limited.requestId === data.continues ? limited.signatures : []
}

const remainsOf = ({ requestId, signatures }: Round): SessionState['limited'] => ({
  requestId,
  signatures: [...signatures],
})

function callOf({ round }: SessionState, { type, data }: StoredEvent): Call | undefined {
  return type === 'tool.result' && round ? findCall(round, data.callId) : undefined
}

/** What was sent to a model, at first or again. */
function evolveSent(state: SessionState, data: EventData['turn.started'] | EventData['turn.retried']): void {
  const { model, from, retrieved, foreign } = data
  countLabels(state, retrieved)
  if (from !== undefined) state.shownFrom.set(model, from)
  if (foreign !== undefined) state.taintedBy ??= foreignLabel(foreign)
}

/** How people are told about the source in `turn.started.foreign`. */
export function foreignLabel(foreign: string): string {
  const isOfWorkspace = foreign === WORKSPACE_INSTRUCTIONS || foreign === WORKSPACE_CONTEXT
  return isOfWorkspace ? `the ${foreign}` : `the description of ${foreign}`
}

/** The label of the passage with this number in a session. */
export const labelOf = (number: number): string => `k${number}`

function countLabels(state: SessionState, retrieved: readonly Retrieved[] = []): void {
  for (const one of retrieved)
    if (one.kind === 'passage') state.labels = Math.max(state.labels, Number(one.label.slice(1)))
}

/** Segno's own words about a call that did not run are no foreign text. */
function isOwn({ own, outcome }: ToolResult): boolean {
  return own === true || outcome === 'refused' || outcome === 'denied' || outcome === 'unknown'
}

export function fold(events: Iterable<StoredEvent>, state: SessionState = emptySession()): SessionState {
  for (const event of events) evolve(state, event)
  return state
}

/** An approval holds for this target of this tool. */
export function rememberKey(tool: string, definitionHash: string, target: string): string {
  return `target\u0000${tool}\u0000${definitionHash}\u0000${target}`
}

/** And for these exact arguments, of which the target may show only a part. */
export function exactKey(tool: string, definitionHash: string, argsHash: string): string {
  return `exactly\u0000${tool}\u0000${definitionHash}\u0000${argsHash}`
}
