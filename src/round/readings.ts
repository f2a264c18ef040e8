import { traceOf, type TraceEntry } from '../audit/index.ts'
import type { Actor } from '../contract/actor.ts'
import type { StoredEvent } from '../contract/event.ts'
import type { Layer } from '../contract/prompt.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import type { UsageView } from '../contract/views.ts'
import { tokensOf } from '../context/index.ts'
import type { ListStore, LogStore } from '../store/index.ts'
import { atHand } from './work.ts'
import type { Hands } from './hands.ts'
import { modelNamed, promptFor, shownLimits } from './prompt-for.ts'
import { readState } from './read-state.ts'
import type { Sessions } from './sessions.ts'

export interface PromptReading {
  readonly sessionId: string
  /** all layers as one text */
  readonly systemPrompt: string
  readonly layers: readonly (Layer & { readonly tokens: number })[]
  /** messages of the conversation that would be sent after them */
  readonly messages: number
}

/** What can be read out of a log besides the log: what a model would be told, and how a round went in detail. */
export interface Readings {
  prompt(actor: Actor, sessionId: string): Promise<PromptReading>
  /** Tokens and cost of rounds that have ended: your own, or with `all` everybody's, by user and model. */
  usage(
    actor: Actor,
    query: { sessionId?: string; since?: number; until?: number; all?: boolean },
  ): Promise<readonly UsageView[]>
  /** For everybody of the tenant who may read traces. */
  trace(actor: Actor, requestId: string): Promise<TraceEntry[]>
}

export function createReadings(
  store: LogStore & ListStore,
  sessions: Sessions,
  hands: Hands,
  standard: string,
  traceMs: number,
): Readings {
  /** Output that was cut in the log is kept whole beside it. */
  async function whole(event: StoredEvent): Promise<StoredEvent> {
    if (event.type !== 'tool.result') return event
    const bytes = event.data.blob === undefined ? undefined : await store.blob(event.data.blob)
    return bytes ? { ...event, data: { ...event.data, content: Buffer.from(bytes).toString() } } : event
  }

  return {
    async prompt(actor, sessionId) {
      await sessions.get(actor, sessionId)
      const { state } = await readState(store, sessionId, shownLimits(hands.settings))
      const model = modelNamed(state.round?.model ?? state.model ?? standard, hands)
      const { offered, workspace } = await atHand(state, { mode: 'act', permissions: actor.permissions }, hands)
      const { layers, messages } = await promptFor(state, hands.settings, workspace, offered, model)
      return {
        sessionId,
        systemPrompt: layers.map((layer) => layer.text).join('\n\n'),
        layers: layers.map((layer) => ({ ...layer, tokens: tokensOf(layer.text.length) })),
        messages: messages.length,
      }
    },

    async usage(actor, { all = false, ...query }) {
      need(actor, all ? 'user:read' : 'chat:read')
      const owner = query.sessionId === undefined ? actor.id : (await sessions.get(actor, query.sessionId)).owner.id
      return store.usage({ tenant: actor.tenant, ...query, ...(!all && { owner }) })
    },

    async trace(actor, requestId) {
      need(actor, 'trace:read')
      const round = await store.round(requestId)
      const session = round && (await store.session(round.sessionId))
      if (!round || session?.owner.tenant !== actor.tenant)
        throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
      if (round.endedAt !== undefined && round.endedAt + traceMs < hands.clock.now())
        throw new Problem('NOT_FOUND', 'The trace of this round has expired (limit TRACE_MS).')
      const range = { after: round.startSeq - 1, ...(round.endSeq !== undefined && { upTo: round.endSeq }) }
      const events = (await store.read(round.sessionId, range)).filter((event) => event.requestId === requestId)
      return traceOf(await Promise.all(events.map(whole)))
    },
  }
}
