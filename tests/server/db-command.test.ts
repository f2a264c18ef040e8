import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { initial } from '../../src/store/sqlite/migrations/0001-initial.ts'
import { audit } from '../../src/store/sqlite/migrations/0002-audit.ts'
import { accounts } from '../../src/store/sqlite/migrations/0003-accounts.ts'
import { ownersAndAges } from '../../src/store/sqlite/migrations/0004-owners-and-ages.ts'
import { money } from '../../src/store/sqlite/migrations/0005-money.ts'
import { kept } from '../../src/store/sqlite/migrations/0006-kept.ts'
import { newHome, segno, serving } from '../scenarios/account/support/cli.ts'
import { segnoUnderTest } from '../support/segno-under-test.ts'

function change(home: string, sql: string): void {
  const db = new DatabaseSync(join(home, 'segno.db'))
  db.exec(sql)
  db.close()
}

test('segno db check finds what does not agree with the logs, and its exit code says so', async () => {
  const it = await segnoUnderTest()
  await it.ask('hello')
  await it.segno.close()
  const sound = await segno(it.home, ['db', 'check'])
  expect([sound.code, sound.err]).toEqual([0, ''])
  expect(sound.out).toMatch(/^The database is sound: 1 sessions, \d+ events\.$/)
  change(it.home, `UPDATE rounds SET cost = 12345`)
  const damaged = await segno(it.home, ['db', 'check'])
  expect(damaged.code).toBe(1)
  expect(damaged.out).toMatch(/^The database is damaged: [^]*\.cost differs from the log/)
})

test('segno db compact gives back what deleted conversations took, also of a stopped Segno', async () => {
  const it = await segnoUnderTest({ entry: (model) => ({ ...model, window: 10_000_000 }) })
  for (let i = 0; i < 3; i++) await it.ask(Math.random().toString(36).repeat(20_000))
  await it.segno.close()
  await segno(it.home, ['sessions', 'rm', it.sessionId, '--yes'])
  const { code, out } = await segno(it.home, ['db', 'compact', '--json'])
  const sizes = JSON.parse(out) as { before: number; after: number; freed: number }
  expect([code, sizes.freed]).toEqual([0, sizes.before - sizes.after])
  expect(sizes.after).toBeLessThan(500_000)
})

test('segno db migrate brings an older database up to date and says from where to where', async () => {
  const home = newHome()
  const migrate = async (): Promise<string> => {
    const { code, out, err } = await segno(home, ['db', 'migrate'])
    expect([code, err]).toEqual([0, ''])
    return out
  }
  expect(await migrate()).toMatch(/ was made, with version \d+\.$/)
  const { now } = JSON.parse((await segno(home, ['db', 'migrate', '--json'])).out) as { now: number }
  rmSync(join(home, 'segno.db'))
  change(home, [initial, audit, accounts, ownersAndAges, money, kept, 'PRAGMA user_version = 6'].join(';'))
  expect(await migrate()).toMatch(new RegExp(`brought from version 6 to version ${now}\\.$`))
  expect(await migrate()).toMatch(new RegExp(`is up to date: version ${now}\\.$`))
  const { url } = await serving(home)
  expect(await migrate()).toBe(`Segno at ${url} has the database open, and brought it up to date when it started.`)
})

test('segno db migrate touches nothing of a newer database', async () => {
  const home = newHome()
  await segno(home, ['db', 'migrate'])
  change(home, 'PRAGMA user_version = 999')
  const ran = await segno(home, ['db', 'migrate'])
  expect([ran.code, ran.out]).toEqual([1, ''])
  expect(ran.err).toContain('version 999')
})

test('a database that cannot be brought up to date says so in a sentence, and is as it was', async () => {
  const home = newHome()
  await segno(home, ['db', 'migrate'])
  // Its tables are newer than it says.
  change(home, 'PRAGMA user_version = 6')
  const ran = await segno(home, ['db', 'migrate'])
  expect([ran.code, ran.out]).toEqual([1, ''])
  expect(ran.err).toMatch(/^segno: .*segno\.db cannot be brought up to date: .*duplicate column.* restore a backup\.$/)
  const db = new DatabaseSync(join(home, 'segno.db'))
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 6 })
  db.close()
})

test('a command that meets a damaged page says so, and what to do', async () => {
  const it = await segnoUnderTest()
  await it.segno.close()
  const file = join(it.home, 'segno.db')
  const db = new DatabaseSync(file)
  const found = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sessions_used'").get()
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number }
  db.close()
  const { rootpage } = found as { rootpage: number }
  writeFileSync(file, readFileSync(file).fill(0x5a, (rootpage - 1) * size, rootpage * size))
  const ran = await segno(it.home, ['sessions', 'ls'])
  expect([ran.code, ran.out]).toEqual([1, ''])
  expect(ran.err).toMatch(/^segno: The database is damaged: .*segno db check.*restore a backup\.$/)
})

test('segno db compact leaves an old database of a running Segno as it is and says why; stopped, it is written anew', async () => {
  const home = newHome()
  await segno(home, ['db', 'migrate'])
  change(home, 'PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL')
  const { stop } = await serving(home)
  const running = await segno(home, ['db', 'compact'])
  expect([running.code, running.err]).toEqual([0, ''])
  expect(running.out).toMatch(/SEGNO_QUIET_HOURS when nothing runs, or by segno db compact while Segno is stopped\.$/)
  await stop()
  expect((await segno(home, ['db', 'compact'])).out).toMatch(/given back: .* now\.$/)
  expect(JSON.parse((await segno(home, ['db', 'compact', '--json'])).out)).toMatchObject({ needsRewrite: false })
})
