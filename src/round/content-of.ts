import type { StoredEvent } from '../contract/event.ts'
import { textOf, type JsonObject } from '../contract/message.ts'
import { redactedJson } from '../contract/redacted-json.ts'
import type { ListStore, LogStore } from '../store/index.ts'
import { shownLimits } from './prompt-for.ts'
import { readState } from './read-state.ts'
import type { Settings } from './deps.ts'

interface ContentOptions {
  readonly settings: Settings
  /** removes this installation's secrets from a text */
  redact(text: string): string
}

/** What `outboxOf` says of an event. */
interface Told {
  readonly data: JsonObject
}

/** Events of a round that are looked through for the call that an event is about. */
const MOST_BACK = 200

/** The words behind what automations were told, as they are now: undefined if they are deleted or there are none. */
export function contentOf(store: LogStore & ListStore, { settings, redact }: ContentOptions) {
  return async (tenant: string, { data }: Told): Promise<JsonObject | undefined> => {
    const { sessionId, eventId, seq } = data
    if (typeof sessionId !== 'string' || typeof eventId !== 'string' || typeof seq !== 'number') return undefined
    const session = await store.session(sessionId)
    if (session?.owner.tenant !== tenant) return undefined
    const before = await store.read(sessionId, { after: Math.max(0, seq - MOST_BACK), upTo: seq })
    const event = before.at(-1)
    if (event?.id !== eventId) return undefined
    const { hidden } = (await readState(store, sessionId, shownLimits(settings))).state.history
    if (causesOf(event, before).some(({ id }) => hidden.has(id))) return undefined
    const words = wordsOf(event, before)
    return words && (redactedJson(words, redact) as JsonObject)
  }
}

/** The event itself and the message that asked for its call: deleting either deletes its words. */
function causesOf(event: StoredEvent, before: readonly StoredEvent[]): readonly StoredEvent[] {
  const callId = 'callId' in event.data ? event.data.callId : undefined
  if (callId === undefined) return [event]
  const isAsking = (one: StoredEvent): boolean =>
    one.type === 'message.assistant' && one.data.content.some((part) => part.type === 'tool_use' && part.id === callId)
  return [event, ...before.filter(isAsking)]
}

function wordsOf(event: StoredEvent, before: readonly StoredEvent[]): JsonObject | undefined {
  switch (event.type) {
    case 'message.user':
    case 'message.assistant':
      return { text: textOf(event.data.content) }
    case 'tool.result': {
      const { callId, content: result } = event.data
      const call = before.find((one) => one.type === 'tool.call' && one.data.callId === callId)
      return { ...(call?.type === 'tool.call' && { args: call.data.args }), result }
    }
    case 'approval.requested': {
      const { args, target, reason, question } = event.data
      return { args, target, reason, ...(question && { question: question.message }) }
    }
    case 'approval.decided':
      return event.data.reason === undefined ? undefined : { reason: event.data.reason }
    default:
      return undefined
  }
}
