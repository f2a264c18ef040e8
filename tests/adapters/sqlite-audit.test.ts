import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { auditRowsOf, verifyAudit } from '../../src/audit/index.ts'
import { auditRecord } from '../../src/contract/audit.ts'
import type { Store } from '../../src/store/index.ts'
import { initial } from '../../src/store/sqlite/migrations/0001-initial.ts'
import { verifies } from '../support/verifies.ts'
import { openStore, tempFile } from './sqlite/temp-folder.ts'

const append = (store: Store, i: number): Promise<void> =>
  store.appendAudit([
    auditRecord('tool_executed', { id: `r${i}`, at: i, userId: 'ada', tenant: 'local' }, { turns: i }),
  ])

async function fileWith(rows: number): Promise<string> {
  const file = tempFile()
  const store = openStore(file)
  for (let i = 1; i <= rows; i++) await append(store, i)
  await store.close()
  return file
}

/** Changes the file behind the back of the store. */
function tamper(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  expect(Number(db.prepare(sql).run().changes)).toBeGreaterThan(0)
  db.close()
}

const tampered: [what: string, sql: string, finding: string][] = [
  ['an edited record', `UPDATE audit SET body = replace(body, '"turns":3', '"turns":4')`, 'row 3 '],
  ['a record that was moved in time', 'UPDATE audit SET at = at - 1 WHERE seq = 3', 'row 3 '],
  ['a record given to another tenant', `UPDATE audit SET tenant = 'acme' WHERE seq = 3`, 'row 3 '],
  ['a removed row', 'DELETE FROM audit WHERE seq = 3', 'row 3 is missing'],
  ['a removed first row', 'DELETE FROM audit WHERE seq = 1', 'row 1 is missing'],
  ['a row nobody sealed', 'UPDATE audit SET hash = NULL WHERE seq = 5', 'row 5 is not sealed'],
  [
    'a row that was added',
    `INSERT INTO audit SELECT seq + 1, tenant, at, body, hash FROM audit WHERE seq = 5`,
    'row 6 ',
  ],
]

describe('a sqlite file with an audit log', () => {
  for (const [what, sql, finding] of tampered) {
    verifies('GOV-30', `that was tampered with: ${what} is found by verifying and by a check`, async () => {
      const file = await fileWith(5)
      tamper(file, sql)
      const store = openStore(file)
      const { ok, findings } = await verifyAudit(auditRowsOf(store))
      expect(ok).toBe(false)
      expect(findings[0]).toContain(finding)
      expect((await store.check()).findings).toContainEqual(expect.stringContaining(`audit: ${finding}`))
    })
  }

  verifies('GOV-30', 'whose end was cut off and written over is found against the head from before', async () => {
    const file = await fileWith(5)
    const before = openStore(file)
    const { head } = await verifyAudit(auditRowsOf(before))
    await before.close()
    tamper(file, 'DELETE FROM audit WHERE seq > 3')
    const store = openStore(file)
    expect((await verifyAudit(auditRowsOf(store), head)).findings).toEqual([expect.stringContaining('cut off')])
    for (const i of [4, 5, 6]) await append(store, i + 100)
    expect((await verifyAudit(auditRowsOf(store), head)).findings).toEqual([
      expect.stringContaining('row 5 is not the one'),
    ])
  })

  test('shows the rows it can read when one of them cannot be', async () => {
    const file = await fileWith(3)
    tamper(file, `UPDATE audit SET body = '[{' WHERE seq = 2`)
    const { items } = await openStore(file).auditPage({})
    expect(items.map(({ id }) => id)).toEqual(['r3', 'r1'])
  })

  test('from before there was one gets it', async () => {
    const file = tempFile()
    const db = new DatabaseSync(file)
    db.exec(`${initial}; PRAGMA user_version = 1; INSERT INTO claims (key, hash, result) VALUES ('kept', '', 'null')`)
    db.close()
    const store = openStore(file)
    await append(store, 1)
    expect(await store.findClaim('kept')).toBeDefined()
    expect(await verifyAudit(auditRowsOf(store))).toMatchObject({ ok: true, rows: 1 })
  })
})
