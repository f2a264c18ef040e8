import type { Input, InputBody } from '../contract/input.ts'

/**
 * The unique key of a waiting input, so that asking twice counts once; undefined for inputs that count each time.
 * `waiting` is needed only for `clear`.
 */
export function keyOf(body: InputBody, waiting: readonly Input[]): string | undefined {
  switch (body.kind) {
    case 'message':
    case 'cancel':
    case 'pause':
    case 'resume':
      return `${body.kind}:${body.requestId}`
    case 'decision':
      return `decision:${body.approvalId}`
    case 'result':
    case 'reconcile':
      return `${body.kind}:${body.callId}`
    case 'delete-message':
      return `delete-message:${body.eventId}`
    case 'delete':
    case 'compact':
    case 'title':
      return body.kind
    case 'clear':
      return clearKey(waiting)
    case 'change':
    case 'archive':
      return undefined
  }
}

/** A second clear counts only if a message was sent in between. */
function clearKey(waiting: readonly Input[]): string {
  const last = waiting.findLast(({ body }) => body.kind === 'message' || body.kind === 'clear')
  return last?.body.kind === 'message' ? `clear:${last.body.requestId}` : (last?.key ?? 'clear')
}

/** These let a session continue, so they are accepted even if too many inputs wait. */
export function movesOn({ kind }: InputBody): boolean {
  return kind === 'cancel' || kind === 'decision' || kind === 'result' || kind === 'resume' || kind === 'delete'
}
