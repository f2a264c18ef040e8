import type { StoredEvent } from '../contract/event.ts'

/** The first commit of a fork or an import repeats what happened elsewhere and must not be counted. */
export function happenedElsewhere([first]: readonly StoredEvent[]): boolean {
  return first?.type === 'session.forked' || (first?.type === 'session.created' && first.data.imported === true)
}
