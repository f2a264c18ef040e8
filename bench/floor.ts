import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createScriptedModel } from '../src/model/index.ts'
import type { Durability } from './subject.ts'
import { script, type Workload } from './workloads.ts'

/** The least that keeps a round: its streams read to their end, its bytes in one table by prepared statements. */
export interface Floor {
  round(workload: Workload, commits: readonly (readonly string[])[]): Promise<void>
  commit(rows: readonly string[]): void
  close(): void
}

export function openFloor(folder: string, durability: Durability, checkpoints = true): Floor {
  const db = new DatabaseSync(join(folder, 'floor.db'))
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA cache_size = -16000')
  db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`)
  if (!checkpoints) db.exec('PRAGMA wal_autocheckpoint = 0')
  db.exec('CREATE TABLE rows (key INTEGER PRIMARY KEY, body TEXT NOT NULL)')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const insert = db.prepare('INSERT INTO rows (body) VALUES (?)')
  const end = db.prepare('COMMIT')
  const model = createScriptedModel(script)

  async function readStream(message: string, call: number): Promise<void> {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: message }] }],
      providerOptions: { segno: { call } },
    })
    const reader = stream.getReader()
    while (!(await reader.read()).done);
  }

  function commit(rows: readonly string[]): void {
    begin.run()
    for (const body of rows) insert.run(body)
    end.run()
  }

  return {
    commit,
    async round({ message, modelCalls }, commits) {
      for (let call = 1; call <= modelCalls; call++) await readStream(message, call)
      for (const rows of commits) commit(rows)
    },
    close: () => db.close(),
  }
}
