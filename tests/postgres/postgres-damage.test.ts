import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditRecord } from '../../src/contract/audit.ts'
import type { CheckReport, Store } from '../../src/store/index.ts'
import { openBase, type Base } from '../../src/store/postgres/base.ts'
import { checkStore } from '../../src/store/postgres/check-store.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { asked, attached, blob, ended, fileOf, part, said, started, talk, unknown } from '../conformance/store/facts.ts'
import { call, entitled, noon, paid, turn, turned } from '../conformance/store/money-facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { freshDatabase, type FreshDatabase } from '../support/postgres/fresh-database.ts'

const WAIT = { timeout: 20_000, interval: 20 }

let fresh: FreshDatabase
let base: Base
let store: Store
let writer: SessionWriter

/** One session with a bit of everything, a fork of it, and a fork whose parent is deleted and purged. */
beforeAll(async () => {
  fresh = await freshDatabase()
  const options = { url: fresh.url, node: { id: () => 'here' }, connections: 4, connectMs: 5000, statementMs: 20_000 }
  store = (await openPostgres(options)).store
  base = await openBase(options)
  writer = await SessionWriter.create(store, { title: 'Sound' }, 'the session')
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
  const [content, id] = [{ contentType: 'text/plain', author: 'ada', hash: 'h', bytes: 1 }, 'the document']
  const chunks = ['one', 'two', 'three'].map((text) => ({ place: '', text }))
  await store.putDocument({ ...content, id, tenant: 't', workspaceId: 'w', title: '', createdAt: 1 }, chunks)
  await store.changeDocument(id, 1, { status: 'approved' }, 2)
  await store.publishDocument(id, 2, { at: 3 })
  await store.changeDocument(id, 3, { content: { ...content, chunks } }, 4)
  for (let at = 1; at <= 3; at++)
    await store.appendAudit([
      auditRecord(
        'message_received',
        { id: `${at}`, at, userId: 'ada', tenant: 'local', sessionId: null },
        { chars: 3 },
      ),
    ])
  await vi.waitFor(
    async () => expect(await base.query('SELECT FROM audit WHERE seq IS NOT NULL')).toHaveLength(3),
    WAIT,
  )
})

afterAll(async () => {
  await store.close()
  await base.close()
  await fresh.drop()
})

/** What a check says in a transaction in which this was done, and is then taken back. */
async function checkAfter(damage: string): Promise<CheckReport> {
  const { promise, resolve } = Promise.withResolvers<CheckReport>()
  const undone = new Error('taken back')
  const inside = base.transaction(async (query) => {
    const changed = await query(`${damage} RETURNING 1`)
    expect(changed.length).toBeGreaterThan(0)
    const transaction: Base['transaction'] = (work) =>
      work((sql, values) => (sql.startsWith('SET TRANSACTION') ? Promise.resolve([]) : query(sql, values)))
    resolve(await checkStore({ ...base, transaction }))
    throw undone
  })
  await inside.catch((error: unknown) => {
    if ((error as { cause?: unknown }).cause !== undone && error !== undone) throw error
  })
  return promise
}

describe('checking a PostgreSQL database', () => {
  test('finds nothing in one that was not touched', async () => {
    expect(await store.check()).toEqual({ ok: true, sessions: 5, events: 23, findings: [] })
  })

  const rowOf = (id: string, seq: number): string => `session_id = '${id}' AND seq = ${seq}`
  const APPROVAL = `session_id, tenant, owner, request_id, call_id, tool, args, target, reason, rememberable, question,
    status, requested_at, expires_at`
  const plants: [what: string, sql: string, finding: string][] = [
    ['a changed title', `UPDATE sessions SET title = 'x' WHERE id = 'the session'`, 'the session.title differs'],
    ['a title that is found by other words', `UPDATE sessions SET folded = 'X'`, 'the session.folded differs'],
    ['a session that looks archived', `UPDATE sessions SET archived = 1 WHERE id = 'the session'`, 'archived differs'],
    ['a session that looks used later', `UPDATE sessions SET used_at = used_at + 1`, 'the session.used_at differs'],
    ['a changed round', `UPDATE rounds SET state = 'running', end_seq = NULL`, 'rounds r.state differs'],
    ['a changed cost', `UPDATE rounds SET cost = cost + 1`, 'rounds r.cost differs'],
    ['a changed approval', `UPDATE approvals SET status = 'approved'`, 'approvals a.status differs'],
    ['a changed call', `UPDATE calls SET effect = 'done', reconciled = 1`, 'calls c.effect differs'],
    ['an approval given to somebody else', `UPDATE approvals SET owner = 'eve'`, 'approvals a.owner differs'],
    ['a call given to another tenant', `UPDATE calls SET tenant = 'rival'`, 'calls c.tenant differs'],
    ['a call that looks paid for', `UPDATE reservations SET settled_at = 1 WHERE about = 'open'`, 'says it is open'],
    ['a paid call that looks open', `UPDATE reservations SET settled_at = NULL WHERE about = 'paid'`, 'is settled'],
    ['money set aside for nothing', `UPDATE reservations SET about = 'x' WHERE about = 'open'`, 'is not in the log'],
    ['money set aside nowhere', `UPDATE reservations SET seq = seq + 9 WHERE about = 'open'`, 'is not in the log'],
    ['a negative amount', `UPDATE reservations SET spent_cost = -1 WHERE about = 'paid'`, 'negative amount'],
    ['a gift', `UPDATE spent SET tool_cost = -1`, 'what ada spent on 2026-07-24 is negative'],
    [
      'money held for nobody',
      `UPDATE spent SET held_cost = held_cost + 1`,
      'set aside for ada on 2026-07-24 is counted',
    ],
    ['a lost counter', `DELETE FROM spent`, 'set aside for ada on 2026-07-24 is counted wrong'],
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
    [
      'a removed last row',
      `DELETE FROM events WHERE ${rowOf('the session', 10)}`,
      'its head says 10, its log ends at 9',
    ],
    ['a head behind its log', `UPDATE heads SET head = head - 1`, 'its head says 9, its log ends at 10'],
    [
      'a removed head',
      `DELETE FROM heads WHERE session_id = 'the session'`,
      'session the session: its head is missing',
    ],
    ['a head of the living dead', `UPDATE heads SET deleted = NOT deleted`, 'about its deletion'],
    ['a row that counts too many', `UPDATE events SET n = n + 1 WHERE ${rowOf('the session', 5)}`, 'says 4, holds 3'],
    ['a row that counts too few', `UPDATE events SET n = n - 1 WHERE ${rowOf('the session', 5)}`, 'says 2, holds 3'],
    ['a row cut short', `UPDATE events SET body = left(body, 30) WHERE ${rowOf('the session', 5)}`, 'cannot be read'],
    ['a changed event', `UPDATE events SET body = replace(body, '"cost":42', '"cost":43')`, 'rounds r.cost differs'],
    ['a row moved', `UPDATE events SET seq = seq + 1 WHERE ${rowOf('the session', 5)}`, 'event 5 is missing'],
    [
      'a removed row that only a fork still reads',
      `DELETE FROM events WHERE ${rowOf('the deleted parent', 2)}`,
      'inherited event 2 is missing',
    ],
    [
      'a removed last row that only a fork still reads',
      `DELETE FROM events WHERE ${rowOf('the deleted parent', 4)}`,
      'inherited event 4 is missing',
    ],
    [
      'a fork moved to a later point',
      `UPDATE sessions SET parent_seq = parent_seq + 1 WHERE parent = 'the session'`,
      'event 6 is missing',
    ],
    ['a removed file', 'DELETE FROM blobs', 'session the session: the blob '],
    ['a removed part of a file', 'DELETE FROM blob_parts', 'session the session: the blob '],
    ['a removed chunk', 'DELETE FROM chunks WHERE version = 1 AND chunk = 1', 'version 1 has not all its chunks'],
    ['a removed last chunk', 'DELETE FROM chunks WHERE version = 2 AND chunk = 2', 'version 2 has not all its chunks'],
    ['a removed published version', 'DELETE FROM chunks WHERE version = 1', 'the document: a version is missing'],
    ['a removed newest version', 'DELETE FROM chunks WHERE version = 2', 'the document: a version is missing'],
    ['a part that nobody refers to', 'DELETE FROM part_refs', 'nobody refers to it'],
    ['a removed session', `DELETE FROM sessions WHERE id = 'the session'`, 'session the session belong to no session'],
    ['a removed first session', `DELETE FROM sessions WHERE id < 'the'`, 'belong to no session'],
    ['a changed audit row', `UPDATE audit SET at = at + 1 WHERE seq = 2`, 'row 2 does not fit its seal'],
    ['a removed audit row', `DELETE FROM audit WHERE seq = 2`, 'audit: row 2 is missing'],
    ['an audit log that was cut off', `DELETE FROM audit WHERE seq = 3`, 'the last row is 2, the head says 3'],
  ]
  for (const [what, sql, finding] of plants) {
    test(`finds ${what}`, async () => {
      const { ok, findings } = await checkAfter(sql)
      expect(ok).toBe(false)
      expect(findings.join('\n')).toContain(finding)
    })
  }

  test('does not miss a part that was erased', async () => {
    expect(await checkAfter('DELETE FROM parts')).toMatchObject({ ok: true, findings: [] })
  })

  test('sees one moment, although others go on writing', async () => {
    const writing = new AbortController()
    const writes = (async () => {
      for (let i = 0; !writing.signal.aborted; i++) {
        await writer.write(started(`w${i}`), said(), ended(`w${i}`))
        await turnOfTheLoop()
      }
    })()
    for (let i = 0; i < 5; i++) expect(await store.check()).toMatchObject({ ok: true, findings: [] })
    writing.abort()
    await writes
  })

  test('says how far it is, and ends when it is told to', async () => {
    const seen: number[] = []
    await store.check({ onProgress: ({ doing, total }) => seen.push(doing === 'checking' ? total : -1) })
    expect(new Set(seen)).toEqual(new Set([5]))
    const enough = new AbortController()
    const checking = store.check({ signal: enough.signal, onProgress: () => enough.abort(new Error('enough')) })
    await expect(checking).rejects.toThrow('enough')
    await expect(store.check({ signal: enough.signal })).rejects.toThrow('enough')
    expect(await store.check()).toMatchObject({ ok: true })
  })

  test('ends when its store is closed, which does not wait for it', async () => {
    const options = {
      url: fresh.url,
      node: { id: () => 'there' },
      connections: 4,
      connectMs: 5000,
      statementMs: 20_000,
    }
    const { store: other } = await openPostgres(options)
    const checking = other.check({ onProgress: () => void other.close() })
    await expect(checking).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
    await other.close()
  })
})
