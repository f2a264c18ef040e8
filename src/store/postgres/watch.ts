import { Listeners } from '../../lib/listeners.ts'
import type { LogStore, Watched } from '../log.ts'
import type { Node } from './base.ts'
import type { Query } from './database.ts'

export interface WatchOptions {
  readonly query: Query
  readonly node: Node
  isOwned(sessionId: string): boolean
  readonly everyMs?: number | undefined
}

const EVERY_MS = 1000
/** New watches within this time share a query. */
const FIRST_MS = 5

const HEADS = 'SELECT session_id, head, owner FROM heads WHERE session_id = ANY($1)'

interface Row {
  session_id: string
  head: number
  owner: string | null
}

interface One {
  readonly listeners: Listeners<[now: Watched]>
  /** as last reported; undefined if nothing was, or it has been owned here since */
  now?: Watched | undefined
}

/** Polls the heads of watched sessions that other nodes own, once a second in one statement. */
export function watchHeads({ query, node, isOwned, everyMs = EVERY_MS }: WatchOptions) {
  const watched = new Map<string, One>()
  /** those not read yet */
  const fresh = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isPolling = false
  let isClosed = false
  let lastAll = -Infinity

  function arm(): void {
    clearTimeout(timer)
    if (isClosed || isPolling || watched.size === 0) return
    const untilAll = Math.max(0, lastAll + everyMs - performance.now())
    timer = setTimeout(() => void poll(), fresh.size > 0 ? Math.min(FIRST_MS, untilAll) : untilAll)
  }

  /** One at a time, so that no older state is reported after a newer one. */
  async function poll(): Promise<void> {
    const isAll = performance.now() - lastAll >= everyMs
    const ids = [...(isAll ? watched.keys() : fresh)].filter((id) => watched.has(id) && !isOwned(id))
    if (isAll) lastAll = performance.now()
    fresh.clear()
    isPolling = true
    try {
      if (ids.length > 0) handle(ids, await query<Row>(HEADS, [ids]))
    } catch {
      // The database cannot be reached now; it is asked again.
    } finally {
      isPolling = false
      arm()
    }
  }

  function handle(ids: readonly string[], rows: readonly Row[]): void {
    const found = new Map(rows.map((row) => [row.session_id, row]))
    for (const id of ids) {
      const one = watched.get(id)
      const row = found.get(id)
      // A session never seen may be about to be created.
      if (!one || (!row && !one.now)) continue
      if (isOwned(id) || row?.owner === node.id()) one.now = undefined
      else report(one, { head: row?.head ?? Infinity, ...(row?.owner && { owner: row.owner }) })
    }
  }

  function report(one: One, now: Watched): void {
    if (one.now?.head === now.head && one.now.owner === now.owner) return
    one.now = now
    one.listeners.notify(now)
  }

  const watch: LogStore['watch'] = (sessionId, listener) => {
    let one = watched.get(sessionId)
    if (!one) {
      watched.set(sessionId, (one = { listeners: new Listeners() }))
      if (!isOwned(sessionId)) fresh.add(sessionId)
    }
    const { listeners, now } = one
    listeners.add(listener)
    if (now && !isOwned(sessionId)) queueMicrotask(() => listeners.tell(listener, now))
    arm()
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || watched.get(sessionId)?.listeners !== listeners) return
      watched.delete(sessionId)
      fresh.delete(sessionId)
    }
  }

  return {
    watch,
    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
