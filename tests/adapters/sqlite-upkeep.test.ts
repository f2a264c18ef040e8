import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Store, UpkeepProgress } from '../../src/store/index.ts'
import { checkStore } from '../../src/store/sqlite/check-store.ts'
import { said } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { openStore, tempFile, tempFolder } from './sqlite/temp-folder.ts'

const SECRET = 'the word that is erased'

/** Some megabytes: too large to be checked where it is. */
async function fill(store: Store, sessions: number, text = SECRET): Promise<SessionWriter[]> {
  const writers: SessionWriter[] = []
  for (let i = 0; i < sessions; i++) {
    const writer = await SessionWriter.create(store)
    for (let n = 0; n < 4; n++) await writer.write(...Array.from({ length: 5 }, () => said(text.padEnd(9000, '.'))))
    writers.push(writer)
  }
  return writers
}

const copies = (file: string): string[] => readdirSync(dirname(file)).filter((name) => name.includes('.check'))

/** Processor time of this thread while `work` goes on. */
async function threadMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

describe('a check of a large file', () => {
  test('is done elsewhere: this thread has a small part of the work', async () => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    await fill(store, 60)
    const aside = await threadMs(async () => expect(await store.check()).toMatchObject({ ok: true, sessions: 60 }))
    await store.close()
    const db = new DatabaseSync(file)
    const here = await threadMs(() => checkStore(db))
    db.close()
    expect(aside / here).toBeLessThan(0.5)
  }, 20_000)

  test('is done on a private copy that is overwritten and gone afterwards, while others write', async () => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    const [writer] = await fill(store, 20)
    const link = join(tempFolder(), 'kept')
    const seen: UpkeepProgress[] = []
    const modes: number[] = []
    let written = 0
    const report = await store.check({
      onProgress(progress) {
        seen.push(progress)
        const copy = join(dirname(file), copies(file)[0] ?? '')
        modes.push(statSync(copy).mode & 0o777)
        if (!existsSync(link)) linkSync(copy, link)
        if (progress.doing === 'copying') void store.ping(7).then(() => (written += 1))
      },
    })
    await writer?.write(said())
    expect(report).toMatchObject({ ok: true, findings: [] })
    expect(new Set(seen.map(({ doing }) => doing))).toEqual(new Set(['copying', 'checking']))
    expect(new Set(modes)).toEqual(new Set([0o600]))
    expect(written).toBeGreaterThan(2)
    expect(copies(file)).toEqual([])
    // Whoever kept its disk blocks has nothing but zeros.
    expect(readFileSync(link).some((byte) => byte !== 0)).toBe(false)
  })

  test('finds in the copy what is wrong in the file', async () => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    await fill(store, 10)
    await store.close()
    const db = new DatabaseSync(file)
    db.exec(`UPDATE sessions SET title = 'x' WHERE num = 1`)
    db.close()
    const { ok, findings } = await openStore(file).check()
    expect([ok, findings]).toEqual([false, [expect.stringContaining('.title differs from the log')]])
  })

  test.each(['copying', 'checking'] as const)('can be stopped while it is %s, and leaves nothing', async (when) => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    await fill(store, 20)
    const stop = new AbortController()
    const checking = store.check({
      signal: stop.signal,
      onProgress: ({ doing }) => doing === when && stop.abort(new Error('enough')),
    })
    await expect(checking).rejects.toThrow('enough')
    expect(copies(file)).toEqual([])
    expect(await store.check()).toMatchObject({ ok: true })
  })

  test('ends when the store is closed', async () => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    await fill(store, 60)
    const began = Promise.withResolvers<void>()
    const checking = store.check({ onProgress: ({ doing }) => doing === 'checking' && began.resolve() })
    const ended = expect(checking).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
    await began.promise
    await store.close()
    await ended
    expect(copies(file)).toEqual([])
  })
})

describe('what a process that died left of a copy', () => {
  test('is overwritten and removed at the next start', async () => {
    const file = tempFile()
    await openStore(file).close()
    const kept = join(tempFolder(), 'kept')
    for (const end of ['', '-wal', '-journal']) {
      writeFileSync(`${file}.check${end}`, SECRET)
      linkSync(`${file}.check${end}`, kept + end)
    }
    await openStore(file).close()
    expect(copies(file)).toEqual([])
    for (const end of ['', '-wal', '-journal']) expect(readFileSync(kept + end)).toEqual(Buffer.alloc(SECRET.length))
  })

  test('is removed where it is a link, and what it points to stays', async () => {
    const file = tempFile()
    await openStore(file).close()
    const other = join(tempFolder(), 'other')
    writeFileSync(other, SECRET)
    symlinkSync(other, `${file}.check`)
    await openStore(file).close()
    expect([copies(file), readFileSync(other, 'utf8')]).toEqual([[], SECRET])
  })

  test('keeps nobody from starting where it cannot be removed', async () => {
    const file = tempFile()
    await openStore(file).close()
    writeFileSync(`${file}.check`, SECRET)
    chmodSync(`${file}.check`, 0o400)
    const store = openStore(file)
    await store.ping(1)
    await store.close()
  })
})

test('a backup holds up nobody who writes, and has what was written meanwhile', async () => {
  const file = tempFile()
  const store = openStore(file, 'normal')
  const [writer] = await fill(store, 30)
  const copy = join(tempFolder(), 'copy.db')
  const over = new AbortController()
  let during = 0
  const backup = store.backup(copy).then(() => over.abort())
  while (!over.signal.aborted) {
    await writer?.write(said())
    if (!over.signal.aborted) during += 1
  }
  await backup
  expect(during).toBeGreaterThan(2)
  const restored = openStore(copy)
  expect(await restored.check()).toMatchObject({ ok: true })
  const events = (await restored.read(writer?.id ?? '')).length
  expect(events).toBeGreaterThan((await store.read(writer?.id ?? '')).length - during)
}, 20_000)

describe('compacting', () => {
  const SHARE = 0.3

  async function withRoom(store: Store): Promise<void> {
    const writers = await fill(store, 30)
    for (const writer of writers.slice(0, 25)) await writer.removeAndPurge()
  }

  test('gives back what was erased in small steps, others have their turn after each, and nothing is lost', async () => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    await withRoom(store)
    const steps: UpkeepProgress[] = []
    let turns = 0
    let isDone = false
    const turn = (): void => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const { before, after, freed, needsRewrite } = await store.compact({
      onProgress: (progress) => steps.push(progress),
    })
    isDone = true
    expect([freed, needsRewrite]).toEqual([before - after, false])
    expect(after).toBeLessThan(before * SHARE)
    expect(steps.length).toBeGreaterThan(10)
    expect(turns).toBeGreaterThanOrEqual(steps.length - 1)
    expect(statSync(file).size).toBe(after)
    expect(await store.check()).toMatchObject({ ok: true, findings: [] })
  })

  test('can be stopped in the middle; what was given back stays so, and the rest is for the next time', async () => {
    const store = openStore(tempFile(), 'normal')
    await withRoom(store)
    const stop = new AbortController()
    const compacting = store.compact({
      signal: stop.signal,
      onProgress: ({ done }) => done > 0 && stop.abort(new Error('enough')),
    })
    await expect(compacting).rejects.toThrow('enough')
    const { freed } = await store.compact()
    expect(freed).toBeGreaterThan(0)
    expect(await store.check()).toMatchObject({ ok: true })
  })

  test('leaves nothing of what was erased in the file', async () => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    const [, writer] = await fill(store, 2, 'something else')
    const [gone] = await fill(store, 1)
    await writer?.write(said())
    await gone?.removeAndPurge()
    await store.compact()
    const left = [file, `${file}-wal`].filter(existsSync).map((one) => readFileSync(one, 'latin1'))
    for (const text of left) expect(text).not.toContain(SECRET)
  })

  test('a file from before is left as it is, is written anew where that is allowed, and gives back from then on', async () => {
    const file = tempFile()
    const first = openStore(file, 'normal')
    await withRoom(first)
    await first.close()
    const db = new DatabaseSync(file)
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL')
    db.close()
    const store = openStore(file, 'normal')
    await fill(store, 5)
    for (const writer of await fill(store, 5)) await writer.removeAndPurge()
    expect(store.needsRewrite()).toBe(true)
    expect(await store.compact()).toMatchObject({ freed: 0, needsRewrite: true })
    expect(await store.compact({ rewriteUpTo: 1000 })).toMatchObject({ freed: 0, needsRewrite: true })
    const { freed, needsRewrite } = await store.compact({ rewriteUpTo: Infinity })
    expect([freed > 500_000, needsRewrite, store.needsRewrite()]).toEqual([true, false, false])
    await store.close()
    const again = openStore(file, 'normal')
    for (const writer of await fill(again, 5)) await writer.removeAndPurge()
    expect((await again.compact()).freed).toBeGreaterThan(500_000)
    expect(await again.check()).toMatchObject({ ok: true })
  })

  test('a file with pages of an earlier size goes on as it is, and gets those of now when it is written anew', async () => {
    const file = tempFile()
    const older = new DatabaseSync(file)
    older.exec('PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
    older.close()
    const store = openStore(file, 'normal')
    const [writer] = await fill(store, 3)
    expect(pageBytes(file)).toBe(4096)
    expect(store.needsRewrite()).toBe(true)
    // It gives back room in steps already, so nobody is told that it must be written anew.
    expect(await store.compact()).toMatchObject({ needsRewrite: false })
    expect(store.needsRewrite()).toBe(true)
    await store.compact({ rewriteUpTo: Infinity })
    expect([pageBytes(file), store.needsRewrite()]).toEqual([1024, false])
    await writer?.write(said())
    expect(await store.check()).toMatchObject({ ok: true })
    await writer?.removeAndPurge()
    const left = readdirSync(dirname(file)).map((name) => join(dirname(file), name))
    expect(left.filter((one) => one.endsWith('-journal') && statSync(one).size > 0)).toEqual([])
    await store.close()
    expect(await openStore(file, 'full').check()).toMatchObject({ ok: true })
  })

  test('a small file that was checked where it is can be written anew', async () => {
    const file = tempFile()
    const older = new DatabaseSync(file)
    older.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL')
    older.close()
    const store = openStore(file)
    await SessionWriter.create(store)
    expect(await store.check()).toMatchObject({ ok: true })
    expect((await store.compact({ rewriteUpTo: Infinity })).freed).toBeGreaterThan(0)
    expect(await store.check()).toMatchObject({ ok: true })
  })
})

/** As its head says. */
function pageBytes(file: string): number {
  return readFileSync(file).readUInt16BE(16)
}
