import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type Data = { callId?: string; args?: { item?: unknown } }
type Packed = [id: string, type: string, v: number, at: number, requestId: string | null, data: Data]

/**
 * Is `tool.started` of the call in the files this moment? The process that owns them waits for our answer, so a copy
 * is what it would leave behind if it died now. A call without an id is found by what it is asked to do.
 */
export function startIsStored(home: string, { callId, item }: { callId: string; item: unknown }): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'segno-copy-'))
  try {
    for (const name of ['segno.db', 'segno.db-wal']) {
      if (existsSync(join(home, name))) copyFileSync(join(home, name), join(folder, name))
    }
    const db = new DatabaseSync(join(folder, 'segno.db'))
    const having = (word: string): Packed[] => {
      const rows = db.prepare('SELECT body FROM events WHERE instr(body, ?)').all(word) as { body: string }[]
      return rows.flatMap(({ body }) => JSON.parse(body) as Packed[])
    }
    const isAsked = ([, type, , , , { args }]: Packed): boolean => type === 'tool.call' && args?.item === item
    const wanted = callId || having(JSON.stringify(item)).find(isAsked)?.[5].callId
    const started =
      wanted !== undefined &&
      having(wanted).some(([, type, , , , data]) => type === 'tool.started' && data.callId === wanted)
    db.close()
    return started
  } finally {
    rmSync(folder, { recursive: true })
  }
}
