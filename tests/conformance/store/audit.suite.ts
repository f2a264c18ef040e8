import { describe, expect, test } from 'vitest'
import { auditRowsOf, verifyAudit } from '../../../src/audit/index.ts'
import { auditRecord, type AuditAction, type AuditMetadata, type AuditRecord } from '../../../src/contract/audit.ts'
import { newId } from '../../../src/lib/id.ts'
import type { AuditQuery, Change, Store } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { claimOf, said, started } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

let clock = 1_700_000_000_000

interface Wanted {
  readonly sessionId?: string
  readonly tenant?: string
  readonly metadata?: AuditMetadata
}

function record(action: AuditAction = 'message_received', more: Wanted = {}): AuditRecord {
  const { sessionId = null, tenant = 'local', metadata = { chars: 3 } } = more
  return auditRecord(action, { id: newId(), at: clock++, userId: 'ada', tenant, sessionId }, metadata)
}

/** As many as asked for, all alike. */
const records = (count: number, more: Wanted = {}): AuditRecord[] =>
  Array.from({ length: count }, () => record('tool_executed', more))

async function everything(store: Store, query: AuditQuery = {}): Promise<AuditRecord[]> {
  const { items, next } = await store.auditPage({ limit: 1000, ...query })
  expect(next).toBeNull()
  return items
}

const verify = (store: Store) => verifyAudit(auditRowsOf(store))

export function auditSuite(it: Subject): void {
  describe('the audit log', () => {
    verifies('ORC-11', 'has the records of a commit, in one row, once it is stored', async () => {
      const writer = await SessionWriter.create(it.store)
      const audit = [record(), record('tool_denied', { sessionId: writer.id })]
      await writer.commit([said()], { audit })
      expect(await everything(it.store)).toEqual(audit.toReversed())
      const rows = await it.store.auditRows(0, 10)
      expect(rows.map((row) => JSON.parse(row.body) as unknown)).toEqual([audit])
      expect(rows).toMatchObject([{ seq: 1, tenant: 'local', at: audit[0]?.at }])
    })

    test('has what is in no log', async () => {
      const denied = record('access_denied', { metadata: { permission: 'trace:read', problem: 'PERMISSION_DENIED' } })
      await it.store.appendAudit([denied])
      expect(await everything(it.store)).toEqual([denied])
    })

    test('takes nothing at all for nothing', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { audit: [] })
      await it.store.appendAudit([])
      expect(await it.store.auditRows(0, 10)).toEqual([])
    })

    verifies('ORC-11', 'lets no content in, by whichever way it comes', async () => {
      const writer = await SessionWriter.create(it.store)
      const metadata = { 'message.content': 'CANARY', tool: { output: 'CANARY' }, chars: 'CANARY', text: 'CANARY' }
      const hostile = { ...record(), action: 'CANARY', content: 'CANARY', metadata } as unknown as AuditRecord
      await writer.commit([said()], { audit: [hostile] })
      await it.store.appendAudit([hostile])
      const rows = await it.store.auditRows(0, 10)
      expect(rows).toHaveLength(2)
      expect(JSON.stringify(rows)).not.toContain('CANARY')
    })

    test('keeps what a deleted session did', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { audit: records(2, { sessionId: writer.id }) })
      await writer.removeAndPurge()
      expect(await everything(it.store, { sessionId: writer.id })).toHaveLength(2)
    })
  })

  describe('a record and what it records are one change', () => {
    const refusals: [what: string, spoil: (writer: SessionWriter) => Promise<Partial<Change>>][] = [
      ['expects another number', async () => ({ expected: 7 })],
      [
        'has lost its session',
        async (writer) => ({ epoch: (await SessionWriter.claim(it.store, writer.id)).epoch - 1 }),
      ],
      ['creates what exists', async () => ({ create: {}, expected: 0 })],
      [
        'came before',
        async (writer) => {
          await writer.commit([said()], { claim: claimOf('once') })
          return { claim: claimOf('once'), expected: writer.head }
        },
      ],
    ]
    for (const [what, spoil] of refusals) {
      verifies('ORC-11', `a commit that ${what} leaves none`, async () => {
        const writer = await SessionWriter.create(it.store)
        const spoiled = { ...writer.change([said()], { audit: [record()] }), ...(await spoil(writer)) }
        expect((await it.store.commit(spoiled)).kind).not.toBe('committed')
        expect(await it.store.auditRows(0, 10)).toEqual([])
      })
    }

    verifies(['ORC-11', 'GOV-30'], 'a commit that fails leaves none, and the chain goes on without it', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { audit: [record()] })
      const twice = writer.change([started('r'), started('r')], { audit: records(3) })
      await expect(it.store.commit(twice)).rejects.toThrow()
      expect(await verify(it.store)).toMatchObject({ ok: true, rows: 1 })
      await writer.commit([said()], { audit: [record()] })
      expect(await verify(it.store)).toMatchObject({ ok: true, rows: 2, records: 2, head: { seq: 2 } })
    })

    test('a record that cannot be stored takes its commit with it', async () => {
      const writer = await SessionWriter.create(it.store)
      const audit = [record(), record('tool_denied', { tenant: 'acme' })]
      await expect(it.store.commit(writer.change([said()], { audit }))).rejects.toThrow('two tenants')
      await expect(it.store.appendAudit(audit)).rejects.toThrow('two tenants')
      expect(await writer.read()).toHaveLength(1)
      expect(await it.store.auditRows(0, 10)).toEqual([])
    })

    test('commits at once with a bad one among them are recorded once each, the bad one never', async () => {
      const writers = await Promise.all(Array.from({ length: 7 }, () => SessionWriter.create(it.store)))
      const answers = await Promise.allSettled(
        writers.map((writer, i) =>
          it.store.commit(
            writer.change(i === 3 ? [started('r'), started('r')] : [said()], {
              audit: [record('message_received', { sessionId: writer.id })],
            }),
          ),
        ),
      )
      expect(answers.map(({ status }) => status === 'rejected')).toEqual(writers.map((_, i) => i === 3))
      const recorded = (await everything(it.store)).map(({ sessionId }) => sessionId)
      expect(recorded).toHaveLength(6)
      expect(new Set(recorded)).toEqual(new Set(writers.filter((_, i) => i !== 3).map(({ id }) => id)))
      expect(await verify(it.store)).toMatchObject({ ok: true, rows: 6 })
    })

    test('a key that was not there to be revoked leaves none', async () => {
      expect(await it.store.revokeKey('no such key', 5, { audit: [record('key_revoked')] })).toBe(false)
      expect(await it.store.auditRows(0, 10)).toEqual([])
    })
  })

  describe('the chain of the audit log', () => {
    verifies('GOV-30', 'seals every row, also over a restart', async () => {
      await it.store.appendAudit(records(2))
      await it.store.appendAudit(records(1))
      const store = await it.reopen()
      await store.appendAudit(records(3))
      expect(await verify(store)).toMatchObject({ ok: true, rows: 3, records: 6, findings: [] })
    })

    test('has no gaps when many write at once', async () => {
      const writers = await Promise.all(Array.from({ length: 20 }, () => SessionWriter.create(it.store)))
      await Promise.all([
        ...writers.map((writer) => writer.commit([said()], { audit: records(2) })),
        ...writers.map(() => it.store.appendAudit(records(1))),
      ])
      expect(await verify(it.store)).toMatchObject({ ok: true, rows: 40, records: 60, head: { seq: 40 } })
    })

    test('runs through all tenants', async () => {
      for (const tenant of ['local', 'acme', 'local']) await it.store.appendAudit(records(1, { tenant }))
      expect(await verify(it.store)).toMatchObject({ ok: true, rows: 3 })
    })

    test('belongs to what a check looks at', async () => {
      await it.store.appendAudit(records(2))
      expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
    })

    test('is read in order, from any row on, a few at a time', async () => {
      for (let i = 0; i < 5; i++) await it.store.appendAudit(records(1))
      const seqs = async (after: number, limit: number) =>
        (await it.store.auditRows(after, limit)).map(({ seq }) => seq)
      expect(await seqs(0, 3)).toEqual([1, 2, 3])
      expect(await seqs(3, 3)).toEqual([4, 5])
      expect(await seqs(5, 3)).toEqual([])
    })
  })

  describe('a page of the audit log', () => {
    async function filled(): Promise<AuditRecord[]> {
      const all: AuditRecord[] = []
      for (let i = 0; i < 6; i++) {
        const more = { tenant: i % 3 === 0 ? 'acme' : 'local', sessionId: `s${i % 2}` }
        const row = [record('message_received', more), record('tool_executed', more), record('tool_denied', more)]
        await it.store.appendAudit(row.slice(0, 1 + (i % 3)))
        all.push(...row.slice(0, 1 + (i % 3)))
      }
      return all.toReversed()
    }

    for (const limit of [1, 2, 3, 5, 12, 50]) {
      test(`begins where the one before ended, newest first, ${limit} at a time`, async () => {
        const all = await filled()
        const seen: AuditRecord[] = []
        for (let after: string | null | undefined; after !== null;) {
          const page: { items: AuditRecord[]; next: string | null } = await it.store.auditPage({
            limit,
            ...(after !== undefined && { after }),
          })
          expect(page.items.length).toBeLessThanOrEqual(limit)
          seen.push(...page.items)
          after = page.next
        }
        expect(seen).toEqual(all)
      })
    }

    const queries: [what: string, query: AuditQuery, fits: (record: AuditRecord) => boolean][] = [
      ['of a tenant', { tenant: 'acme' }, ({ tenant }) => tenant === 'acme'],
      ['of a session', { sessionId: 's1' }, ({ sessionId }) => sessionId === 's1'],
      ['of an action', { action: 'tool_executed' }, ({ action }) => action === 'tool_executed'],
      [
        'of all three',
        { tenant: 'local', sessionId: 's1', action: 'message_received' },
        ({ tenant, sessionId, action }) => tenant === 'local' && sessionId === 's1' && action === 'message_received',
      ],
      ['of nobody', { tenant: 'nobody' }, () => false],
    ]
    for (const [what, query, fits] of queries) {
      test(`${what} has only those, page by page too`, async () => {
        const wanted = (await filled()).filter(fits)
        expect(await everything(it.store, query)).toEqual(wanted)
        const first = await it.store.auditPage({ ...query, limit: 1 })
        const rest = first.next === null ? [] : await everything(it.store, { ...query, after: first.next })
        expect([...first.items, ...rest]).toEqual(wanted)
      })
    }

    test('is found by a tenant and a session whose names are sentences', async () => {
      await it.store.appendAudit(records(1, { tenant: 'A Company of Friends' }))
      expect(await everything(it.store, { tenant: 'A Company of Friends' })).toHaveLength(1)
    })

    test('does not move when something is recorded meanwhile', async () => {
      const all = await filled()
      const { next } = await it.store.auditPage({ limit: 4 })
      await it.store.appendAudit(records(5))
      expect(await everything(it.store, { after: next as string })).toEqual(all.slice(4))
    })

    test('holds fifty unless told otherwise', async () => {
      await it.store.appendAudit(records(60))
      expect((await it.store.auditPage({})).items).toHaveLength(50)
    })

    test('goes back over thousands of rows that do not fit', async () => {
      const old = record('session_deleted')
      await it.store.appendAudit([old])
      await Promise.all(Array.from({ length: 2500 }, () => it.store.appendAudit(records(1))))
      expect(await everything(it.store, { action: 'session_deleted' })).toEqual([old])
    })

    test.each(['', 'x', '1', '1.', '-1.1', '1.1.1', '1e3.1', '9'.repeat(30)])(
      'refuses %j as a cursor',
      async (after) => {
        await expect(it.store.auditPage({ after })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'after' })
      },
    )
  })
}
