import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type Packed = [id: string, type: string, v: number, at: number, requestId: string | null, data: { callId?: string }]

/**
 * Is `tool.started` of the call in the files this moment? The process that owns them waits for our answer, so a copy
 * is what it would leave behind if it died now.
 */
export function startIsStored(home: string, callId: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'segno-copy-'))
  try {
    for (const name of ['segno.db', 'segno.db-wal']) {
      if (existsSync(join(home, name))) copyFileSync(join(home, name), join(folder, name))
    }
    const db = new DatabaseSync(join(folder, 'segno.db'))
    const rows = db.prepare('SELECT body FROM events WHERE instr(body, ?)').all(callId) as { body: string }[]
    db.close()
    return rows
      .flatMap(({ body }) => JSON.parse(body) as Packed[])
      .some(([, type, , , , data]) => type === 'tool.started' && data.callId === callId)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
