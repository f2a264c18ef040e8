import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { CheckReport } from '../../src/store/index.ts'
import { asked, attached, blob, ended, fileOf, part, said, started, talk, unknown } from '../conformance/store/facts.ts'
import { call, entitled, noon, paid, turn, turned } from '../conformance/store/money-facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { openStore, tempFile } from './sqlite/temp-folder.ts'

/** One session with a bit of everything, a fork of it, and a fork whose parent is deleted and purged. */
async function soundFile(): Promise<string> {
  const file = tempFile()
  const store = openStore(file)
  const writer = await SessionWriter.create(store, { title: 'Sound' }, 'the session')
  await writer.write(started('r'), asked('r', 'a'), unknown('r', 'c'))
  await writer.write(...talk(3))
  await writer.write(ended('r'), said('the end'))
  const picture = blob()
  await writer.commit([attached(fileOf(picture))], { blobs: [picture], parts: [part('told')] })
  await writer.fork(4, said())
  await store.putEntitlement(entitled({ dailyTokens: 1000, dailyToolCost: 1000 }))
  const spender = await SessionWriter.create(store)
  await spender.write(started('p'), ...noon(turn('p', 1, 9), turned('p', 1, 5, 1), ...call('p', 'open', 9)))
  await spender.write(...noon(...call('p', 'paid', 9), paid('p', 'paid', 4)))
  const parent = await SessionWriter.create(store, {}, 'the deleted parent')
  await parent.write(...talk(2))
  await parent.write(...talk(2))
  await parent.fork(4, said())
  await parent.removeAndPurge()
  await store.close()
  return file
}

async function check(file: string): Promise<CheckReport> {
  return openStore(file).check()
}

function damage(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0)
  db.close()
}

const APPROVAL = `session, request_id, call_id, tool, args, target, reason, rememberable, status, requested_at, expires_at,
  decided_by, tenant, owner`

describe('checking a sqlite file', () => {
  test('finds nothing in one that was not touched', async () => {
    expect(await check(await soundFile())).toMatchObject({ ok: true, findings: [] })
  })

  const rowOf = (id: string, seq: number): string =>
    `key = (SELECT num FROM sessions WHERE id = '${id}') * (1 << 26) + ${seq}`
  const plants: [what: string, sql: string, finding: string][] = [
    ['a changed title', `UPDATE sessions SET title = 'x' WHERE id = 'the session'`, 'the session.title differs'],
    ['a session that looks archived', `UPDATE sessions SET archived = 1 WHERE id = 'the session'`, 'archived differs'],
    ['a session that looks used later', `UPDATE sessions SET used_at = used_at + 1`, 'the session.used_at differs'],
    ['a changed round', `UPDATE rounds SET state = 'running', end_seq = NULL`, 'rounds r.state differs'],
    ['a changed cost', `UPDATE rounds SET cost = cost + 1`, 'rounds r.cost differs'],
    ['a changed approval', `UPDATE approvals SET status = 'approved'`, 'approvals a.status differs'],
    ['a changed call', `UPDATE calls SET effect = 'done', reconciled = 1`, 'calls c.effect differs'],
    ['an approval given to somebody else', `UPDATE approvals SET owner = 'eve'`, 'approvals a.owner differs'],
    ['a call given to another tenant', `UPDATE calls SET tenant = 'rival'`, 'calls c.tenant differs'],
    ['a call that looks paid for', `UPDATE reservations SET settled_at = 1 WHERE about = 'open'`, 'says it is open'],
    [
      'a paid call that looks open',
      `UPDATE reservations SET settled_at = NULL WHERE about = 'paid'`,
      'says it is settled',
    ],
    ['a turn that looks open', `UPDATE reservations SET settled_at = NULL WHERE what = 'turn'`, 'says it is settled'],
    ['money set aside for nothing', `UPDATE reservations SET about = 'x' WHERE about = 'open'`, 'is not in the log'],
    ['money set aside nowhere', `UPDATE reservations SET key = key + 9 WHERE about = 'open'`, 'is not in the log'],
    ['a negative amount', `UPDATE reservations SET spent_cost = -1 WHERE about = 'paid'`, 'negative amount'],
    ['a gift', `UPDATE spent SET tool_cost = -1`, 'what ada spent on 2026-07-24 is negative'],
    ['a removed round', 'DELETE FROM rounds', 'rounds r is missing'],
    ['a removed approval', 'DELETE FROM approvals', 'approvals a is missing'],
    ['a removed call', 'DELETE FROM calls', 'calls c is missing'],
    [
      'an approval nobody asked for',
      `INSERT INTO approvals (id, ${APPROVAL}) SELECT 'forged', ${APPROVAL} FROM approvals`,
      'approvals forged is not in the log',
    ],
    ['a removed row of events', `DELETE FROM events WHERE ${rowOf('the session', 5)}`, 'event 5 is missing'],
    ['a removed first row', `DELETE FROM events WHERE ${rowOf('the session', 1)}`, 'event 1 is missing'],
    ['a row that counts too many', `UPDATE events SET n = n + 1 WHERE ${rowOf('the session', 5)}`, 'says 4, holds 3'],
    ['a row that counts too few', `UPDATE events SET n = n - 1 WHERE ${rowOf('the session', 5)}`, 'says 2, holds 3'],
    [
      'a row cut short',
      `UPDATE events SET body = substr(body, 1, 30) WHERE ${rowOf('the session', 5)}`,
      'cannot be read',
    ],
    ['a changed event', `UPDATE events SET body = replace(body, '"cost":42', '"cost":43')`, 'rounds r.cost differs'],
    [
      'a row moved to another place',
      `UPDATE events SET key = key + 1 WHERE ${rowOf('the session', 5)}`,
      'event 5 is missing',
    ],
    [
      'a removed row that only a fork still reads',
      `DELETE FROM events WHERE ${rowOf('the deleted parent', 2)}`,
      'inherited event 2 is missing',
    ],
    [
      'a fork moved to a later point',
      `UPDATE sessions SET parent_seq = parent_seq + 1 WHERE parent = (SELECT num FROM sessions WHERE id = 'the session')`,
      'event 6 is missing',
    ],
    ['a removed file', 'DELETE FROM blobs', 'session the session: the blob '],
    ['a part that nobody refers to', 'DELETE FROM part_refs', 'nobody refers to it'],
    ['a removed session', `DELETE FROM sessions WHERE id = 'the session'`, 'belong to no session'],
  ]
  for (const [what, sql, finding] of plants) {
    test(`finds ${what}`, async () => {
      const file = await soundFile()
      damage(file, sql)
      const { ok, findings } = await check(file)
      expect(ok).toBe(false)
      expect(findings.join('\n')).toContain(finding)
    })
  }

  test('does not miss a part that was erased', async () => {
    const file = await soundFile()
    damage(file, 'DELETE FROM parts')
    expect(await check(file)).toMatchObject({ ok: true, findings: [] })
  })

  test('finds a page of noise, and says so instead of failing', async () => {
    const file = tempFile()
    const store = openStore(file)
    const writer = await SessionWriter.create(store)
    for (let i = 0; i < 100; i++) await writer.write(said('x'.repeat(3000)))
    await store.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0x5a, bytes.length - 40 * 4096, bytes.length - 39 * 4096))
    const { ok, findings } = await check(file)
    expect(ok).toBe(false)
    expect(findings.join('\n')).toContain('file: ')
  })
})

test('a job whose row is damaged is taken like any other, with nothing to do, and holds up none behind it', async () => {
  const file = tempFile()
  const store = openStore(file)
  const job = (n: number) => ({ kind: 'purge', payload: { n }, runAt: n })
  await (await SessionWriter.create(store)).commit([said()], { jobs: [job(1), job(2)] })
  await store.close()
  damage(file, `UPDATE jobs SET payload = '{"n"' WHERE run_at = 1`)
  const again = openStore(file)
  expect(await again.takeJob(10, 1000)).toMatchObject({ payload: null, attempts: 1 })
  expect(await again.takeJob(10, 1000)).toMatchObject({ payload: { n: 2 } })
})
