import type { InputBody } from '../contract/input.ts'
import { filesOf, type StoredEvent } from '../contract/event.ts'

export function hashesOf(event: StoredEvent): string[] {
  const whole = event.type === 'tool.result' && event.data.blob !== undefined ? [event.data.blob] : []
  return [...whole, ...filesOf(event).map(({ hash }) => hash)]
}

export function hashesIn(body: InputBody): string[] {
  if (body.kind === 'result') {
    const { blob, files = [] } = body.content
    return [...(blob === undefined ? [] : [blob]), ...files.map(({ hash }) => hash)]
  }
  if (body.kind !== 'message' || typeof body.content === 'string') return []
  return body.content.flatMap((part) => (part.type === 'file' ? [part.hash] : []))
}
