import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno, tempHome } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'

/** A closed home with a session of a hundred messages, and the path of its database. */
async function usedHome() {
  const home = tempHome()
  const segno = await openSegno({ home, model: { otherwise: { text: 'x'.repeat(2000) } } })
  const { id } = await segno.createSession()
  for (let i = 0; i < 50; i++) await (await segno.streamRequest(id, `message ${i}`)).completion
  await segno.close()
  return { home, file: join(home, 'segno.db'), id }
}

const NONSENSE: readonly [string, (file: string) => void][] = [
  ['noise', (file) => writeFileSync(file, Buffer.alloc(8192, 0x5a))],
  ['a text', (file) => writeFileSync(file, 'Dear diary, today I was a database.\n'.repeat(100))],
  ['the head of a database and then noise', (file) => writeFileSync(file, 'SQLite format 3\u0000'.padEnd(4096, 'x'))],
]

for (const [what, write] of NONSENSE) {
  test(`a database file that is ${what} stops the start, and is left as it is`, async () => {
    const home = tempHome()
    const file = join(home, 'segno.db')
    write(file)
    const before = readFileSync(file)
    const problem = await problemOf(openSegno({ home, model: {} }))
    expect(problem.code).toBe('STORE_CORRUPT')
    expect(problem.message).toContain(file)
    expect(readFileSync(file)).toEqual(before)
  })
}

test('a folder in the place of the database file stops the start', async () => {
  const home = tempHome()
  mkdirSync(join(home, 'segno.db'))
  expect((await problemOf(openSegno({ home, model: {} }))).code).toBe('STORE_UNAVAILABLE')
})

verifies('REL-5', 'a database with a damaged page says so to who reads it, and not as a stack', async () => {
  const { home, file, id } = await usedHome()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x5a, bytes.length - 30 * 4096, bytes.length - 5 * 4096))
  const problem = await problemOf(async () => {
    const segno = await openSegno({ home, model: {} })
    await segno.sessions.messages(LOCAL_OWNER, id)
  })
  expect(problem.code).toBe('STORE_CORRUPT')
})

verifies('REL-5', 'a database that was cut short says so to who reads it', async () => {
  const { home, file, id } = await usedHome()
  truncateSync(file, Math.floor(readFileSync(file).length / 4096 / 2) * 4096)
  const problem = await problemOf(async () => {
    const segno = await openSegno({ home, model: {} })
    await segno.sessions.messages(LOCAL_OWNER, id)
  })
  expect(problem.code).toBe('STORE_CORRUPT')
})

test('a database of a newer Segno is not touched', async () => {
  const { home, file } = await usedHome()
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 999')
  db.close()
  const problem = await problemOf(openSegno({ home, model: {} }))
  expect(problem.code).toBe('STORE_TOO_NEW')
  expect(problem.message).toContain('999')
  const after = new DatabaseSync(file)
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 999 })
  after.close()
})

verifies('REL-3', 'a second Segno on the same folder is refused, and told which process has it', async () => {
  const home = tempHome()
  const first = await openSegno({ home, model: {} })
  const problem = await problemOf(openSegno({ home, model: {} }))
  expect(problem.code).toBe('STORE_BUSY')
  expect(problem.message).toContain(`process ${process.pid}`)
  const { id } = await first.createSession()
  expect(await (await first.streamRequest(id, 'hello')).completion).toMatchObject({ finishReason: 'complete' })
})

verifies('REL-3', 'a second Segno in another process is refused as well, and may have the folder later', async () => {
  const home = tempHome()
  const child = fileURLToPath(new URL('support/open-and-tell.ts', import.meta.url))
  const open = (): string => spawnSync(process.execPath, [child, home], { encoding: 'utf8' }).stdout
  const first = await openSegno({ home, model: {} })
  expect(open()).toMatch(/^STORE_BUSY The database .*segno\.db is in use/)
  await first.close()
  expect(open()).toBe('opened\n')
})
