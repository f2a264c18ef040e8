import type { Json } from '../../contract/message.ts'
import type { Claim } from '../inbox.ts'
import type { Query } from './database.ts'

export interface ClaimRow {
  readonly key: string
  readonly hash: string
  readonly result: string
}

export const claimView = ({ key, hash, result }: ClaimRow): Claim => ({ key, hash, result: JSON.parse(result) as Json })

export async function findClaim(query: Query, key: string): Promise<Claim | undefined> {
  const [row] = await query<ClaimRow>('SELECT key, hash, result FROM claims WHERE key = $1', [key])
  return row && claimView(row)
}

/** False if the key is taken. */
export async function putClaim(query: Query, { key, hash, result }: Claim, at: number): Promise<boolean> {
  const put = await query(
    'INSERT INTO claims (key, hash, result, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING key',
    [key, hash, JSON.stringify(result), at],
  )
  return put.length > 0
}

// The claim of an input that still waits is all that keeps it from being stored twice.
const FORGET = `
  WITH old AS (
    SELECT key FROM claims c WHERE created_at < $1
      AND NOT EXISTS (SELECT FROM inputs i WHERE i.session_id = c.session_id AND i.key = c.key)
    ORDER BY created_at LIMIT $2)
  DELETE FROM claims USING old WHERE claims.key = old.key RETURNING 1`

export async function forgetClaims(query: Query, before: number, most: number): Promise<number> {
  return (await query(FORGET, [Math.min(before, Number.MAX_SAFE_INTEGER), most])).length
}
