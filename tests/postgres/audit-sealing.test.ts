import { describe, expect, test } from 'vitest'
import { auditRowsOf, verifyAudit } from '../../src/audit/index.ts'
import { auditRecord } from '../../src/contract/audit.ts'
import type { Store } from '../../src/store/index.ts'
import { openedDatabase } from '../support/postgres/opened.ts'
import { verifies } from '../support/verifies.ts'

const append = (store: Store, i: number): Promise<void> =>
  store.appendAudit([
    auditRecord('tool_executed', { id: `r${i}`, at: i, userId: 'ada', tenant: 'local' }, { turns: i }),
  ])

const verify = (store: Store) => verifyAudit(auditRowsOf(store))

/** Writes a row past the store, as a commit does, and may say how long ago. */
const insert = (i: number, agoMs = 0): string =>
  `INSERT INTO audit (tenant, at, stored_at, body) VALUES ('local', ${i}, now_ms() - ${agoMs}, '[]')`

describe('the audit log of several nodes', () => {
  verifies(
    'GOV-30',
    'is one chain without gaps, whoever writes and seals at once, and holds for each of them',
    async () => {
      const { node } = await openedDatabase()
      const nodes = await Promise.all([node('a'), node('b'), node('c')])
      const [one] = nodes
      const work = Array.from({ length: 60 }, async (_, i) => {
        const store = nodes[i % 3] ?? one
        await append(store, i)
        if (i % 5 === 0) await store.auditPage({})
      })
      await Promise.all(work)
      const reports = await Promise.all(nodes.map(verify))
      for (const report of reports) expect(report).toMatchObject({ ok: true, rows: 60, head: { seq: 60 } })
      expect(new Set(reports.map(({ head }) => head.hash)).size).toBe(1)
    },
  )

  test('is sealed without anybody reading it', async () => {
    const { node, connection } = await openedDatabase()
    const client = await connection()
    await append(await node(), 1)
    await expect
      .poll(async () => (await client.query<{ seq: string }>('SELECT seq FROM audit')).rows, { timeout: 10_000 })
      .toEqual([{ seq: '1' }])
  })

  verifies('GOV-30', 'takes in what a slow transaction stores after later ones, and nothing is left out', async () => {
    const { node, connection } = await openedDatabase()
    const store = await node()
    const slow = await connection()
    await slow.query('BEGIN')
    await slow.query(insert(1))
    await append(store, 2)
    expect(await verify(store)).toMatchObject({ ok: true, rows: 1 })
    await slow.query('COMMIT')
    expect(await verify(store)).toMatchObject({ ok: true, rows: 2, head: { seq: 2 } })
    expect((await store.auditRows(0, 9)).map(({ at }) => at)).toEqual([2, 1])
  })

  verifies('GOV-30', 'is whole when a node is killed while it seals', async () => {
    const { node, connection } = await openedDatabase({ isNew: true })
    const one = await node('killed')
    const [client, holder] = [await connection(), await connection()]
    // Whoever seals is held up right before the head is moved, with its rows numbered and not committed.
    await client.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`)
    await client.query('CREATE TRIGGER hold BEFORE UPDATE ON audit_head FOR EACH ROW EXECUTE FUNCTION hold()')
    await holder.query('SELECT pg_advisory_lock(1)')
    await append(one, 1)
    const sealing = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
    await expect.poll(async () => (await client.query(sealing)).rows.length, { timeout: 10_000 }).toBe(1)
    await client.query(`SELECT pg_terminate_backend(pid) FROM (${sealing}) s`)
    await holder.query('SELECT pg_advisory_unlock(1)')
    await client.query('DROP TRIGGER hold ON audit_head')
    const other = await node('other')
    await append(other, 2)
    expect(await verify(other)).toMatchObject({ ok: true, rows: 2, head: { seq: 2 } })
    expect(await verify(one)).toMatchObject({ ok: true, rows: 2 })
  })

  verifies('GOV-30', 'that nobody can seal is shown as far as it is sealed, and the rest is reported', async () => {
    const { node, connection } = await openedDatabase()
    const store = await node()
    await append(store, 1)
    await verify(store)
    const stuck = await connection()
    await stuck.query('BEGIN')
    await stuck.query('SELECT 1 FROM audit_head FOR UPDATE')
    const writer = await connection()
    await writer.query(insert(2, 60_000))
    await writer.query(insert(3, 1000))
    const { ok, findings } = await verify(store)
    expect({ ok, findings }).toEqual({ ok: false, findings: ['row 2 is not sealed'] })
    expect((await store.check()).findings).toEqual([expect.stringMatching(/^audit: 1 rows? /)])
    await stuck.query('ROLLBACK')
    expect(await verify(store)).toMatchObject({ ok: true, rows: 3 })
  })

  for (const [what, sql, finding] of [
    ['an edited record', `UPDATE audit SET body = replace(body, '"turns":3', '"turns":4')`, 'row 3 does not fit'],
    ['a removed row', 'DELETE FROM audit WHERE seq = 3', 'row 3 is missing'],
    ['a row whose seal was taken away', 'UPDATE audit SET seq = NULL, hash = NULL WHERE seq = 3', 'row 3 is missing'],
    ['a row without a hash', 'UPDATE audit SET hash = NULL WHERE seq = 5', 'row 5 is not sealed'],
  ] as const) {
    verifies('GOV-30', `that was tampered with: ${what} is found`, async () => {
      const { node, connection } = await openedDatabase()
      const store = await node()
      for (let i = 1; i <= 5; i++) await append(store, i)
      await verify(store)
      const client = await connection()
      expect((await client.query(sql)).rowCount).toBeGreaterThan(0)
      expect((await verify(store)).findings[0]).toContain(finding)
    })
  }
})
