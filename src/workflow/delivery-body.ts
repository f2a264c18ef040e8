import type { AutomationEvent } from '../contract/automation.ts'
import type { JsonObject } from '../contract/message.ts'
import { isOwnType } from './event-types.ts'

/**
 * What a webhook is told of an event. What came from outside may be words, so only one with content keeps it; the words
 * of a conversation are looked up when it is sent.
 */
export function deliveryBody(event: AutomationEvent, content: boolean, url: string | undefined): JsonObject {
  const { id, type, at, payload, sessionId } = event
  const link = linkTo(url, sessionId)
  return {
    id,
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      ...(isOwnType(type) ? payload : { chars: JSON.stringify(payload).length }),
      ...(link !== undefined && { link }),
      ...(content && !isOwnType(type) && { content: payload }),
    },
  }
}

/** The conversation on the page. */
const linkTo = (url: string | undefined, sessionId: string | undefined): string | undefined =>
  url === undefined || sessionId === undefined ? undefined : `${url}/#/s/${encodeURIComponent(sessionId)}`
