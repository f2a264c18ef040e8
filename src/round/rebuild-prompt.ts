import { assemble, RENDERER, textKey, type Choice, type RetrievedTexts } from '../context/index.ts'
import type { EventOf, StoredEvent } from '../contract/event.ts'
import type { SentPrompt } from '../contract/sent-prompt.ts'
import type { Part, Prompt } from '../contract/prompt.ts'
import type { JsonSchema } from '../contract/tool.ts'
import type { RoundView } from '../contract/views.ts'
import { fold, openExchanges, retrievedIn } from '../session/index.ts'
import type { LogStore, PromptStore } from '../store/index.ts'
import { retrievedTexts, type TextStore } from './retrieved-texts.ts'
import { roundEvents } from './fold-stored.ts'

/** A prompt that was sent, built again from the log and the parts it names. */
export interface Rebuilt {
  readonly prompt: Prompt
  readonly tools: readonly { readonly name: string; readonly description: string; readonly jsonSchema: JsonSchema }[]
  readonly sent: SentPrompt
  /** what the provider was to hold the answer to */
  readonly output?: JsonSchema
  readonly choice: Choice
  /** the words of what was looked up; what was deleted since is missing */
  readonly texts: RetrievedTexts
  readonly model: string
  readonly attempt: number
  readonly seq: number
  /** hashes of parts that are erased; their texts are empty */
  readonly erased: ReadonlySet<string>
  /** this Segno would build the same */
  readonly isExact: boolean
}

type Start = EventOf<'turn.started'> | EventOf<'turn.retried'>

const isStart = (event: StoredEvent, turn: number): event is Start =>
  (event.type === 'turn.started' || event.type === 'turn.retried') && event.data.turn === turn

/**
 * The last attempt at a turn, or an earlier one, counted from 1; undefined if there is none, or it is from before prompts
 * were recorded.
 */
export async function rebuildPrompt(
  store: LogStore & TextStore,
  round: RoundView,
  turn: number,
  attempt?: number,
): Promise<Rebuilt | undefined> {
  const { sessionId, startSeq } = round
  const events = await roundEvents(store, round)
  const starts = events.filter((event) => isStart(event, turn))
  const recorded = starts.filter(({ data }) => data.sent !== undefined)
  const start = attempt === undefined ? recorded.at(-1) : recorded[attempt - 1]
  const sent = start?.data.sent
  if (!start || !sent) return undefined
  const { from = 0 } = start.data
  // Earlier events than the first message it shows do not matter.
  const first = Math.min(startSeq, from || startSeq)
  const state = fold(await store.read(sessionId, { after: first - 1, upTo: start.seq - 1 }))
  const summary =
    sent.summary === undefined ? [] : await store.read(sessionId, { after: sent.summary - 1, upTo: sent.summary })
  state.history.summaries = summary.flatMap((event) =>
    event.type === 'compact.summary'
      ? [{ eventId: event.id, seq: event.seq, upTo: event.data.upTo, before: null, text: event.data.text }]
      : [],
  )
  const { parts, tools, erased } = await textsOf(store, sent)
  const choice: Choice = {
    from,
    isCut: sent.cut === true,
    hasSummary: sent.summary !== undefined,
    added: start.data.added ?? [],
    ...(start.data.retrieved && { retrieved: start.data.retrieved }),
    shortened: sent.shortened ?? [],
    withoutFiles: sent.withoutFiles ?? [],
  }
  const shown = openExchanges(state.history).filter(({ seq }) => seq >= from)
  const retrieved = [...retrievedIn(state.history, shown), ...(choice.retrieved ?? [])]
  // The session may have begun before what was read.
  const actor = events.find((event) => event.type === 'round.started')?.data.actor ?? state.actor
  const found = await retrievedTexts(store, actor, retrieved)
  const isWhole = retrieved.every((one) => found.has(textKey(one)))
  return {
    prompt: assemble(state, parts, choice, found),
    texts: found,
    tools,
    sent,
    ...(sent.params.output && outputOf(events)),
    choice,
    model: start.data.model,
    attempt: recorded.indexOf(start) + 1,
    seq: start.seq,
    erased,
    isExact: sent.renderer === RENDERER && erased.size === 0 && isWhole,
  }
}

function outputOf(events: readonly StoredEvent[]): Pick<Rebuilt, 'output'> {
  const started = events.find((event) => event.type === 'round.started')
  const schema = started?.data.params?.output?.schema
  return schema ? { output: schema } : {}
}

async function textsOf(store: Pick<PromptStore, 'parts'>, sent: SentPrompt) {
  const hashes = [...sent.parts.map(({ hash }) => hash), ...(sent.tools === undefined ? [] : [sent.tools])]
  const texts = await store.parts(hashes)
  const parts = sent.parts.map((ref): Part => ({ ...ref, text: texts.get(ref.hash) ?? '' }))
  const tools = JSON.parse((sent.tools && texts.get(sent.tools)) ?? '[]') as Rebuilt['tools']
  return { parts, tools, erased: new Set(hashes.filter((hash) => !texts.has(hash))) }
}
