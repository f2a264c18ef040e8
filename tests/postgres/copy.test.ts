import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliDecompressSync } from 'node:zlib'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { CopySource, Store } from '../../src/store/index.ts'
import { copyInto, openPostgres } from '../../src/store/postgres/index.ts'
import { openSqliteStore, sqliteSource } from '../../src/store/sqlite/index.ts'
import { part, said, wordsOf } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { segno } from '../scenarios/account/support/cli.ts'
import { freshDatabase, type FreshDatabase } from '../support/postgres/fresh-database.ts'

let database: FreshDatabase
let home: string
beforeEach(async () => {
  database = await freshDatabase()
  home = mkdtempSync(join(tmpdir(), 'segno-copy-'))
})
afterEach(async () => {
  rmSync(home, { recursive: true, force: true })
  await database.drop()
})

const to = () => ({ url: database.url, connections: 1, connectMs: 10_000, statementMs: 60_000 })

/** A file with everything in it: made by an older version, killed in the middle of it. */
function oldHome(): string {
  const file = join(home, 'segno.db')
  const packed = readFileSync(new URL('../adapters/old-home/segno.db.br', import.meta.url))
  writeFileSync(file, brotliDecompressSync(packed))
  return file
}

function open(file: string): CopySource {
  const source = sqliteSource({ file, durability: 'normal' })
  onTestFinished(() => source.close())
  return source
}

async function sql<Row = Record<string, unknown>>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

describe('a copy of a SQLite file in PostgreSQL', () => {
  test('has everything, compared value by value, and says what', async () => {
    const source = open(oldHome())
    const seen: string[] = []
    const report = await copyInto(source, { ...to(), onProgress: ({ doing }) => seen.push(doing) })
    expect(report).toMatchObject({ sessions: source.count('sessions'), files: source.count('blobs'), tables: 32 })
    expect(report.sealed).toEqual({
      seq: source.count('audit'),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    expect(report.events).toBeGreaterThan(50)
    expect(new Set(seen)).toEqual(new Set(['copying', 'comparing']))
    const [row] = await sql(
      'SELECT (SELECT count(*)::int FROM heads) AS heads, (SELECT count(*)::int FROM events) AS events',
    )
    expect(row).toEqual({ heads: source.count('sessions'), events: source.count('events') })
  })

  test('is one thing: whatever ends it before its end leaves the database empty', async () => {
    const source = open(oldHome())
    const broken: CopySource = {
      ...source,
      *rows(table) {
        if (table === 'kept') throw new Error('the power failed')
        yield* source.rows(table)
      },
    }
    await expect(copyInto(broken, to())).rejects.toThrow('the power failed')
    expect(await sql('SELECT 1 FROM sessions')).toEqual([])
    expect((await copyInto(source, to())).sessions).toBe(source.count('sessions'))
  })

  test('is not kept where something was read back that was not sent', async () => {
    const source = open(oldHome())
    let times = 0
    const changing: CopySource = {
      ...source,
      *rows(table) {
        if (table === 'events') times++
        for (const rows of source.rows(table))
          yield table === 'events' && times === 2 ? rows.map((row) => ({ ...row, body: '[]' })) : rows
      },
    }
    await expect(copyInto(changing, to())).rejects.toThrow('not what was read back from the database (events)')
    expect(await sql('SELECT 1 FROM sessions')).toEqual([])
  })

  test('does not go into a database that has something, nor one that is used', async () => {
    const source = open(oldHome())
    await copyInto(source, to())
    await expect(copyInto(source, to())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('not empty: there are sessions in it. Nothing was copied') as string,
    })
    await sql(
      `INSERT INTO nodes (id, release, version, joined_at, seen_at, until) VALUES ('a', '', 1, 0, 0, now_ms() + 10000)`,
    )
    await expect(copyInto(source, to())).rejects.toMatchObject({ code: 'STORE_BUSY' })
  })

  test('is refused where a seal was broken before', async () => {
    const file = oldHome()
    const db = new DatabaseSync(file)
    db.exec('UPDATE audit SET at = at - 1 WHERE seq = 3')
    db.close()
    await expect(copyInto(open(file), to())).rejects.toThrow(
      'The audit log cannot be copied: row 3 does not fit its seal',
    )
  })

  test('has files in parts, and what no column of text can hold in its log', async () => {
    const file = join(home, 'segno.db')
    const store: Store = openSqliteStore({ file, durability: 'normal' })
    const bytes = new Uint8Array(2_500_000).map((_, i) => i % 251)
    const writer = await SessionWriter.create(store, { title: 'a\u0000b' })
    await writer.commit([said('a NUL \u0000 and half a pair \uD800')], { blobs: [{ hash: 'h', bytes }] })
    await store.close()
    const source = open(file)
    await copyInto(source, to())
    expect(await sql('SELECT n, length(bytes) AS size FROM blob_parts ORDER BY n')).toEqual([
      { n: 0, size: 1_048_576 },
      { n: 1, size: 1_048_576 },
      { n: 2, size: 2_500_000 - 2 * 1_048_576 },
    ])
    const [row] = await sql<{ body: string }>('SELECT body FROM events WHERE seq = 2')
    expect(JSON.stringify(JSON.parse(row?.body ?? ''))).toContain('a NUL \\u0000 and half a pair \\ud800')
  })
})

test('a copy has prompts, preferences and parts as they were, and goes on from them', async () => {
  const file = join(home, 'segno.db')
  const store: Store = openSqliteStore({ file, durability: 'normal' })
  const prompt = { tenant: 'local', workspaceId: 'w', name: 'n', content: 'c', author: 'ada', tokens: 1, createdAt: 1 }
  for (const id of ['one', 'two']) await store.putPrompt({ ...prompt, id })
  await store.changePrompt('one', 1, { status: 'approved', reviewer: 'bob', selfApproved: true, editors: ['eve'] }, 2)
  await store.activatePrompt('one', 2, { at: 3, reason: 'good' })
  const preferences = { tenant: 'local', userId: 'ada', preferences: { allowMemory: true }, salt: 's', updatedAt: 1 }
  for (const userId of ['ada', 'bob']) await store.putPreferences({ ...preferences, userId })
  const parent = await SessionWriter.create(store)
  const [told, hers, erased] = [part('told'), wordsOf('ada'), wordsOf('bob')]
  await parent.commit([said()], { parts: [told, hers, erased] })
  const fork = await parent.fork(2)
  await parent.removeAndPurge()
  await store.forgetPreferences('local', 'bob')
  const before = await store.prompts({ tenant: 'local' })
  await store.close()
  await copyInto(open(file), to())

  const { store: copy } = await openPostgres({ ...to(), connections: 4, node: { id: () => 'here' } })
  onTestFinished(() => copy.close())
  expect((await copy.prompts({ tenant: 'local' })).items).toEqual(before.items)
  expect(await copy.putPrompt({ ...prompt, id: 'three' })).toMatchObject({ version: 3 })
  expect((await copy.prompts({ tenant: 'local' })).items.map(({ id }) => id)).toEqual(['three', 'two', 'one'])
  expect(await copy.preferences('local', 'ada')).toEqual({ ...preferences, version: 1 })
  const hashes = [told, hers, erased].map(({ hash }) => hash)
  expect([...(await copy.parts(hashes)).values()].toSorted()).toEqual([told.text, hers.text].toSorted())
  expect(await copy.check()).toMatchObject({ ok: true, findings: [] })
  await (await SessionWriter.claim(copy, fork.id)).removeAndPurge()
  expect(await copy.parts(hashes)).toEqual(new Map())
})

test('a copy has documents with all versions, vectors, memories and the outbox as they were, and goes on from them', async () => {
  const file = join(home, 'segno.db')
  const store: Store = openSqliteStore({ file, durability: 'normal' })
  const about = { tenant: 'local', workspaceId: 'w', contentType: 'text/plain', author: 'ada', hash: 'h', bytes: 9 }
  const chunks = [
    { place: 'part 1', text: 'Holidays are thirty days. \0 🌍' },
    { place: 'part 2', text: 'Illness is told by telephone.' },
  ]
  const event = {
    id: 'e',
    type: 'knowledge.published',
    tenant: 'local',
    at: 3,
    payload: { documentId: 'one' },
  } as const
  for (const id of ['one', 'two']) await store.putDocument({ ...about, id, hash: id, title: id, createdAt: 1 }, chunks)
  await store.changeDocument('one', 1, { status: 'approved', reviewer: 'bob', selfApproved: true, editors: ['eve'] }, 2)
  await store.publishDocument('one', 2, { at: 3, reason: 'good' }, { outbox: [event] })
  const content = { chunks: chunks.slice(0, 1), contentType: 'text/plain', hash: 'n', bytes: 1, author: 'eve' }
  await store.changeDocument('one', 3, { content }, 4)
  const vector = (i: number) => Float32Array.from([Math.fround(0.1 * i), -1 / 3, 1e-20])
  const wanted = await store.unembedded('m', 4)
  await store.putVectors(
    'm',
    wanted.map((chunk, i) => ({ ...chunk, vector: vector(i) })),
  )
  const [category, status, method, source] = ['preference', 'active', 'tool', 'ai_extraction'] as const
  const told = { tenant: 'local', userId: 'ada', content: 'Prefers tea', sessionId: 's', createdAt: 1 }
  const remembered = { ...told, category, importance: 5, status, method, source }
  await store.putMemory({ ...remembered, id: 'old', vector: { model: 'm', values: vector(7) } })
  await store.putMemory({ ...remembered, id: 'new', supersedes: 'old' })
  const all = async (of: Store) => ({
    documents: (await of.documents({ tenant: 'local' })).items,
    chunks: await Promise.all([1, 2].map(async (version) => (await of.chunks('one', version)).items)),
    embedded: await of.embedded('m'),
    unembedded: await of.unembedded('m', 9),
    memories: (await of.memories({ tenant: 'local', userId: 'ada' })).items,
    outbox: await of.outbox(0, 9),
  })
  const before = await all(store)
  expect(before).toMatchObject({ embedded: { done: 4, all: 5 }, unembedded: [{}], outbox: [{ id: 'e' }] })
  await store.close()
  await copyInto(open(file), to())

  const { store: copy } = await openPostgres({ ...to(), connections: 4, node: { id: () => 'here' } })
  onTestFinished(() => copy.close())
  expect(await all(copy)).toEqual(before)
  const stored = await sql<{ vector: number[] }>('SELECT vector FROM chunk_vectors ORDER BY chunk')
  expect(stored.map((row) => Float32Array.from(row.vector))).toEqual([0, 1, 2, 3].map(vector))
  const search = { tenant: 'local', workspaceIds: ['w'], words: 'telephone?', limit: 5 }
  expect((await copy.search(search)).byWords).toMatchObject([{ documentId: 'one', version: 1, chunk: 1 }])
  await copy.putDocument({ ...about, id: 'three', title: 'three', createdAt: 5 }, chunks)
  expect((await copy.documents({ tenant: 'local', limit: 1 })).items).toMatchObject([{ id: 'three' }])
  await copy.publishDocument('two', 1, { at: 9 })
  await copy.putMemory({ ...remembered, id: 'newest' }, { outbox: [{ ...event, id: 'f', type: 'memory.created' }] })
  expect((await copy.outbox(before.outbox[0]?.place ?? 0, 9)).map(({ id }) => id)).toEqual(['f'])
})

test('a copy has workspaces with all they tell their conversations', async () => {
  const file = join(home, 'segno.db')
  const store: Store = openSqliteStore({ file, durability: 'normal' })
  const workspace = {
    id: 'w',
    tenant: 'local',
    name: 'Shop',
    folder: '/shop',
    folderByOwner: true,
    instructions: 'Be brief.',
    instructionsBy: 'ada',
    instructionsTrusted: true,
    models: ['scripted'],
    mcpServers: ['stock'],
    files: ['handbook.md'],
    dynamicContext: [{ name: 'Stock', server: 'stock', tool: 'list', args: { of: 'tea' }, everyMs: 60_000 }],
    promptSettings: { metadata: false, systemInfo: true, date: false },
    createdAt: 1,
    updatedAt: 1,
  }
  await store.putWorkspace(workspace)
  await store.close()
  await copyInto(open(file), to())

  const { store: copy } = await openPostgres({ ...to(), connections: 4, node: { id: () => 'here' } })
  onTestFinished(() => copy.close())
  expect(await copy.workspace('w')).toEqual(workspace)
})

test('a copy has encrypted secrets, their key and providers as they were', async () => {
  const file = join(home, 'segno.db')
  const store: Store = openSqliteStore({ file, durability: 'normal' })
  const encrypted = { tenant: '', name: 'provider mine', keyId: 'k', encrypted: 'c2VhbGVk', updatedAt: 1 }
  const provider = { name: 'mine', kind: 'anthropic', hasKey: true, secretHeaders: [], secretQuery: [], updatedAt: 1 }
  await store.claimSecretKey('k')
  await store.putProvider(provider, encrypted)
  await store.close()
  await copyInto(open(file), to())

  const { store: copy } = await openPostgres({ ...to(), connections: 4, node: { id: () => 'here' } })
  onTestFinished(() => copy.close())
  expect([await copy.secretKey(), await copy.secrets(), await copy.providers()]).toEqual(['k', [encrypted], [provider]])
})

describe('segno db copy', () => {
  test('copies a home that was left in the middle of everything, and says what it compared', async () => {
    oldHome()
    const { code, out } = await segno(home, ['db', 'copy'], { SEGNO_DATABASE_URL: database.url })
    expect(code).toBe(0)
    expect(out).toMatch(
      /segno\.db was copied to postgres:\/\/127\.0\.0\.1:\d+\/segno_\w+\.\nCompared: 74 sessions with/,
    )
    expect(out).toMatch(/All seals hold; the last one is [0-9a-f]{64}, as before\./)
    expect(out).not.toContain(new URL(database.url).password)
    expect((await segno(home, ['db', 'copy'], { SEGNO_DATABASE_URL: database.url })).err).toContain('is not empty')
  })

  test('says what it needs', async () => {
    const copy = async (env: Record<string, string> = {}) => {
      const { code, err } = await segno(home, ['db', 'copy'], env)
      return [code, err]
    }
    expect(await copy()).toEqual([1, expect.stringContaining('SEGNO_DATABASE_URL says where to copy to')])
    const SEGNO_DATABASE_URL = database.url
    expect(await copy({ SEGNO_DATABASE_URL })).toEqual([1, expect.stringContaining('There is no database to copy')])
    const used = openSqliteStore({ file: join(home, 'segno.db'), durability: 'normal' })
    expect(await copy({ SEGNO_DATABASE_URL })).toEqual([1, expect.stringContaining('in use by another Segno')])
    await used.close()
    const damaged = new DatabaseSync(oldHome())
    damaged.exec("UPDATE sessions SET title = 'x'")
    damaged.close()
    expect(await copy({ SEGNO_DATABASE_URL })).toEqual([1, expect.stringContaining('so it was not copied')])
    expect((await segno(home, ['db', 'copy', '--help'])).out).toContain('All of it is one transaction')
  })
})
