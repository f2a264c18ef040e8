import { Client, escapeIdentifier } from 'pg'

/** A bare connection to a database, for as long as the work with it takes. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** All that is in the tables of a database at one moment, by their names. */
export function tablesOf(url: string): Promise<Record<string, Record<string, unknown>[]>> {
  return withClient(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const names = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    )
    const tables: Record<string, Record<string, unknown>[]> = {}
    for (const { name } of names.rows)
      tables[name] = (await client.query<Record<string, unknown>>(`SELECT * FROM ${escapeIdentifier(name)}`)).rows
    return tables
  })
}
