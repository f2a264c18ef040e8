import type { Query } from './database.ts'

/** Whether this database can compare vectors: with the extension pgvector, which is added if this user may. */
export async function canCompareVectors(query: Query): Promise<boolean> {
  const found = await findPgvector(query)
  // Forbidden, or another node does the same.
  if (found === 'offered') await query('CREATE EXTENSION IF NOT EXISTS vector').catch(() => {})
  return found === 'added' || (found === 'offered' && (await findPgvector(query)) === 'added')
}

/** `offered`: the server has it, but it was not added to this database, or to a schema where it is not found. */
export async function findPgvector(query: Query): Promise<'added' | 'offered' | 'missing'> {
  const [row] = await query<{ isAdded: boolean; isOffered: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AND to_regtype('vector') IS NOT NULL AS "isAdded",
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS "isOffered"`,
  )
  if (row?.isAdded) return 'added'
  return row?.isOffered ? 'offered' : 'missing'
}

/** How a vector is sent; the server rounds each number to the same 32 bits. */
export const sentVector = (values: Float32Array): string => `{${values.join(',')}}`
