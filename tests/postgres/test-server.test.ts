import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sweepFolders } from '../support/postgres/folders.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'
import { startPostgres } from '../support/postgres/start-postgres.ts'

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.map((row) => Object.values(row)[0])
  } finally {
    await client.end()
  }
}

test('a test gets a database of its own, and dropping it throws everybody out', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  await ask(one.url, 'CREATE TABLE t (a int)')
  expect(await ask(other.url, `SELECT count(*)::int FROM pg_tables WHERE tablename = 't'`)).toEqual([0])
  const client = new Client({ connectionString: one.url })
  client.on('error', () => undefined)
  await client.connect()
  const thrownOut = new Promise<void>((done) => client.on('end', done))
  await Promise.all([one.drop(), other.drop(), thrownOut])
  await expect(ask(one.url, 'SELECT 1')).rejects.toThrow('does not exist')
})

test('the server keeps what was committed when it is killed, and its port when it is started again', async () => {
  const server = await startPostgres()
  onTestFinished(() => server.stop())
  const { url } = server
  await ask(url, 'CREATE TABLE t (a int)')
  await ask(url, 'INSERT INTO t VALUES (1)')
  await server.kill9()
  await expect(ask(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
  await server.restart()
  expect(server.url).toBe(url)
  expect(await ask(url, 'SELECT a FROM t')).toEqual([1])
})

test('the server of a runner that was killed is ended by the next one', async () => {
  const script = new URL('../support/postgres/start-postgres.ts', import.meta.url).href
  const code = `const { startPostgres } = await import('${script}'); const { url } = await startPostgres(); console.log(url); setInterval(() => {}, 1e6)`
  const runner = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface(runner.stdout), 'line')) as [string]
  expect(await ask(url, 'SELECT 1')).toEqual([1])
  sweepFolders()
  expect(await ask(url, 'SELECT 1')).toEqual([1])

  const killed = once(runner, 'exit')
  runner.kill('SIGKILL')
  await killed
  sweepFolders()
  await expect(ask(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
})
