import type { InputBody } from '../../contract/input.ts'
import { cleanText } from '../clean-text.ts'

/** The fields of waiting inputs that are queried; bodies are opaque to the database. */
export function inputColumns(body: InputBody) {
  const message = body.kind === 'message' ? body : undefined
  return {
    kind: body.kind,
    request_id: 'requestId' in body ? cleanText(body.requestId) : null,
    protocol: message?.protocol ?? null,
    mode: message?.mode ?? null,
    model: message ? cleanText(message.model) : null,
    decision: body.kind === 'decision' ? body.decision : null,
  }
}
