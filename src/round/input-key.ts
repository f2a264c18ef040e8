import type { InputBody } from '../contract/input.ts'

/**
 * Under which key an input waits. A session has each key once: who asks again for what waits already has asked once.
 * Undefined for what means something else each time.
 */
export function keyOf(body: InputBody, clearKey: string): string | undefined {
  switch (body.kind) {
    case 'message':
    case 'cancel':
    case 'pause':
    case 'resume':
      return `${body.kind}:${body.requestId}`
    case 'decision':
      return `decision:${body.approvalId}`
    case 'result':
      return `result:${body.callId}`
    case 'reconcile':
      return `reconcile:${body.callId}`
    case 'delete-message':
      return `delete-message:${body.eventId}`
    case 'delete':
      return 'delete'
    case 'clear':
      return clearKey
    case 'change':
    case 'archive':
      return undefined
  }
}

/** These let a session move on, each once for what it names: they are taken however much waits. */
export function movesOn({ kind }: InputBody): boolean {
  return kind === 'cancel' || kind === 'decision' || kind === 'result' || kind === 'resume' || kind === 'delete'
}
