import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, escapeIdentifier } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeDatabase } from '../../src/app-store.ts'
import { createSegno } from '../../src/app.ts'
import { Problem, type ProblemCode } from '../../src/contract/problem.ts'
import { readConfig, roomsOf, type Limits } from '../../src/config/index.ts'
import { cutProxy } from '../support/postgres/cut-proxy.ts'
import { freshDatabase, testServer } from '../support/postgres/fresh-database.ts'
import { CLUSTER_SECRET, startNode } from '../support/postgres/start-nodes.ts'

const PASSWORD = 'the-password-nobody-may-see'

async function fresh(): Promise<string> {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  return database.url
}

async function sql(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const nameOf = (url: string): string => escapeIdentifier(new URL(url).pathname.slice(1))
const changed = (url: string, more: Partial<URL>): string => Object.assign(new URL(url), more).href

/** What a start says that fails. It must leave nothing open, and tell no password. */
async function failureOf(url: string, limits: Partial<Limits> = { DB_START_MS: 0 }): Promise<Problem> {
  const home = mkdtempSync(join(tmpdir(), 'segno-node-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const segno = await createSegno({ home, env: { SEGNO_DATABASE_URL: url }, limits }).catch((error: unknown) => error)
  if (!(segno instanceof Problem)) throw new Error('it started, or failed without words', { cause: segno })
  expect(segno.message).not.toContain(PASSWORD)
  return segno
}

async function expectFailure(url: string, code: ProblemCode, words: string): Promise<void> {
  expect(await failureOf(url)).toMatchObject({ code, message: expect.stringContaining(words) as string })
}

describe('a start says what is wrong with the database', () => {
  test('where nobody listens', async () => {
    const url = changed(testServer(), { port: '9', password: PASSWORD })
    await expectFailure(url, 'STORE_UNAVAILABLE', 'nobody listens there')
  })

  test('where there is no such host', async () => {
    const url = `postgres://segno:${PASSWORD}@nowhere.invalid/segno`
    const { code, message } = await failureOf(url)
    expect(code).toBe('STORE_UNAVAILABLE')
    expect(message).toMatch(/there is no such host|cannot be looked up now/)
  })

  test('a wrong password', async () => {
    await expectFailure(changed(await fresh(), { password: PASSWORD }), 'CONFIG_ERROR', 'Look at user and password')
  })

  test('no such database', async () => {
    await expectFailure(changed(testServer(), { pathname: '/nothing' }), 'CONFIG_ERROR', 'there is no such database')
  })

  test('one that may only be read', async () => {
    const url = await fresh()
    await sql(url, `ALTER DATABASE ${nameOf(url)} SET default_transaction_read_only = on`)
    await expectFailure(url, 'STORE_UNAVAILABLE', 'it is read-only')
  })

  test('one that keeps its text otherwise', async () => {
    const url = changed(testServer(), { pathname: `/latin_${process.pid}` })
    await sql(testServer(), `CREATE DATABASE ${nameOf(url)} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    onTestFinished(() => sql(testServer(), `DROP DATABASE ${nameOf(url)} WITH (FORCE)`))
    await expectFailure(url, 'CONFIG_ERROR', "ENCODING 'UTF8'")
  })

  test('one of another program', async () => {
    const url = await fresh()
    await sql(url, 'CREATE TABLE customers (id int)')
    await expectFailure(url, 'STORE_CORRUPT', 'tables of another program')
  })

  test('one that needs a newer Segno', async () => {
    const url = await fresh()
    const node = await startNode({ database: url })
    await node.close()
    await sql(url, 'UPDATE cluster SET oldest = 1000, schema = 1000')
    await expectFailure(url, 'STORE_TOO_NEW', 'newer Segno')
  })

  test('a user who may not make tables, and one who has no connection left', async () => {
    const url = await fresh()
    const role = escapeIdentifier(`poor_${process.pid}`)
    await sql(url, `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`)
    onTestFinished(() => sql(testServer(), `DROP OWNED BY ${role}`, `DROP ROLE ${role}`))
    const poor = changed(url, { username: `poor_${process.pid}`, password: PASSWORD })
    await expectFailure(poor, 'CONFIG_ERROR', 'may not use its tables')
    await sql(url, `ALTER ROLE ${role} CONNECTION LIMIT 0`)
    await expectFailure(poor, 'STORE_UNAVAILABLE', 'too many connections')
    await sql(url, `ALTER ROLE ${role} CONNECTION LIMIT -1`, `REASSIGN OWNED BY ${role} TO CURRENT_USER`)
  })

  test('another cluster that uses it', async () => {
    const url = await fresh()
    const node = await startNode({ database: url })
    const other = startNode({ database: url, env: { SEGNO_CLUSTER_SECRET: `${CLUSTER_SECRET}, but another` } })
    await expect(other).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringContaining('Another cluster uses this database') as string,
    })
    // Nor does one without a secret come in, whether somebody is there or not.
    await expectFailure(url, 'CONFIG_ERROR', 'Set SEGNO_CLUSTER_SECRET')
    await node.close()
    await expectFailure(url, 'CONFIG_ERROR', 'Set SEGNO_CLUSTER_SECRET')
  })

  test('another Segno that is alone on it', async () => {
    const url = await fresh()
    await startNode({ database: url, alone: true })
    await expect(startNode({ database: url, alone: true })).rejects.toThrow('Another Segno uses this database')
  })
})

test('how it stands is told without making anything in it', async () => {
  const url = await fresh()
  const look = (at: string) => describeDatabase(roomsOf(readConfig({ SEGNO_DATABASE_URL: at })).postgres)
  expect(await look(url)).toEqual({
    note: 'can be used; 0 nodes live; documents are found by words only, because the server does not have pgvector',
  })
  await startNode({ database: url })
  expect(await look(url)).toEqual({
    note: 'can be used; 1 node lives; documents are found by words only, because the server does not have pgvector',
  })
  const refused = await look(changed(url, { password: PASSWORD }))
  expect(refused.fault).toContain('Look at user and password')
  expect(refused.fault).not.toContain(PASSWORD)
})

test('a database that is not there yet is waited for', async () => {
  const proxy = await cutProxy(await fresh())
  onTestFinished(() => proxy.close())
  proxy.down()
  const starting = startNode({ database: proxy.url, limits: { DB_START_MS: 20_000 } })
  setTimeout(proxy.up, 700)
  expect((await starting).segno.nodes).toBeDefined()
})
