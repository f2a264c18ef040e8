import type { AddedText, Retrieved } from '../contract/sent-prompt.ts'
import type { Message } from '../contract/message.ts'
import type { Part, Prompt } from '../contract/prompt.ts'
import { betweenMarkers, plainName } from '../lib/between-markers.ts'
import {
  openExchanges,
  seqOf,
  toMessages,
  type Call,
  type Exchange,
  type Presenting,
  type Round,
  type SessionState,
} from '../session/index.ts'
import { addedTo, type Surroundings } from './added.ts'
import { cutExchanges, tokensOf, type CutLimits } from './cut.ts'
import { withFilesOf } from './files.ts'
import { presentResult } from './present-result.ts'
import { presentRetrieved, type RetrievedTexts } from './present-retrieved.ts'
import { retrievedTo, type Offered, type Shares } from './retrieved.ts'
import { NOTHING_SHORTENED, shorten, whatToShorten, type Note, type Shortened } from './shorten.ts'

/** Raised whenever the same log and parts give another prompt. */
export const RENDERER = 2

export interface PromptOptions {
  /** the system texts in their order */
  readonly parts: readonly Part[]
  readonly limits: CutLimits
  /** where the conversation shown to this model began so far; see `cutExchanges` */
  readonly from?: number | undefined
  /** what to tell the model with the message of a round that begins */
  readonly around?: Surroundings | undefined
  /** what is asked of this answer, besides what the user said */
  readonly asked?: readonly AddedText[] | undefined
  /** what was looked up for a round that begins, and how much of it may be told */
  readonly offered?: readonly Offered[] | undefined
  readonly shares?: Shares | undefined
  /** the words of everything that was looked up, now and before */
  readonly texts?: RetrievedTexts | undefined
}

/** How much of what can be shown a summary may take, before it is left out like what is cut. */
const SUMMARY_SHARE = 0.5

/** What was decided for one prompt; with it and the log, the same prompt can be built again. */
export interface Choice extends Shortened {
  /** the first event of the conversation that is shown */
  readonly from: number
  /** something before it is left out that no summary stands for */
  readonly isCut: boolean
  /** what the model is told with the last message, if that is not what the log says */
  readonly added: readonly AddedText[]
  /** what was looked up for the last message, if that is not what the log says */
  readonly retrieved?: readonly Retrieved[]
  /** the summary in force is shown */
  readonly hasSummary: boolean
}

export interface Built {
  readonly prompt: Prompt
  readonly choice: Choice
}

/** The layers in order, and as much of the conversation as fits. */
export function buildPrompt(state: SessionState, options: PromptOptions): Built {
  const exchanges = openExchanges(state.history)
  const shown = exchanges.slice(cutExchanges(exchanges, options.limits, options.from))
  const from = seqOf(shown[0])
  const { first, summaries } = state.history
  const summary = summaries.at(-1)
  const hasSummary = summary !== undefined && tokensOf(summary.text.length) <= options.limits.tokens * SUMMARY_SHARE
  const { offered = [], shares, texts = NO_TEXTS } = options
  const retrieved = retrievedTo(state.history, shown, offered, shares, state.labels)
  const whole: Choice = {
    from,
    isCut: (first !== null && from > first) || (summary !== undefined && !hasSummary),
    hasSummary,
    added: addedTo(shown, state.history.hidden, options.around, options.asked),
    ...(retrieved && { retrieved }),
    ...NOTHING_SHORTENED,
  }
  const conversation = conversationOf(state, shown, whole, texts)
  const { messages, notes } = conversation
  const choice = { ...whole, ...whatToShorten(messages, notes, options.limits.tokens) }
  return { prompt: promptOf(options.parts, conversation, choice), choice }
}

/** The prompt of a choice that was made before. */
export function assemble(
  state: SessionState,
  parts: readonly Part[],
  choice: Choice,
  texts: RetrievedTexts = NO_TEXTS,
): Prompt {
  const shown = openExchanges(state.history).filter(({ seq }) => seq >= choice.from)
  return promptOf(parts, conversationOf(state, shown, choice, texts), choice)
}

function promptOf(parts: readonly Part[], conversation: Conversation, shortened: Shortened): Prompt {
  const { messages, notes } = shorten(conversation, shortened)
  const told = [...notes.map(({ text }) => text), ...conversation.told]
  return { parts, messages: withFilesOf(notes, messages), notes: told }
}

interface Conversation {
  readonly messages: readonly Message[]
  /** the calls of an open triggered round, which come before the user's message */
  readonly notes: readonly Note[]
  /** what Segno told the model in that round */
  readonly told: readonly string[]
}

function conversationOf(
  state: SessionState,
  shown: readonly Exchange[],
  { isCut, added, retrieved, hasSummary }: Choice,
  texts: RetrievedTexts,
): Conversation {
  const { round } = state
  const isWhole = hasSummary || state.history.summaries.length === 0
  const history = isWhole ? state.history : { ...state.history, summaries: [] }
  const last = shown.at(-1)
  const present = {
    ...(isCut ? PRESENT_CUT : PRESENT),
    retrieved: (found: readonly Retrieved[]) => presentRetrieved(found, texts),
  }
  const open = last && { ...last, ...(added.length > 0 && { added }), ...(retrieved && { retrieved }) }
  if (!open || round?.started.protocol !== 'triggered' || round.started.toolResultsAs !== 'system')
    return { messages: toMessages(history, withLast(shown, open), present), notes: [], told: [] }
  return {
    messages: toMessages(history, withLast(shown, { ...open, said: [] }), present),
    notes: round.calls.flatMap((call, i) => noteOf(call, i + 1, round, present.retrieved)),
    told: open.said.flatMap((one) => ('told' in one ? [one.told] : [])),
  }
}

const withLast = (shown: readonly Exchange[], last: Exchange | undefined): readonly Exchange[] =>
  last ? [...shown.slice(0, -1), last] : shown

const NO_TEXTS: RetrievedTexts = new Map()
const LEFT_OUT = 'Earlier messages of this conversation are left out here.'
const fromSegno = (text: string): string => `[From Segno, not from the user: ${text}]`

const PRESENT: Omit<Presenting, 'retrieved'> = {
  result: presentResult,
  summary: (text, eventId) => betweenMarkers(text, eventId, 'a summary of the conversation before this point'),
  added: fromSegno,
}
const PRESENT_CUT: Omit<Presenting, 'retrieved'> = { ...PRESENT, before: fromSegno(LEFT_OUT) }

/**
 * A call as a triggered round shows it in a system message; between markers, because even the model's own words may
 * repeat foreign text.
 */
function noteOf(
  { name, turn, callId, raw, args, result }: Call,
  call: number,
  round: Round,
  retrieved: Presenting['retrieved'],
): Note[] {
  if (!result) return []
  const tool = plainName(name)
  const said = round.said.get(turn)
  const lines = [
    ...(said ? [`You already told the user: ${JSON.stringify(said)}`] : []),
    `You called it with ${raw ?? JSON.stringify(args)}.`,
    result.content,
  ]
  const outcome = result.code === undefined ? result.outcome : `${result.outcome}, ${result.code}`
  const marked = betweenMarkers(lines.join('\n'), callId, `your call of ${tool} and what came of it`)
  const head = `In this round you called ${tool} (${outcome}).`
  const text = [head, marked, ...retrieved(result.retrieved ?? [])].join('\n')
  return [{ text, files: result.files ?? [], call, callId, tool }]
}
