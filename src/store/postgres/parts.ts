import type { StoredPart } from '../prompts.ts'
import type { Query } from './database.ts'

/** A part that a session names, and the first of its events that does. */
export interface NamedPart {
  readonly part: StoredPart
  readonly sessionId: string
  readonly seq: number
}

/** Stores parts before the events that name them are sent. */
export async function putParts(query: Query, named: readonly NamedPart[]): Promise<void> {
  if (named.length === 0) return
  const parts = [...new Map(named.map(({ part }) => [part.hash, part])).values()]
  await query('SELECT put_parts($1, $2, $3, $4, $5, $6, $7, $8)', [
    parts.map(({ hash }) => hash),
    parts.map(({ tenant }) => tenant),
    parts.map(({ owner = null }) => owner),
    parts.map(({ salt = null }) => salt),
    parts.map(({ text }) => text),
    named.map(({ part }) => part.hash),
    named.map(({ sessionId }) => sessionId),
    named.map(({ seq }) => seq),
  ])
}

export async function partTexts(query: Query, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ hash: string; text: string }>('SELECT hash, text FROM parts WHERE hash = ANY ($1)', [
    hashes,
  ])
  return new Map(rows.map(({ hash, text }) => [hash, text]))
}

/** Erases the parts with a user's words; they are locked in one order, as by those who store or erase others. */
export async function erasePartsOf(query: Query, tenant: string, owner: string): Promise<void> {
  await query('SELECT FROM parts WHERE tenant = $1 AND owner = $2 ORDER BY hash FOR UPDATE', [tenant, owner])
  await query('DELETE FROM parts WHERE tenant = $1 AND owner = $2', [tenant, owner])
}
