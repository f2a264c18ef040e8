import type { InputBody } from '../contract/input.ts'
import { filesOf, type StoredEvent } from '../contract/event.ts'

export function hashesOf(event: StoredEvent): string[] {
  return [...textsOf(event), ...filesOf(event).map(({ hash }) => hash)]
}

/** Texts that an event only names: a whole output, and what a provider said. */
function textsOf(event: StoredEvent): string[] {
  if (event.type === 'tool.result') return event.data.blob === undefined ? [] : [event.data.blob]
  if (event.type !== 'turn.retried' && event.type !== 'turn.ended') return []
  return event.data.providerSaid === undefined ? [] : [event.data.providerSaid]
}

export function hashesIn(body: InputBody): string[] {
  if (body.kind === 'result') {
    const { blob, files = [] } = body.content
    return [...(blob === undefined ? [] : [blob]), ...files.map(({ hash }) => hash)]
  }
  if (body.kind !== 'message' || typeof body.content === 'string') return []
  return body.content.flatMap((part) => (part.type === 'file' ? [part.hash] : []))
}
