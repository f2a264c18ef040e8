import type { StoredEvent } from '../../contract/event.ts'
import { cleanText } from '../clean-text.ts'
import { spendingOf } from '../spending.ts'

export interface StoredReservation {
  readonly seq: number
  readonly about: string
  readonly settled_at: number | null
}

interface InLog {
  readonly about: string
  isOpen: boolean
}

/** The reservations of a session's own events, by event number. */
export function reservationsInLog() {
  const found = new Map<number, InLog>()
  const open = new Map<string, InLog[]>()
  return {
    add(event: StoredEvent): void {
      const spending = spendingOf(event)
      if (!spending) return
      const { about } = spending
      if (spending.settle) {
        for (const one of open.get(about) ?? []) one.isOpen = false
        open.delete(about)
      }
      if (spending.reserve) {
        const one = { about, isOpen: true }
        found.set(event.seq, one)
        open.set(about, [...(open.get(about) ?? []), one])
      }
    },
    /** Stored reservations must be open or settled as the log says. */
    compare(sessionId: string, stored: readonly StoredReservation[]): string[] {
      return stored.flatMap(({ seq, about, settled_at }) => {
        const name = `session ${sessionId}: the reservation of event ${seq}`
        const state = found.get(seq)
        // Columns hold cleaned text, the log may not.
        if (!state || cleanText(state.about) !== cleanText(about)) return [`${name} is not in the log`]
        if (state.isOpen && settled_at !== null) return [`${name} is settled, the log says it is open`]
        if (!state.isOpen && settled_at === null) return [`${name} is open, the log says it is settled`]
        return []
      })
    },
  }
}
