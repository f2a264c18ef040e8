import { filesOf, type StoredEvent, type ToolResult } from '../contract/event.ts'
import type { Outcome } from '../contract/outcome.ts'
import { textOf, type AssistantPart, type Message } from '../contract/message.ts'
import type { ToolResultPart, UserPart } from '../contract/message.ts'
import { charsOfFiles } from '../lib/token-guess.ts'

/**
 * The conversation as exchanges: a user message and everything up to the next. Results are stored by call, so that a
 * call is never separated from its result.
 */
export interface History {
  summary: { text: string; eventId: string } | null
  /** the number of the summary event */
  summaryAt: number | null
  /** nothing up to this number is shown: it was cleared, or is in the summary */
  after: number
  exchanges: Exchange[]
  results: Map<string, Result>
  hidden: Set<string>
}

export interface Exchange {
  readonly user: { readonly eventId: string; readonly seq: number; readonly parts: readonly UserPart[] } | null
  readonly said: Said[]
  /** characters of each message, and of all of them, for cutting */
  readonly sizes: number[]
  chars: number
}

/** An assistant message with its calls. */
interface Said {
  readonly eventId: string
  readonly parts: readonly AssistantPart[]
  shown?: Shown
}

/** What is shown of it, cached for one presenter and number of hidden messages. */
interface Shown {
  readonly parts: readonly AssistantPart[]
  readonly results: { readonly parts: readonly ToolResultPart[]; readonly eventId: string }[]
  readonly present: PresentResult
  readonly hidden: number
}

interface Result extends Readonly<Pick<ToolResult, 'content' | 'name' | 'outcome' | 'files'>> {
  readonly eventId: string
}

/** How a result is shown to the reader of the messages. */
export type PresentResult = (content: string, tool: string, callId: string, outcome: Outcome) => string

export function emptyHistory(): History {
  return { summary: null, summaryAt: null, after: 0, exchanges: [], results: new Map(), hidden: new Set() }
}

/** Characters of the message in an event, undefined if it has none. */
export function messageChars(event: StoredEvent): number | undefined {
  switch (event.type) {
    case 'message.user':
      return event.data.redacted ? undefined : textOf(event.data.content).length + charsOfFiles(filesOf(event))
    case 'message.assistant':
      return event.data.redacted ? undefined : event.data.content.reduce((sum, part) => sum + partChars(part), 0)
    case 'tool.result':
      return event.data.content.length + charsOfFiles(filesOf(event))
    default:
      return undefined
  }
}

export function evolveHistory(history: History, event: StoredEvent): void {
  const chars = messageChars(event)
  switch (event.type) {
    case 'message.user':
      if (chars === undefined) return
      history.exchanges.push({
        user: { eventId: event.id, seq: event.seq, parts: event.data.content },
        said: [],
        sizes: [chars],
        chars,
      })
      return
    case 'message.assistant': {
      if (chars === undefined) return
      const exchange = lastExchange(history)
      exchange.said.push({ eventId: event.id, parts: event.data.content })
      grow(exchange, chars)
      return
    }
    case 'tool.result': {
      const { callId, content, name, outcome, files } = event.data
      history.results.set(callId, { eventId: event.id, content, name, outcome, ...(files && { files }) })
      grow(lastExchange(history), chars ?? 0)
      return
    }
    case 'message.deleted':
      history.hidden.add(event.data.target)
      return
    case 'context.cleared':
      history.summary = null
      history.summaryAt = null
      history.after = event.seq
      history.exchanges = []
      history.results.clear()
      return
    case 'compact.summary':
      history.summary = { text: event.data.text, eventId: event.id }
      history.summaryAt = event.seq
      history.after = Math.max(history.after, event.data.upTo)
      history.exchanges = history.exchanges.filter((exchange) => (exchange.user?.seq ?? 0) > event.data.upTo)
      return
    default:
      return
  }
}

/** An assistant message without a user message before it starts its own exchange. */
function lastExchange({ exchanges }: History): Exchange {
  if (exchanges.length === 0) exchanges.push({ user: null, said: [], sizes: [], chars: 0 })
  return exchanges.at(-1) as Exchange
}

function grow(exchange: Exchange, chars: number): void {
  exchange.sizes.push(chars)
  exchange.chars += chars
}

function partChars(part: AssistantPart): number {
  if (part.type === 'tool_use') return part.name.length + (part.raw?.length ?? JSON.stringify(part.input).length)
  return part.text.length
}

const unchanged: PresentResult = (content) => content

/** The messages for a model: roles alternate, the first is a user message, every tool use is followed by its result. */
export function toMessages(
  history: History,
  exchanges: readonly Exchange[] = history.exchanges,
  present: PresentResult = unchanged,
): Message[] {
  const list = new Alternating()
  if (history.summary) {
    list.user(
      [{ type: 'text', text: `Summary of the conversation so far:\n${history.summary.text}` }],
      history.summary.eventId,
    )
  }
  for (const exchange of exchanges) {
    if (exchange.user && !history.hidden.has(exchange.user.eventId))
      list.user(exchange.user.parts, exchange.user.eventId)
    for (const said of exchange.said) if (!history.hidden.has(said.eventId)) addSaid(list, history, said, present)
  }
  return list.messages
}

/** Providers refuse tool names outside of this pattern, though models make them up. */
const NAME = /^[\w-]{1,64}$/

function addSaid(list: Alternating, history: History, said: Said, present: PresentResult): void {
  const { parts, results } = shownOf(history, said, present)
  if (!parts.some((part) => part.type !== 'reasoning')) return
  list.assistant(parts, said.eventId)
  for (const result of results) list.user(result.parts, result.eventId)
}

/** Cached once all calls of the message have results, because it does not change any more. */
function shownOf(history: History, said: Said, present: PresentResult): Shown {
  const known = said.shown
  if (known && known.present === present && known.hidden === history.hidden.size) return known
  const shown = show(history, said, present)
  if (said.parts.every((part) => part.type !== 'tool_use' || history.results.has(part.id))) said.shown = shown
  return shown
}

function show(history: History, said: Said, present: PresentResult): Shown {
  const results: Shown['results'] = []
  const parts = said.parts.flatMap((part): AssistantPart[] => {
    // Reasoning without text may still carry data the model wants back.
    if (part.type === 'reasoning' && part.meta?.data !== undefined) return [part]
    // Providers refuse blank text, though models write it.
    if (part.type !== 'tool_use') return part.text.trim() === '' ? [] : [part]
    const result = history.results.get(part.id)
    // A use without a result is not shown, nor is a pair of which one is hidden.
    if (!result || history.hidden.has(result.eventId)) return []
    const { files } = result
    const content = present(result.content, result.name, part.id, result.outcome)
    const is_error = result.outcome !== 'ok'
    results.push({
      parts: [{ type: 'tool_result', tool_use_id: part.id, content, is_error, ...(files && { files }) }],
      eventId: result.eventId,
    })
    return [NAME.test(part.name) ? part : { ...part, name: part.name.replaceAll(/[^\w-]/g, '_').slice(0, 64) }]
  })
  return { parts, results, present, hidden: history.hidden.size }
}

/** A message under construction; consecutive parts of the same role are added to it. */
interface MessageDraft {
  readonly role: Message['role']
  readonly content: (UserPart | ToolResultPart | AssistantPart)[]
  readonly eventIds: string[]
}

class Alternating {
  readonly #messages: MessageDraft[] = []

  get messages(): Message[] {
    return this.#messages as Message[]
  }

  user(parts: readonly (UserPart | ToolResultPart)[], eventId: string): void {
    this.#say('user', parts, eventId)
  }

  assistant(parts: readonly AssistantPart[], eventId: string): void {
    if (this.#messages.length === 0)
      this.#messages.push({ role: 'user', content: [{ type: 'text', text: REMOVED }], eventIds: [] })
    this.#say('assistant', parts, eventId)
  }

  #say(role: MessageDraft['role'], parts: Readonly<MessageDraft['content']>, eventId: string): void {
    let last = this.#messages.at(-1)
    if (last?.role !== role) this.#messages.push((last = { role, content: [], eventIds: [] }))
    for (const part of parts) last.content.push(part)
    last.eventIds.push(eventId)
  }
}

const REMOVED = '(An earlier message was removed.)'
