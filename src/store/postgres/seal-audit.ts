import type { AuditHead, AuditRow } from '../../contract/audit.ts'
import { sealOf } from '../seal.ts'
import type { Database, Query } from './database.ts'

const EVERY_MS = 250
const ROWS_AT_A_TIME = 1000
/** How long a reader waits for another node that is sealing. */
const WAIT_MS = 1000

export type Sealer = ReturnType<typeof startSealing>

type Unsealed = Pick<AuditRow, 'tenant' | 'at' | 'body'> & { readonly id: number }

/**
 * Numbers and seals audit rows after they were stored, by one node at a time; not from a sequence, whose gaps would
 * look like removed rows.
 */
export function startSealing({ query, transaction }: Database) {
  /** Returns how many rows were sealed. */
  const seal = (waits: boolean): Promise<number> =>
    transaction(async (within) => {
      if (waits) await within(`SET LOCAL lock_timeout = ${WAIT_MS}`)
      const [head] = await within<AuditHead>(
        `SELECT seq, hash FROM audit_head FOR UPDATE ${waits ? '' : 'SKIP LOCKED'}`,
      )
      return head ? sealNext(within, head) : 0
    })

  /** Seals everything stored by now, or gives up quietly. */
  async function sealAll(): Promise<void> {
    try {
      for (let sealed = ROWS_AT_A_TIME; sealed === ROWS_AT_A_TIME && (await isAnyLeft(query));)
        sealed = await seal(true)
    } catch {
      // `verifyAudit` reports rows that are not sealed.
    }
  }

  async function poll(): Promise<void> {
    if (await isAnyLeft(query)) await seal(false)
  }

  let polling: Promise<void> | undefined
  const timer = setInterval(() => {
    polling ??= poll()
      .catch(() => {})
      .finally(() => (polling = undefined))
  }, EVERY_MS)
  timer.unref()
  return {
    sealAll,
    async close(): Promise<void> {
      clearInterval(timer)
      await polling
    },
  }
}

async function isAnyLeft(query: Query): Promise<boolean> {
  const [found] = await query<{ any: boolean }>('SELECT EXISTS (SELECT 1 FROM audit WHERE seq IS NULL) AS any')
  return found?.any === true
}

async function sealNext(query: Query, head: AuditHead): Promise<number> {
  const rows = await query<Unsealed>('SELECT id, tenant, at, body FROM audit WHERE seq IS NULL ORDER BY id LIMIT $1', [
    ROWS_AT_A_TIME,
  ])
  let { seq, hash } = head
  const sealed = rows.map(({ id, tenant, at, body }) => {
    seq += 1
    hash = sealOf(hash, { seq, tenant, at, body })
    return { id, seq, hash }
  })
  await query(
    `UPDATE audit SET seq = sealed.seq, hash = sealed.hash
     FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS sealed (id, seq, hash) WHERE audit.id = sealed.id`,
    [sealed.map((row) => row.id), sealed.map((row) => row.seq), sealed.map((row) => row.hash)],
  )
  await query('UPDATE audit_head SET seq = $1, hash = $2', [seq, hash])
  return rows.length
}
