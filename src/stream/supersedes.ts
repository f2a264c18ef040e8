import type { StoredEvent } from '../contract/event.ts'

/** Whether the live text of a turn before this event is in the log or must be forgotten. */
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
