import { Listeners } from '../../lib/listeners.ts'
import type { ChangedArea } from '../accounts.ts'
import type { Database, Query } from './database.ts'

const EVERY_MS = 1000

/** Notes a change in its own transaction; only the first word of the area is stored. */
export async function noteChange(query: Query, area: string): Promise<void> {
  await query(
    `INSERT INTO changes (area, version) VALUES ($1, 1)
     ON CONFLICT (area) DO UPDATE SET version = changes.version + 1`,
    [area.split(' ', 1)[0]],
  )
}

/** Polls the database once a second for changes by any node, including this one. */
export function watchChanges({ query }: Database) {
  const listeners = new Listeners<[area: ChangedArea]>()
  let seen = new Map<ChangedArea, number>()
  let polling: Promise<void> | undefined

  /** The first poll also reports older changes, because listeners may have read before them. */
  async function poll(): Promise<void> {
    const now = await versions(query)
    const changed = [...now].filter(([area, version]) => seen.get(area) !== version)
    seen = now
    for (const [area] of changed) listeners.notify(area)
  }

  function pollNow(): void {
    // A failed poll is made up for by the next one, because versions stay.
    polling ??= poll()
      .catch(() => {})
      .finally(() => (polling = undefined))
  }

  pollNow()
  const timer = setInterval(pollNow, EVERY_MS)
  timer.unref()
  return {
    onChange: (listener: (area: ChangedArea) => void) => listeners.subscribe(listener),
    async close(): Promise<void> {
      clearInterval(timer)
      await polling
    },
  }
}

async function versions(query: Query): Promise<Map<ChangedArea, number>> {
  const rows = await query<{ area: ChangedArea; version: number }>('SELECT area, version FROM changes')
  return new Map(rows.map(({ area, version }) => [area, version]))
}
