import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { storeSettings } from '../support/store-under-test.ts'

type Data = { callId?: string; args?: { item?: unknown } }
type Packed = [id: string, type: string, v: number, at: number, requestId: string | null, data: Data]
/** The events of all commits that have a word in them. */
type Having = (word: string) => Promise<Packed[]>

/** Is `tool.started` of the call stored this moment? A call without an id is found by what it is asked to do. */
export async function startIsStored(home: string, call: { callId: string; item: unknown }): Promise<boolean> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  return url === undefined
    ? inFiles(home, (having) => isStarted(having, call))
    : inServer(url, (having) => isStarted(having, call))
}

async function isStarted(having: Having, { callId, item }: { callId: string; item: unknown }): Promise<boolean> {
  const isAsked = ([, type, , , , { args }]: Packed): boolean => type === 'tool.call' && args?.item === item
  const wanted = callId || (await having(JSON.stringify(item))).find(isAsked)?.[5].callId
  if (wanted === undefined) return false
  return (await having(wanted)).some(([, type, , , , data]) => type === 'tool.started' && data.callId === wanted)
}

/** The process that owns the files waits for our answer, so a copy is what it would leave behind if it died now. */
async function inFiles<T>(home: string, look: (having: Having) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'segno-copy-'))
  try {
    for (const name of ['segno.db', 'segno.db-wal']) {
      if (existsSync(join(home, name))) copyFileSync(join(home, name), join(folder, name))
    }
    const db = new DatabaseSync(join(folder, 'segno.db'))
    const find = db.prepare('SELECT body FROM events WHERE instr(body, ?)')
    const found = await look(async (word) => (find.all(word) as { body: string }[]).flatMap(packedIn))
    db.close()
    return found
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function inServer<T>(url: string, look: (having: Having) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const find = 'SELECT body FROM events WHERE position($1 IN body) > 0'
    return await look(async (word) => (await client.query<{ body: string }>(find, [word])).rows.flatMap(packedIn))
  } finally {
    await client.end()
  }
}

const packedIn = ({ body }: { body: string }): Packed[] => JSON.parse(body) as Packed[]
