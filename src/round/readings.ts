import { traceOf, type TraceEntry } from '../audit/index.ts'
import type { Actor } from '../contract/actor.ts'
import type { StoredEvent } from '../contract/event.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import type { CitedView, PromptView, SentPromptView, UsageView } from '../contract/views.ts'
import { tokensOf } from '../context/index.ts'
import { chunkKey, type ListStore, type LogStore, type PromptStore } from '../store/index.ts'
import { stepContext } from './work.ts'
import type { Deps } from './deps.ts'
import { findById, roundEvents } from './fold-stored.ts'
import { givenOf } from './given-for.ts'
import { modelNamed, promptFor, shownLimits } from './prompt-for.ts'
import { promptView } from './prompt-view.ts'
import { readState } from './read-state.ts'
import { rebuildPrompt } from './rebuild-prompt.ts'
import type { TextStore } from './retrieved-texts.ts'
import { canSee, type Sessions } from './sessions.ts'

export type Readings = ReturnType<typeof createReadings>

/** What can be read from a log besides its events: the next prompt, usage, and traces. */
export function createReadings(
  store: LogStore & ListStore & PromptStore & TextStore,
  sessions: Sessions,
  deps: Deps,
  standard: string,
  traceMs: number,
) {
  async function text(hash: string | undefined): Promise<string | undefined> {
    const bytes = hash === undefined ? undefined : await store.blob(hash)
    return bytes && Buffer.from(bytes).toString()
  }

  /** A result with its whole output, which the log may have cut, and a failure with what the provider said. */
  async function whole(event: StoredEvent): Promise<StoredEvent> {
    if (event.type === 'tool.result') {
      const content = await text(event.data.blob)
      return content === undefined ? event : { ...event, data: { ...event.data, content } }
    }
    if (event.type === 'turn.retried') return { ...event, data: await withSaid(event.data) }
    return event.type === 'turn.ended' ? { ...event, data: await withSaid(event.data) } : event
  }

  async function withSaid<Data extends { providerSaid?: string }>({ providerSaid: hash, ...data }: Data) {
    const providerSaid = await text(hash)
    return { ...data, ...(providerSaid !== undefined && { providerSaid }) }
  }

  return {
    async prompt(actor: Actor, sessionId: string): Promise<PromptView> {
      await sessions.get(actor, sessionId)
      const { state } = await readState(store, sessionId, shownLimits(deps.settings))
      const model = modelNamed(state.round?.model ?? state.model ?? standard, deps)
      const mode = state.promptId === null ? 'act' : 'plan'
      const { params, protocol } = state
      const allowed = { mode, permissions: actor.permissions, params, ...(protocol && { protocol }) } as const
      const context = await stepContext(state, allowed, deps)
      const { prompt } = await promptFor(state, deps.settings, await givenOf(state, context, deps), model)
      return {
        sessionId,
        systemPrompt: prompt.parts.map(({ text }) => text).join('\n\n'),
        layers: prompt.parts.map(({ layer, id, text, hash }) => ({
          name: id === 'workspace' ? id : layer,
          text,
          tokens: tokensOf(text.length),
          hash,
        })),
        messages: prompt.messages.length,
      }
    },

    /** What the model was sent in a turn, in the last attempt or an earlier one. */
    async sentPrompt(actor: Actor, requestId: string, turn: number, attempt?: number): Promise<SentPromptView> {
      const round = await store.round(requestId)
      if (!round || !(await canSee(store, actor, round)))
        throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
      const rebuilt = await rebuildPrompt(store, round, turn, attempt)
      if (!rebuilt)
        throw new Problem('NOT_FOUND', 'There is no such turn or attempt in this round, or it was not recorded yet.', {
          field: 'turn',
        })
      return promptView(store, round.sessionId, requestId, turn, rebuilt)
    },

    /** The passages that an answer cites, as far as they were not deleted. */
    async citations(actor: Actor, sessionId: string, eventId: string): Promise<readonly CitedView[]> {
      const { owner, seq } = await sessions.get(actor, sessionId)
      const event = await findById(store, sessionId, eventId, seq)
      if (event?.type !== 'message.assistant')
        throw new Problem('NOT_FOUND', `There is no answer ${eventId} in this session.`)
      const { citations = [] } = event.data
      const found = citations.length > 0 ? await store.passages(owner.tenant, citations) : new Map<string, never>()
      return citations.map((one) => {
        const passage = found.get(chunkKey(one))
        if (!passage) return { ...one, erased: true as const }
        const { title, place, text } = passage
        return { ...one, title, place, text }
      })
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
