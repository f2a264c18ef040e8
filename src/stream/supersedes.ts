import type { StoredEvent } from '../contract/event.ts'

/** After such an event the text that was shown of a turn is in the log, or is to be forgotten. */
export function supersedes(event: StoredEvent): boolean {
  switch (event.type) {
    case 'message.assistant':
    case 'turn.started':
    case 'turn.ended':
    case 'round.resumed':
      return true
    case 'round.ended':
      return event.data.unstarted === undefined
    case 'turn.retried':
      return event.data.shown
    default:
      return false
  }
}
