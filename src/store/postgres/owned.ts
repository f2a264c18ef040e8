import type { OwnedElsewhere, Ownership } from '../log.ts'
import { Problem } from '../../contract/problem.ts'
import type { Query } from './database.ts'
import { retry } from './retry.ts'

interface Row {
  readonly epoch: number
  /** this process's id when it became the owner */
  readonly by: string
  /** false if the session was created here, so that a takeover may go unnoticed */
  readonly isClaimed: boolean
  /** the number of the last input this process knows of */
  known: number
}

type Claimed =
  | { answer: 'none' | 'newer' | 'evicted' }
  | { answer: 'elsewhere'; where: string; until: number }
  | { answer: 'owned'; epoch: number; head: number; inbox: number; evicted_at: number | null }

export type Owned = ReturnType<typeof ownedIn>

/** What this process owns, as far as it must know without asking the database. */
export function ownedIn({ query, node, version }: { query: Query; node: { id(): string }; version: number }) {
  const rows = new Map<string, Row>()
  let releasing: { ids: string[]; epochs: number[]; done: Promise<void> } | undefined

  async function claim(sessionId: string): Promise<Ownership | OwnedElsewhere | undefined> {
    const by = node.id()
    const ask = () => query<Claimed>('SELECT * FROM claim_session($1, $2, $3)', [sessionId, by, version])
    const [row] = await retry(ask)
    switch (row?.answer) {
      case 'owned': {
        const { epoch, head, inbox, evicted_at: evictedAt } = row
        rows.set(sessionId, { epoch, by, isClaimed: true, known: inbox })
        return { kind: 'owned', epoch, head, ...(evictedAt !== null && { evictedAt }) }
      }
      case 'elsewhere':
        rows.delete(sessionId)
        return { kind: 'elsewhere', where: row.where, until: row.until }
      case 'newer':
        return { kind: 'elsewhere', where: undefined, until: Infinity }
      case 'evicted':
        throw new Problem('STORE_UNAVAILABLE', 'The other nodes gave this one up; it joins them again in a moment.')
      case 'none':
      case undefined:
        return undefined
    }
  }

  /** Releases sessions, unless they were claimed again since. */
  async function releaseAll(ids: readonly string[], epochs: readonly number[], me: string): Promise<void> {
    try {
      await retry(() => query(RELEASE, [ids, epochs, me]))
    } catch {
      // They stay with this node until it or, once it is gone, another node claims them.
    }
  }

  return {
    claim,
    /** A session created here has the first epoch and no inputs. */
    created: (sessionId: string): unknown =>
      rows.set(sessionId, { epoch: 1, by: node.id(), isClaimed: false, known: 0 }),
    /** Whether this process owns the session; after it joined as another node it owns nothing. */
    has(sessionId: string): boolean {
      const row = rows.get(sessionId)
      return row?.by === node.id() && row.isClaimed
    },
    release(sessionId: string, othersMayClaim: boolean): Promise<void> {
      const row = rows.get(sessionId)
      rows.delete(sessionId)
      if (!othersMayClaim || row?.by !== node.id()) return Promise.resolve()
      if (!releasing) {
        const [ids, epochs, me]: [string[], number[], string] = [[], [], node.id()]
        const done = Promise.resolve().then(() => {
          releasing = undefined
          return releaseAll(ids, epochs, me)
        })
        releasing = { ids, epochs, done }
      }
      releasing.ids.push(sessionId)
      releasing.epochs.push(row.epoch)
      return releasing.done
    },
    /** Notes that this process stored input `n` itself. */
    noteStored(sessionId: string, n: number): void {
      const row = rows.get(sessionId)
      if (row?.known === n - 1) row.known = n
    },
    /** Those of these sessions that have an input this process did not know of, each once. */
    withNewInputs(found: readonly { readonly session_id: string; readonly n: number }[]): string[] {
      const news = found.filter(({ session_id, n }) => n > (rows.get(session_id)?.known ?? 0))
      for (const { session_id, n } of news) {
        const row = rows.get(session_id)
        if (row) row.known = n
      }
      return news.map(({ session_id }) => session_id)
    },
  }
}

const RELEASE = `
  UPDATE heads SET owner = NULL WHERE session_id IN (
    SELECT h.session_id FROM heads h
    JOIN unnest($1::text[], $2::integer[]) AS released (id, epoch) ON h.session_id = released.id AND h.epoch = released.epoch
    WHERE h.owner = $3 ORDER BY h.session_id FOR UPDATE OF h)`
