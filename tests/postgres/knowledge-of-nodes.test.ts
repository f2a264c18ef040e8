import { describe, expect, test } from 'vitest'
import type { NewDocument, Store } from '../../src/store/index.ts'
import { openedDatabase } from '../support/postgres/opened.ts'
import { verifies } from '../support/verifies.ts'

const CONTENT = { contentType: 'text/plain', author: 'ada', hash: 'h', bytes: 1 }
const draft = (id: string): NewDocument => ({
  ...CONTENT,
  hash: id,
  id,
  tenant: 'acme',
  workspaceId: 'w',
  title: id,
  createdAt: 1,
})

const said = (...texts: string[]) => texts.map((text, i) => ({ place: `part ${i + 1}`, text }))

async function publish(store: Store, id: string, ...texts: string[]): Promise<void> {
  await store.putDocument(draft(id), said(...texts))
  await store.changeDocument(id, 1, { status: 'approved', reviewer: 'bob' }, 2)
  await store.publishDocument(id, 2, { at: 3 })
}

async function embedAll(store: Store, model: string): Promise<void> {
  const vector = Float32Array.from([0.6, 0.8])
  const wanted = await store.unembedded(model, 100)
  await store.putVectors(
    model,
    wanted.map((chunk) => ({ ...chunk, vector })),
  )
}

const about = (words: string) => ({ tenant: 'acme', workspaceIds: ['w'], words, limit: 5 })

describe('documents that several nodes use', () => {
  verifies(
    'GOV-19',
    'are found by all as soon as one has published them, and by none once one has deleted them',
    async () => {
      const database = await openedDatabase()
      const [one, other] = [await database.node('one'), await database.node('other')]
      expect(await other.hasPublished('acme')).toBe(false)
      await publish(one, 'd', 'Holidays are thirty days.')
      expect([await other.hasPublished('acme'), await other.hasPublished('b')]).toEqual([true, false])
      expect((await other.search(about('holiday'))).byWords).toHaveLength(1)
      await other.deleteDocument('d')
      expect((await one.search(about('holiday'))).byWords).toEqual([])
      expect(await one.hasPublished('acme')).toBe(false)
    },
  )

  test('are embedded again by one that had embedded them, once another has erased its vectors', async () => {
    const database = await openedDatabase()
    const [one, other] = [await database.node('one'), await database.node('other')]
    await publish(one, 'd', 'Holidays.', 'Illness.')
    await embedAll(one, 'm')
    await publish(one, 'e', 'Travelling.')
    expect(await one.unembedded('m', 9)).toMatchObject([{ documentId: 'e' }])
    await embedAll(other, 'n')
    await other.keepVectorsOf('n')
    expect(await one.embedded('m')).toEqual({ done: 0, all: 3 })
    expect(await one.unembedded('m', 9)).toMatchObject([{ documentId: 'e' }])
    await embedAll(one, 'm')
    expect(await one.unembedded('m', 9)).toMatchObject([{ documentId: 'd' }, { documentId: 'd' }])
  })

  test('get no vectors after they were deleted, nor words that were overwritten meanwhile', async () => {
    const database = await openedDatabase()
    const [store, client] = [await database.node(), await database.connection()]
    await store.putDocument(draft('kept'), said('One.', 'Two.'))
    await store.putDocument(draft('gone'), said('Three.'))
    const wanted = await store.unembedded('m', 9)
    await client.query(`BEGIN; DELETE FROM documents WHERE id = 'gone'; DELETE FROM chunks WHERE text = 'Two.';
      INSERT INTO chunks (document, version, chunk, place, text)
      SELECT num, 1, 1, 'part 2', 'Other.' FROM documents WHERE id = 'kept'`)
    const vector = Float32Array.from([1])
    const putting = store.putVectors(
      'm',
      wanted.map((chunk) => ({ ...chunk, vector })),
    )
    const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    await expect.poll(async () => (await client.query(waits)).rowCount).toBe(1)
    await client.query('COMMIT')
    await putting
    expect(await store.embedded('m')).toEqual({ done: 1, all: 2 })
  })

  verifies('GOV-19', 'are stored whole or not at all when the connection breaks in between', async () => {
    const database = await openedDatabase()
    const [store, client] = [await database.node(), await database.connection()]
    await publish(store, 'd', 'As it was.')
    const many = Array.from({ length: 5000 }, (_, i) => `Number ${i}: ${'holidays and illness '.repeat(20)}`)
    for (const write of [
      () => store.putDocument(draft('many'), said(...many)),
      () => store.changeDocument('d', 3, { content: { ...CONTENT, chunks: said(...many) } }, 4),
    ]) {
      const writing = expect(write()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE 'INSERT INTO chunks%' AND datname = current_database()`
      await Promise.all([writing, expect.poll(async () => (await client.query(cut)).rowCount, { interval: 1 }).toBe(1)])
    }
    expect(await store.document('many')).toBeUndefined()
    expect(await store.document('d')).toMatchObject({ version: 1, revision: 3, chunks: 1 })
    expect((await client.query('SELECT text FROM chunks')).rows).toEqual([{ text: 'As it was.' }])
  })

  verifies('GOV-19', 'are deleted by statements that end soon, however many versions they have', async () => {
    const database = await openedDatabase({ isNew: true })
    const [store, client] = [await database.node(), await database.connection()]
    await publish(store, 'long', 'The first.')
    await client.query(`INSERT INTO chunks (document, version, chunk, place, text)
        SELECT num, i / 5000 + 2, i % 5000, 'part', 'Words.' FROM documents, generate_series(0, 11998) i;
      CREATE TABLE erased (chunks bigint);
      CREATE FUNCTION count_erased() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO erased SELECT count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER count_erased AFTER DELETE ON chunks REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION count_erased()`)
    expect(await store.deleteDocument('long')).toBe(true)
    const { rows } = await client.query<{ chunks: string }>('SELECT chunks FROM erased WHERE chunks > 0')
    expect(rows.map(({ chunks }) => Number(chunks))).toEqual([5000, 5000, 2000])
    expect(await store.embedded('m')).toEqual({ done: 0, all: 0 })
  })

  verifies('REL-8', 'are not searched any more when nobody waits for that', async () => {
    const database = await openedDatabase()
    const [store, client] = [await database.node(), await database.connection()]
    await publish(store, 'd', 'Holidays are thirty days.')
    await client.query('BEGIN; LOCK TABLE chunks')
    await expect(store.search({ ...about('holiday'), mostMs: 50 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    const searching = `SELECT FROM pg_stat_activity WHERE query LIKE 'WITH scope%' AND state = 'active' AND datname = current_database()`
    expect((await client.query(searching)).rowCount).toBe(0)
    await client.query('ROLLBACK')
    expect((await store.search({ ...about('holiday'), mostMs: 20_000 })).byWords).toHaveLength(1)
  })

  test('are found by words alone where the server has no pgvector', async ({ skip }) => {
    const database = await openedDatabase()
    const [store, client] = [await database.node(), await database.connection()]
    const offered = await client.query(`SELECT FROM pg_available_extensions WHERE name = 'vector'`)
    skip(offered.rowCount !== 0, 'this server has it')
    await publish(store, 'd', 'Holidays are thirty days.')
    await embedAll(store, 'm')
    const vector = { model: 'm', values: Float32Array.from([0.6, 0.8]) }
    expect(store.hasVectors).toBe(false)
    expect(await store.search({ ...about('holiday'), vector })).toMatchObject({ byWords: [{}], byMeaning: [] })
  })
})
