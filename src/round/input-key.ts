import type { Input, InputBody } from '../contract/input.ts'

/**
 * Under which key an input waits. A session has each key once: who asks again for what waits already has asked once.
 * Undefined for what means something else each time. `waiting`: all that waits, where something is to be cleared.
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
      return 'delete'
    case 'clear':
      return clearKey(waiting)
    case 'change':
    case 'archive':
      return undefined
  }
}

/** Clearing once more is another thing only if a message was sent in between. */
function clearKey(waiting: readonly Input[]): string {
  const last = waiting.findLast(({ body }) => body.kind === 'message' || body.kind === 'clear')
  return last?.body.kind === 'message' ? `clear:${last.body.requestId}` : (last?.key ?? 'clear')
}

/** These let a session move on, each once for what it names: they are taken however much waits. */
export function movesOn({ kind }: InputBody): boolean {
  return kind === 'cancel' || kind === 'decision' || kind === 'result' || kind === 'resume' || kind === 'delete'
}
