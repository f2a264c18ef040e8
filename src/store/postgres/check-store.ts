import type { AuditHead } from '../../contract/audit.ts'
import { sealChain } from '../seal.ts'
import type { CheckReport, UpkeepOptions } from '../upkeep.ts'
import { sealedRows, UNSEALED_MS } from './audit.ts'
import type { Base } from './base.ts'
import { checkDocuments } from './check-documents.ts'
import { checkLogs } from './check-logs.ts'
import { checkAmounts, checkHeld } from './check-money.ts'
import type { Query } from './database.ts'
import { pagesOf } from './pages.ts'
import { MAX_SEQ } from './read-events.ts'

export interface Checking {
  readonly query: Query
  readonly counted: { sessions: number; events: number }
  /** Called between pages; reports progress and throws when the check is aborted. */
  step(done?: number): void
}

const PARTS = [checkLogs, checkInherited, checkBlobs, checkParts, checkDocuments, checkAmounts, checkHeld, checkAudit]

/**
 * Checks heads, blobs, parts, documents, amounts and seals and compares every projection with the log, as of one moment while
 * others go on writing.
 */
export function checkStore({ transaction }: Base, { signal, onProgress }: UpkeepOptions = {}): Promise<CheckReport> {
  return transaction(async (query) => {
    await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    // It locks nothing that others need, and may take long between statements.
    await query('SET LOCAL idle_in_transaction_session_timeout = 0')
    const counted = { sessions: 0, events: 0 }
    const findings: string[] = []
    function step(done = counted.sessions): void {
      signal?.throwIfAborted()
      onProgress?.({ doing: 'checking', done, total: counted.sessions })
    }
    signal?.throwIfAborted()
    for (const part of PARTS) findings.push(...(await part({ query, counted, step })))
    return { ok: findings.length === 0, ...counted, findings }
  })
}

/** Events that living forks inherit must exist, also when their own session is deleted. */
async function checkInherited({ query, step }: Checking): Promise<string[]> {
  const findings: string[] = []
  const forks = pagesOf<{ id: string }>(query, {
    sql: `SELECT id FROM sessions WHERE id > $1 AND deleted = 0 AND parent IS NOT NULL ORDER BY id LIMIT $2`,
    start: [''],
    placeOf: ({ id }) => [id],
  })
  for await (const page of forks) {
    step()
    // `next`: the first number that no row contains.
    const missing = await query<{ id: string; next: number }>(
      `SELECT id, next FROM (
         SELECT row.id, row.first, row.last,
           coalesce(min(row.expected) FILTER (WHERE row.seq <> row.expected), max(row.seq + row.n), row.first) AS next
         FROM (SELECT fork.id, part.first, part.last, e.seq, e.n, coalesce(lag(e.seq + e.n)
                 OVER (PARTITION BY fork.id, part.first ORDER BY e.seq), part.first) AS expected
               FROM unnest($1::text[]) AS fork (id) CROSS JOIN LATERAL lineage(fork.id, ${MAX_SEQ}) part
               LEFT JOIN events e ON e.session_id = part.id AND e.seq BETWEEN part.first AND part.last
               WHERE part.id <> fork.id) row
         GROUP BY row.id, row.first, row.last) piece
       WHERE next <= last ORDER BY id, first`,
      [page.map(({ id }) => id)],
    )
    for (const { id, next } of missing) findings.push(`session ${id}: inherited event ${next} is missing`)
  }
  return findings
}

/** Blobs that living sessions name must exist, with all of their parts. */
async function checkBlobs({ query, step }: Checking): Promise<string[]> {
  const findings: string[] = []
  const named = pagesOf<{ id: string; hash: string; seq: number; isMissing: boolean; isLiving: boolean }>(query, {
    sql: `SELECT r.hash, r.session_id AS id, r.seq, b.hash IS NULL OR b.size <> coalesce((SELECT sum(octet_length(p.bytes))
            FROM blob_parts p WHERE p.hash = b.hash), 0) AS "isMissing", coalesce(s.deleted = 0, false) AS "isLiving"
          FROM (SELECT * FROM blob_refs WHERE (hash, session_id, seq) > ($1, $2, $3)
            ORDER BY hash, session_id, seq LIMIT $4) r
          LEFT JOIN blobs b ON b.hash = r.hash LEFT JOIN sessions s ON s.id = r.session_id
          ORDER BY r.hash, r.session_id, r.seq`,
    start: ['', '', 0],
    placeOf: ({ hash, id, seq }) => [hash, id, seq],
  })
  let last = ''
  for await (const page of named) {
    step()
    for (const { id, hash, isMissing, isLiving } of page) {
      const finding = `session ${id}: the blob ${hash} is missing`
      if (isMissing && isLiving && finding !== last) findings.push((last = finding))
    }
  }
  return findings
}

/** A part may be erased while events still name it, but one that nobody refers to would stay for ever. */
async function checkParts({ query, step }: Checking): Promise<string[]> {
  const findings: string[] = []
  const unnamed = pagesOf<{ hash: string }>(query, {
    sql: `SELECT hash FROM parts p WHERE hash > $1 AND NOT EXISTS (SELECT FROM part_refs r WHERE r.hash = p.hash)
          ORDER BY hash LIMIT $2`,
    start: [''],
    placeOf: ({ hash }) => [hash],
  })
  for await (const page of unnamed) {
    step()
    for (const { hash } of page) findings.push(`part ${hash}: nobody refers to it`)
  }
  return findings
}

/** Unsealed rows have no number yet. */
async function checkAudit({ query, step }: Checking): Promise<string[]> {
  const chain = sealChain()
  for await (const page of sealedRows(query)) {
    step()
    for (const row of page) chain.add(row)
  }
  const [late] = await query<{ rows: number }>(
    'SELECT count(*) AS rows FROM audit WHERE seq IS NULL AND stored_at < now_ms() - $1',
    [UNSEALED_MS],
  )
  if (late?.rows) chain.faults.push(`${late.rows} rows should have been sealed long ago`)
  const [head] = await query<AuditHead>('SELECT seq, hash FROM audit_head')
  const last = chain.head()
  if (head?.seq !== last.seq || head.hash !== last.hash)
    chain.faults.push(`the last row is ${last.seq}, the head says ${head?.seq}, or has another seal`)
  return chain.faults.map((fault) => `audit: ${fault}`)
}
