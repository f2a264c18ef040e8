import type { Retrieved } from '../contract/sent-prompt.ts'
import {
  CONTINUED,
  textOf,
  type AssistantPart,
  type MadeFile,
  type Source,
  type Message,
  type ToolResultPart,
  type UserPart,
} from '../contract/message.ts'
import { openExchanges, type Exchange, type History, type PresentResult, type Said, type Shown } from './history.ts'

/** How the words of others and of Segno are shown to the reader of the messages. */
export interface Presenting {
  readonly result: PresentResult
  summary(text: string, eventId: string): string
  added(text: string): string
  /** What was looked up, as texts; none for people. */
  retrieved(found: readonly Retrieved[]): readonly string[]
  /** stands before the first exchange */
  readonly before?: string
}

const PLAIN: Presenting = {
  result: (content) => content,
  summary: (text) => `Summary of the conversation so far:\n${text}`,
  added: (text) => text,
  retrieved: () => [],
}

/** The messages for a model: roles alternate, the first is a user message, every tool use is followed by its result. */
export function toMessages(
  history: History,
  exchanges: readonly Exchange[] = openExchanges(history),
  present: Presenting = PLAIN,
): Message[] {
  const list = new Alternating()
  const summary = history.summaries.at(-1)
  if (summary) list.user([{ type: 'text', text: present.summary(summary.text, summary.eventId) }], summary.eventId)
  if (present.before !== undefined) list.user([{ type: 'text', text: present.before }])
  for (const exchange of exchanges) {
    const { user, said } = exchange
    if (user && !history.hidden.has(user.eventId)) list.user(userParts(user, exchange, present), user.eventId)
    for (const one of said) {
      if (history.hidden.has(one.eventId)) continue
      if ('parts' in one) addSaid(list, history, one, present)
      else if (present !== PLAIN) list.user([{ type: 'text', text: present.added(one.told) }], one.eventId)
    }
  }
  return list.messages
}

/** Segno's words are for models; readers see what people and models said. */
function userParts(
  { parts, own }: NonNullable<Exchange['user']>,
  { added, retrieved }: Pick<Exchange, 'added' | 'retrieved'>,
  present: Presenting,
): readonly UserPart[] {
  if (present === PLAIN) return own ? [textPart(CONTINUED)] : parts
  const said = own ? [textPart(present.added(textOf(parts)))] : parts
  if (added.length + retrieved.length === 0) return said
  const told = [...added.map(({ text }) => present.added(text)), ...present.retrieved(retrieved)]
  return [...told.map(textPart), ...said]
}

const textPart = (text: string): UserPart => ({ type: 'text', text })

/** Providers refuse tool names outside of this pattern, though models make them up. */
const NAME = /^[\w-]{1,64}$/

function addSaid(list: Alternating, history: History, said: Said, present: Presenting): void {
  const { parts, results } = shownOf(history, said, present)
  if (!parts.some(isShown)) return
  list.assistant(parts, said.eventId, said.sources)
  for (const result of results) list.user(result.parts, result.eventId)
}

/** Cached once all calls of the message have results, because it does not change any more, unless it has passages. */
function shownOf(history: History, said: Said, present: Presenting): Shown {
  const known = said.shown
  if (known && known.present === present.result && known.hidden === history.hidden.size) return known
  const shown = show(history, said, present)
  const stays = (callId: string): boolean => {
    const result = history.results.get(callId)
    return result !== undefined && result.retrieved === undefined
  }
  if (said.parts.every((part) => part.type !== 'tool_use' || stays(part.id))) said.shown = shown
  return shown
}

function show(history: History, said: Said, present: Presenting): Shown {
  const results: Shown['results'] = []
  const parts = said.parts.flatMap((part): AssistantPart[] => {
    // What has no words may still carry data the model wants back.
    if (part.type !== 'tool_use' && part.meta?.data !== undefined) return [part]
    // Providers refuse blank text, though models write it.
    if (part.type !== 'tool_use') return part.text.trim() === '' ? [] : [part]
    const result = history.results.get(part.id)
    // A use without a result is not shown, nor is a pair of which one is hidden.
    if (!result || history.hidden.has(result.eventId)) return []
    const { files, retrieved = [] } = result
    const words = present.result(result.content, result.name, part.id, result.outcome)
    const content = [words, ...present.retrieved(retrieved)].join('\n')
    const is_error = result.outcome !== 'ok'
    results.push({
      parts: [{ type: 'tool_result', tool_use_id: part.id, content, is_error, ...(files && { files }) }],
      eventId: result.eventId,
    })
    return [NAME.test(part.name) ? part : { ...part, name: part.name.replaceAll(/[^\w-]/g, '_').slice(0, 64) }]
  })
  return { parts: withFiles(parts, said.files), results, present: present.result, hidden: history.hidden.size }
}

const isShown = (part: AssistantPart | MadeFile): boolean =>
  part.type === 'tool_use' || part.type === 'file' || (part.type === 'text' && part.text.trim() !== '')

/** Files stand before calls, which come last. */
function withFiles(parts: readonly AssistantPart[], files: readonly MadeFile[] = []): (AssistantPart | MadeFile)[] {
  const at = parts.findIndex((part) => part.type === 'tool_use')
  const calls = at < 0 ? parts.length : at
  return [...parts.slice(0, calls), ...files, ...parts.slice(calls)]
}

/** A message under construction; consecutive parts of the same role are added to it. */
interface MessageDraft {
  readonly role: Message['role']
  readonly content: (UserPart | ToolResultPart | AssistantPart | MadeFile)[]
  readonly eventIds: string[]
  sources?: readonly Source[]
}

class Alternating {
  readonly #messages: MessageDraft[] = []

  get messages(): Message[] {
    return this.#messages as Message[]
  }

  user(parts: readonly (UserPart | ToolResultPart)[], eventId?: string): void {
    this.#say('user', parts, eventId)
  }

  assistant(
    parts: readonly (AssistantPart | MadeFile)[],
    eventId: string,
    sources: readonly Source[] | undefined,
  ): void {
    if (this.#messages.length === 0)
      this.#messages.push({ role: 'user', content: [{ type: 'text', text: REMOVED }], eventIds: [] })
    const message = this.#say('assistant', parts, eventId)
    if (sources) message.sources = [...(message.sources ?? []), ...sources]
  }

  #say(role: MessageDraft['role'], parts: Readonly<MessageDraft['content']>, eventId?: string): MessageDraft {
    let last = this.#messages.at(-1)
    if (last?.role !== role) this.#messages.push((last = { role, content: [], eventIds: [] }))
    for (const part of parts) last.content.push(part)
    if (eventId !== undefined) last.eventIds.push(eventId)
    return last
  }
}

const REMOVED = '(An earlier message was removed.)'
