import { filesOf, type EventOf, type StoredEvent } from '../contract/event.ts'
import type { AddedText, Retrieved } from '../contract/sent-prompt.ts'
import type { ToolResult } from '../contract/call-events.ts'
import { isCountLimit, type Outcome } from '../contract/outcome.ts'
import {
  textOf,
  type AssistantPart,
  type MadeFile,
  type Source,
  type ToolResultPart,
  type UserPart,
} from '../contract/message.ts'
import { charsOfFiles } from '../lib/token-guess.ts'

/**
 * The conversation as exchanges: a user message and everything up to the next. Results are stored by call, so that a
 * call is never separated from its result.
 */
export interface History {
  /** the last few, each of which stands for all before it too; the last one is in force */
  summaries: Summary[]
  /** nothing up to this number is shown, because the context was cleared */
  clearedAt: number
  /** where the first message after all that was cleared or summarised is, or may be; null if there is none */
  first: number | null
  /** all that are in memory, with those that a summary stands for */
  exchanges: Exchange[]
  /** the number of the last exchange that is not in memory any more, 0 if there is none */
  forgotten: number
  /** a summary no longer holds, and exchanges it stood for are not in memory */
  isIncomplete: boolean
  results: Map<string, Result>
  hidden: Set<string>
}

interface Summary {
  readonly eventId: string
  readonly seq: number
  /** it stands for everything up to this number */
  readonly upTo: number
  /** the `first` of the history without it */
  readonly before: number | null
  /** empty if it is not in memory; only that of the last one is needed */
  readonly text: string
}

/** Older ones are not gone back to when messages are deleted. */
const MOST_SUMMARIES = 10

export interface Exchange {
  /** the number of its first event */
  readonly seq: number
  readonly user: UserSaid | null
  /** what Segno told the model with the user's message */
  added: readonly AddedText[]
  /** what was looked up for it */
  retrieved: readonly Retrieved[]
  readonly said: (Said | Told)[]
  /** characters of each message, and of all of them, for cutting */
  readonly sizes: number[]
  chars: number
}

interface UserSaid {
  readonly eventId: string
  readonly parts: readonly UserPart[]
  /** the words are Segno's */
  readonly own?: true
}

/** An assistant message with its calls. */
export interface Said {
  readonly eventId: string
  readonly parts: readonly AssistantPart[]
  readonly files?: readonly MadeFile[]
  readonly sources?: readonly Source[]
  shown?: Shown
}

/** What Segno told the model between its messages. */
interface Told {
  readonly eventId: string
  readonly told: string
}

/** What is shown of it, cached for one presenter and number of hidden messages. */
export interface Shown {
  readonly parts: readonly (AssistantPart | MadeFile)[]
  readonly results: { readonly parts: readonly ToolResultPart[]; readonly eventId: string }[]
  readonly present: PresentResult
  readonly hidden: number
}

interface Result extends Readonly<Pick<ToolResult, 'content' | 'name' | 'outcome' | 'files' | 'retrieved'>> {
  readonly eventId: string
}

/** How a result is shown to the reader of the messages. */
export type PresentResult = (content: string, tool: string, callId: string, outcome: Outcome) => string

export function emptyHistory(): History {
  return {
    summaries: [],
    clearedAt: 0,
    first: null,
    exchanges: [],
    forgotten: 0,
    isIncomplete: false,
    results: new Map(),
    hidden: new Set(),
  }
}

/** Nothing up to this number is shown: it was cleared, or a summary stands for it. */
export const hiddenUpTo = ({ clearedAt, summaries }: Pick<History, 'clearedAt' | 'summaries'>): number =>
  Math.max(clearedAt, summaries.at(-1)?.upTo ?? 0)

/** The event number an exchange begins at; 0 if there is none. */
export const seqOf = (exchange: Exchange | undefined): number => exchange?.seq ?? 0

/** The exchanges that can be shown as they are. */
export function openExchanges(history: History): readonly Exchange[] {
  const after = hiddenUpTo(history)
  return after === 0 ? history.exchanges : history.exchanges.filter((exchange) => seqOf(exchange) > after)
}

/** Characters of the message in an event, undefined if it has none. */
export function messageChars(event: StoredEvent): number | undefined {
  switch (event.type) {
    case 'message.user':
      return event.data.redacted ? undefined : textOf(event.data.content).length + charsOfFiles(filesOf(event))
    case 'message.assistant':
      return event.data.redacted
        ? undefined
        : event.data.content.reduce((sum, part) => sum + partChars(part), charsOfFiles(filesOf(event)))
    case 'tool.result':
      return event.data.content.length + charsOfFiles(filesOf(event)) + charsOfRetrieved(event.data.retrieved)
    default:
      return undefined
  }
}

export function evolveHistory(history: History, event: StoredEvent): void {
  switch (event.type) {
    case 'message.deleted':
      history.hidden.add(event.data.target)
      if (event.data.seq !== undefined) dropSummaries(history, event.data.seq)
      return
    case 'context.cleared':
      Object.assign(history, { ...emptyHistory(), clearedAt: event.seq, hidden: history.hidden })
      return
    case 'compact.summary':
      addSummary(history, event)
      return
    default:
      evolveTexts(history, event)
      if (event.type === 'message.user') history.first ??= event.seq
  }
}

function addSummary(history: History, { id, seq, data }: EventOf<'compact.summary'>): void {
  const upTo = Math.max(data.upTo, hiddenUpTo(history))
  const summary = { eventId: id, seq, upTo, before: history.first, text: data.text }
  history.summaries = [...history.summaries.slice(1 - MOST_SUMMARIES), summary]
  // What is kept begins with a message, unless nothing is.
  history.first = upTo + 1 < seq ? upTo + 1 : null
}

/** What was made from a deleted message goes with it; what it stood for is shown again. */
function dropSummaries(history: History, deleted: number): void {
  const at = history.summaries.findIndex(({ upTo }) => upTo >= deleted)
  const [first] = at < 0 ? [] : history.summaries.splice(at)
  if (!first) return
  history.first = first.before ?? history.first
  history.isIncomplete ||= history.forgotten > hiddenUpTo(history) || history.summaries.at(-1)?.text === ''
}

/** The words of an event, which are all that is read again from before a snapshot. */
export function evolveTexts(history: History, event: StoredEvent): void {
  const chars = messageChars(event)
  switch (event.type) {
    case 'message.user':
      history.exchanges.push({
        seq: event.seq,
        user: event.data.redacted ? null : userSaid(event),
        added: [],
        retrieved: [],
        said: [],
        sizes: chars === undefined ? [] : [chars],
        chars: chars ?? 0,
      })
      return
    case 'turn.started':
    case 'turn.retried': {
      const exchange = history.exchanges.at(-1)
      if (!exchange) return
      const { added = exchange.added, retrieved = exchange.retrieved } = event.data
      exchange.chars += charsOfAdded(added) - charsOfAdded(exchange.added)
      exchange.chars += charsOfRetrieved(retrieved) - charsOfRetrieved(exchange.retrieved)
      exchange.added = added
      exchange.retrieved = retrieved
      return
    }
    case 'notice': {
      const { text, reason } = event.data
      // Other notices are only for people.
      if (!isCountLimit(reason)) return
      const exchange = lastExchange(history, event.seq)
      exchange.said.push({ eventId: event.id, told: text })
      exchange.chars += text.length
      return
    }
    case 'message.assistant': {
      if (chars === undefined) return
      const exchange = lastExchange(history, event.seq)
      const { content: parts, files, sources } = event.data
      exchange.said.push({ eventId: event.id, parts, ...(files && { files }), ...(sources && { sources }) })
      grow(exchange, chars)
      return
    }
    case 'tool.result': {
      const { callId, content, name, outcome, files, retrieved } = event.data
      const more = { ...(files && { files }), ...(retrieved && { retrieved }) }
      history.results.set(callId, { eventId: event.id, content, name, outcome, ...more })
      grow(lastExchange(history, event.seq), chars ?? 0)
      return
    }
    default:
      return
  }
}

const userSaid = ({ id, data: { content, own } }: EventOf<'message.user'>): UserSaid => ({
  eventId: id,
  parts: content,
  ...(own && { own }),
})

/** Whatever comes without a user message before it that is shown starts its own exchange. */
function lastExchange(history: History, seq: number): Exchange {
  const last = history.exchanges.at(-1)
  if (last && last.seq > hiddenUpTo(history)) return last
  const next: Exchange = { seq, user: null, added: [], retrieved: [], said: [], sizes: [], chars: 0 }
  history.exchanges.push(next)
  return next
}

function grow(exchange: Exchange, chars: number): void {
  exchange.sizes.push(chars)
  exchange.chars += chars
}

const charsOfAdded = (added: readonly AddedText[]): number => added.reduce((sum, { text }) => sum + text.length, 0)

const charsOfRetrieved = (retrieved: readonly Retrieved[] = []): number =>
  retrieved.reduce((sum, { chars }) => sum + chars, 0)

/** Everything that was looked up in these exchanges, in its order. */
export function retrievedIn(
  { results }: Pick<History, 'results'>,
  exchanges: readonly Exchange[],
): readonly Retrieved[] {
  return exchanges.flatMap(({ retrieved, said }) => [
    ...retrieved,
    ...said.flatMap((one) =>
      'parts' in one
        ? one.parts.flatMap((part) => (part.type === 'tool_use' ? (results.get(part.id)?.retrieved ?? []) : []))
        : [],
    ),
  ])
}

function partChars(part: AssistantPart): number {
  if (part.type === 'tool_use') return part.name.length + (part.raw?.length ?? JSON.stringify(part.input).length)
  return part.text.length
}
