import { traceOf, type TraceEntry } from '../audit/index.ts'
import type { Actor } from '../contract/actor.ts'
import type { StoredEvent } from '../contract/event.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import type { PromptView, UsageView } from '../contract/views.ts'
import { tokensOf } from '../context/index.ts'
import type { ListStore, LogStore } from '../store/index.ts'
import { stepContext } from './work.ts'
import type { Deps } from './deps.ts'
import { roundEvents } from './fold-stored.ts'
import { modelNamed, promptFor, shownLimits } from './prompt-for.ts'
import { readState } from './read-state.ts'
import type { Sessions } from './sessions.ts'

export type Readings = ReturnType<typeof createReadings>

/** What can be read from a log besides its events: the next prompt, usage, and traces. */
export function createReadings(
  store: LogStore & ListStore,
  sessions: Sessions,
  deps: Deps,
  standard: string,
  traceMs: number,
) {
  /** A result with its whole output, which the log may have cut. */
  async function whole(event: StoredEvent): Promise<StoredEvent> {
    if (event.type !== 'tool.result') return event
    const bytes = event.data.blob === undefined ? undefined : await store.blob(event.data.blob)
    return bytes ? { ...event, data: { ...event.data, content: Buffer.from(bytes).toString() } } : event
  }

  return {
    async prompt(actor: Actor, sessionId: string): Promise<PromptView> {
      await sessions.get(actor, sessionId)
      const { state } = await readState(store, sessionId, shownLimits(deps.settings))
      const model = modelNamed(state.round?.model ?? state.model ?? standard, deps)
      const { offered, workspace } = await stepContext(state, { mode: 'act', permissions: actor.permissions }, deps)
      const { layers, messages } = await promptFor(state, deps.settings, workspace, offered, model)
      return {
        sessionId,
        systemPrompt: layers.map((layer) => layer.text).join('\n\n'),
        layers: layers.map((layer) => ({ ...layer, tokens: tokensOf(layer.text.length) })),
        messages: messages.length,
      }
    },

    /** Tokens and cost of ended rounds by user and model: one's own or, with `all`, everybody's. */
    async usage(
      actor: Actor,
      { all = false, ...query }: { sessionId?: string; since?: number; until?: number; all?: boolean },
    ): Promise<readonly UsageView[]> {
      need(actor, all ? 'user:read' : 'chat:read')
      const owner = query.sessionId === undefined ? actor.id : (await sessions.get(actor, query.sessionId)).owner.id
      return store.usage({ tenant: actor.tenant, ...query, ...(!all && { owner }) })
    },

    /** For everybody in the tenant who may read traces. */
    async trace(actor: Actor, requestId: string): Promise<TraceEntry[]> {
      need(actor, 'trace:read')
      const round = await store.round(requestId)
      const session = round && (await store.session(round.sessionId))
      if (!round || session?.owner.tenant !== actor.tenant)
        throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
      if (round.endedAt !== undefined && round.endedAt + traceMs < deps.clock.now())
        throw new Problem('NOT_FOUND', 'The trace of this round has expired (limit TRACE_MS).')
      return traceOf(await Promise.all((await roundEvents(store, round)).map(whole)))
    },
  }
}
