import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import {
  asked,
  attached,
  blob,
  claimOf,
  created,
  decided,
  fact,
  fileOf,
  OWNER,
  result,
  said,
  started,
  talk,
} from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { cutProxy, type CutProxy } from '../support/postgres/cut-proxy.ts'
import { reusedDatabase, type ReusedDatabase } from '../support/postgres/reused-database.ts'
import { verifies } from '../support/verifies.ts'

let database: ReusedDatabase
let sql: Client
let opened: Store[]

beforeEach(async () => {
  opened = []
  database = await reusedDatabase()
  sql = new Client(database.url)
  await sql.connect()
})

afterEach(async () => {
  for (const store of opened) await store.close()
  await sql.end()
  await database.giveBack()
})

async function open(url = database.url, node = 'first'): Promise<Store> {
  const { store } = await openPostgres({
    url,
    node: { id: () => node },
    connections: 2,
    commitConnections: 2,
    connectMs: 5000,
    statementMs: 30_000,
  })
  opened.push(store)
  return store
}

async function throughProxy(): Promise<{ store: Store; proxy: CutProxy }> {
  const proxy = await cutProxy(database.url)
  onTestFinished(() => proxy.close())
  return { store: await open(proxy.url), proxy }
}

/** How many events and commits a session has in the database. */
async function stored({ id }: SessionWriter): Promise<{ events: number; commits: number; head: number }> {
  const { rows } = await sql.query<{ events: number; commits: number; head: number }>(
    `SELECT coalesce(sum(n), 0)::int AS events, count(*)::int AS commits,
       (SELECT head FROM heads WHERE session_id = $1) AS head FROM events WHERE session_id = $1`,
    [id],
  )
  return rows[0] as { events: number; commits: number; head: number }
}

const reaches = (writer: SessionWriter, events: number): Promise<void> =>
  vi.waitUntil(async () => (await stored(writer)).events === events, { interval: 5, timeout: 30_000 }).then(() => {})

describe('on postgres', () => {
  test('commits are stored in the order they were sent, without waiting for answers', async () => {
    const writer = await SessionWriter.create(await open())
    const changes = Array.from({ length: 8 }, (_, i) => writer.change([said(`message ${i}`)], { expected: 1 + i }))
    const answers = await Promise.all(changes.map((change) => writer.store.commit(change)))
    expect(answers.map((answer) => answer.kind)).toEqual(Array<string>(8).fill('committed'))
    expect(await stored(writer)).toEqual({ events: 9, commits: 9, head: 9 })
  })

  test('changes of many sessions share a call, and those of one session never do', async () => {
    const store = await open()
    const writers = await Promise.all(Array.from({ length: 30 }, () => SessionWriter.create(store)))
    await sql.query('CREATE TABLE calls_made (session_id text, xid xid8)')
    onTestFinished(async () => {
      const client = new Client(database.url)
      await client.connect()
      await client.query('DROP TRIGGER IF EXISTS note ON events; DROP TABLE calls_made; DROP FUNCTION note')
      await client.end()
    })
    await sql.query(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO calls_made VALUES (NEW.session_id, pg_current_xact_id()); RETURN NEW; END $$`)
    await sql.query('CREATE TRIGGER note BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION note()')
    await Promise.all(
      writers.flatMap((writer) => [0, 1].map((i) => writer.store.commit(writer.change([said()], { expected: 1 + i })))),
    )
    const { rows } = await sql.query(
      'SELECT count(*)::int AS n, count(DISTINCT session_id)::int AS own FROM calls_made GROUP BY xid',
    )
    expect(rows.every(({ n, own }: { n: number; own: number }) => n === own)).toBe(true)
    expect(rows.length).toBeLessThan(20)
  })

  test('a store that was closed takes no more changes, and may be closed twice', async () => {
    const store = await open()
    const writer = await SessionWriter.create(store)
    await store.close()
    await store.close()
    await expect(writer.write(said())).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  })

  test('ids that a model made up may have any characters in them, and all of them are checked', async () => {
    const store = await open()
    await store.putEntitlement({
      tenant: OWNER.tenant,
      userId: OWNER.id,
      dailyTokens: null,
      dailyToolCost: null,
      dailyCost: 1000,
      updatedAt: 1,
    })
    for (const odd of ['nul \u0000', 'half \ud800']) {
      const writer = await SessionWriter.create(store)
      const call = {
        callId: odd,
        name: odd,
        idempotencyKey: odd,
        effect: 'pure',
        reserved: 5,
        quota: { perHour: 5 },
      } as const
      await writer.write(started(`round ${odd}`), fact('tool.started', call, `round ${odd}`))
      await writer.write(asked(`round ${odd}`, odd), result(`round ${odd}`, odd, { cost: 3 }))
      await writer.commit([decided(`round ${odd}`, odd, 'approve')], { claim: claimOf(odd) })
      expect(await store.findClaim(odd)).toBeDefined()
    }
    expect((await store.check()).findings).toEqual([])
  })

  for (const code of ['serialization_failure', 'deadlock_detected']) {
    verifies('REL-3', `what fails with ${code} is tried again, and stored once`, async () => {
      const store = await open()
      const writers = await Promise.all(Array.from({ length: 5 }, () => SessionWriter.create(store)))
      await sql.query('CREATE SEQUENCE failures')
      await sql.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('failures') < 4 THEN RAISE EXCEPTION USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$`)
      await sql.query('CREATE TRIGGER fail BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail()')
      onTestFinished(async () => {
        const client = new Client(database.url)
        await client.connect()
        await client.query('DROP TRIGGER fail ON events; DROP FUNCTION fail; DROP SEQUENCE failures')
        await client.end()
      })
      await Promise.all(writers.map((writer) => writer.write(said())))
      for (const writer of writers) expect(await stored(writer)).toEqual({ events: 2, commits: 2, head: 2 })
    })
  }
})

describe('a commit whose connection breaks', () => {
  /** What can be in a change that must not happen twice. */
  const wholeChange = (writer: SessionWriter) => {
    const file = blob()
    return writer.change([...talk(2), attached(fileOf(file))], {
      claim: claimOf(`claim of ${writer.id}`),
      jobs: [{ kind: 'purge', payload: {}, runAt: 5 }],
      blobs: [file],
    })
  }
  const changes: [
    what: string,
    make: (writer: SessionWriter) => ReturnType<SessionWriter['change']>,
    events: number,
  ][] = [
    ['of plain events', (writer) => writer.change(talk(3)), 4],
    ['under a claim, with a job and a file', wholeChange, 4],
    ['with nothing but a claim', (writer) => writer.change([], { claim: claimOf(`claim of ${writer.id}`) }), 1],
  ]

  for (const [what, make, events] of changes) {
    verifies('REL-1', `after it was stored is not stored twice, nor said to be lost: ${what}`, async () => {
      const { store, proxy } = await throughProxy()
      const writer = await SessionWriter.create(store)
      const change = make(writer)
      const told: string[] = []
      store.subscribe((id) => told.push(id))
      proxy.holdAnswers(change.blobs ? 'COMMIT' : 'commit_changes')
      const answer = store.commit(change)
      if (change.claim) await claimed(change.claim.key)
      else await reaches(writer, events)
      proxy.cut()
      expect(await answer).toMatchObject({ kind: 'committed', events: { length: change.events.length } })
      expect((await stored(writer)).events).toBe(events)
      expect((await sql.query('SELECT 1 FROM jobs')).rowCount).toBe(change.jobs?.length ?? 0)
      expect(told).toEqual(change.events.length > 0 ? [writer.id] : [])
      writer.head = events
      await writer.write(said())
    })
  }

  verifies('REL-1', 'that creates a session creates it once', async () => {
    const { store, proxy } = await throughProxy()
    const writer = new SessionWriter(store, 'the session', 1, 0)
    await SessionWriter.create(store)
    proxy.holdAnswers('commit_changes')
    const answer = store.commit(writer.change([created()], { create: {} }))
    await reaches(writer, 1)
    proxy.cut()
    expect(await answer).toMatchObject({ kind: 'committed' })
    expect(await stored(writer)).toEqual({ events: 1, commits: 1, head: 1 })
  })

  verifies('REL-1', 'before it was stored is stored, once', async () => {
    const store = await open()
    const writer = await SessionWriter.create(store)
    await sql.query('BEGIN')
    await sql.query('SELECT FROM heads WHERE session_id = $1 FOR UPDATE', [writer.id])
    const answer = store.commit(writer.change(talk(2)))
    const waiting = await vi.waitUntil(() => waitingBackend(), { interval: 5, timeout: 30_000 })
    await sql.query('SELECT pg_terminate_backend($1)', [waiting])
    await sql.query('COMMIT')
    expect(await answer).toMatchObject({ kind: 'committed' })
    expect(await stored(writer)).toEqual({ events: 3, commits: 2, head: 3 })
  })

  verifies('REL-3', 'is refused where somebody else became the owner meanwhile', async () => {
    const store = await open()
    const writer = await SessionWriter.create(store)
    await sql.query('BEGIN')
    await sql.query(`UPDATE heads SET owner = 'second', epoch = epoch + 1 WHERE session_id = $1`, [writer.id])
    const answer = store.commit(writer.change(talk(2)))
    const waiting = await vi.waitUntil(() => waitingBackend(), { interval: 5, timeout: 30_000 })
    await sql.query('SELECT pg_terminate_backend($1)', [waiting])
    await sql.query('COMMIT')
    expect(await answer).toEqual({ kind: 'conflict', reason: 'epoch' })
    expect(await stored(writer)).toMatchObject({ events: 1, commits: 1 })
  })

  verifies('REL-1', 'waits for a server that is gone; what was never sent is refused at once', async () => {
    const { store, proxy } = await throughProxy()
    const writer = await SessionWriter.create(store)
    proxy.holdAnswers('commit_changes')
    const doubtful = store.commit(writer.change(talk(2)))
    await reaches(writer, 3)
    proxy.down()
    await expect(store.commit(writer.change([said()], { expected: 3 }))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    })
    proxy.up()
    expect(await doubtful).toMatchObject({ kind: 'committed' })
    writer.head = 3
    await writer.write(said())
    expect(await stored(writer)).toEqual({ events: 4, commits: 3, head: 4 })
  })

  verifies(
    'REL-1',
    'at any moment, again and again, is stored once or refused, and its answer says which',
    async () => {
      const store = await open()
      const writers = await Promise.all(Array.from({ length: 12 }, () => SessionWriter.create(store)))
      const told = new Map<string, number>()
      store.subscribe((id, events) => told.set(id, (told.get(id) ?? 0) + events.length))
      const done = new AbortController()
      const killing = (async () => {
        while (!done.signal.aborted) {
          await sql.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
             AND pid <> pg_backend_pid() AND query LIKE '%commit_changes%' AND random() < 0.5`,
          )
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
        }
      })()
      await Promise.all(
        writers.map(async (writer) => {
          for (let i = 0; i < 25; i++) {
            await writer.commit(talk(1 + (i % 3)), i % 5 === 0 ? { claim: claimOf(`${writer.id} ${i}`) } : {})
          }
        }),
      )
      done.abort()
      await killing
      for (const writer of writers) {
        expect(await stored(writer)).toEqual({ events: writer.head, commits: 26, head: writer.head })
        expect(told.get(writer.id)).toBe(writer.head - 1)
      }
    },
  )

  const claimed = (key: string): Promise<void> =>
    vi
      .waitUntil(async () => (await sql.query('SELECT 1 FROM claims WHERE key = $1', [key])).rowCount, {
        interval: 5,
        timeout: 30_000,
      })
      .then(() => {})

  async function waitingBackend(): Promise<number | undefined> {
    const { rows } = await sql.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%commit_changes%'`,
    )
    return rows[0]?.pid
  }
})
