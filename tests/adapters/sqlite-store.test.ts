import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { openForNodes } from '../support/sqlite-nodes.ts'
import { ENDS, FIRST_DUE } from '../../src/store/sqlite/invocations.ts'
import { openDatabase } from '../../src/store/sqlite/open-database.ts'
import { said, talk } from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { storeSuite } from '../conformance/store.suite.ts'
import { verifies } from '../support/verifies.ts'
import { nextLine, startChild } from './sqlite/child.ts'
import { openStore, tempFile, tempFolder } from './sqlite/temp-folder.ts'

/** A new database, to be copied: making one anew for each test takes longer than most tests. */
const made = mkdtempSync(join(tmpdir(), 'segno-store-'))
const NEW = join(made, 'new.db')
beforeAll(() => openForNodes({ file: NEW, durability: 'normal' })({ id: 'first', until: () => Infinity }).close())
afterAll(() => rmSync(made, { recursive: true }))

// Durability changes how commits are gathered, and nothing that is promised.
for (const durability of ['full', 'normal'] as const) {
  storeSuite(`sqlite, durability ${durability}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'segno-store-'))
    copyFileSync(NEW, join(folder, 'segno.db'))
    const seconds: Store[] = []
    let until = Infinity
    let handle: ReturnType<typeof openForNodes>
    function open(): Store {
      handle = openForNodes({ file: join(folder, 'segno.db'), durability })
      return handle({ id: 'first', until: () => until })
    }
    let store = open()
    return {
      store,
      until,
      async second() {
        const second = handle({ id: 'second', until: () => Infinity })
        seconds.push(second)
        return second
      },
      async endTime() {
        until = 0
      },
      async reopen() {
        await store.close()
        return (store = open())
      },
      async close() {
        for (const second of seconds) await second.close()
        await store.close()
        rmSync(folder, { recursive: true })
      },
    }
  })
}

const OPEN_AND_TELL = new URL('./sqlite/open-and-tell.ts', import.meta.url)
type Told = { code: string; message: string }

describe('a sqlite file has one process', () => {
  verifies('REL-3', 'a second one is refused, told the file and who holds it', async () => {
    const file = tempFile()
    openStore(file)
    const told = await nextLine<Told>(startChild(OPEN_AND_TELL, file))
    expect(told).toMatchObject({ code: 'STORE_BUSY', message: expect.stringContaining(file) as string })
    expect(told.message).toContain(`process ${process.pid}`)
  })

  verifies('REL-3', 'this one is refused while another holds the file, and told which', async () => {
    const file = tempFile()
    const child = startChild(OPEN_AND_TELL, file)
    await nextLine<Told>(child)
    expect(() => openStore(file)).toThrow(
      expect.objectContaining({
        code: 'STORE_BUSY',
        message: expect.stringContaining(`process ${child.pid}`) as string,
      }),
    )
  })

  test('this one may open the file once the other was killed', async () => {
    const file = tempFile()
    const child = startChild(OPEN_AND_TELL, file)
    await nextLine<Told>(child)
    await child.kill()
    await SessionWriter.create(openStore(file))
  })

  test('opening it twice in this one is refused', () => {
    const file = tempFile()
    openStore(file)
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: 'STORE_BUSY' }))
  })

  test('a second attempt in this one does not let others in', async () => {
    const file = tempFile()
    openStore(file)
    expect(() => openStore(file)).toThrow()
    expect((await nextLine<Told>(startChild(OPEN_AND_TELL, file))).code).toBe('STORE_BUSY')
  })

  test('a refused attempt leaves the store that is open at work', async () => {
    const file = tempFile()
    const writer = await SessionWriter.create(openStore(file))
    await nextLine<Told>(startChild(OPEN_AND_TELL, file))
    const [next] = await writer.write(said())
    expect(next?.seq).toBe(2)
  })
})

describe('opening a sqlite file', () => {
  for (const [durability, level] of [
    ['full', 2],
    ['normal', 1],
  ] as const) {
    test(`with durability ${durability} waits for the disk accordingly`, () => {
      const { db } = openDatabase({ file: tempFile(), durability })
      onTestFinished(() => db.close())
      expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: level })
    })
  }

  test('writes ahead and overwrites what is deleted', () => {
    const { db } = openDatabase({ file: tempFile(), durability: 'full' })
    onTestFinished(() => db.close())
    const pragmas = ['journal_mode', 'secure_delete', 'locking_mode'].map((name) => db.prepare(`PRAGMA ${name}`).get())
    expect(pragmas).toEqual([{ journal_mode: 'wal' }, { secure_delete: 1 }, { locking_mode: 'exclusive' }])
  })

  test('makes its folder, for its owner alone', () => {
    const folder = join(tempFolder(), 'a', 'b')
    openStore(join(folder, 'segno.db'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  describe('in a folder that others may look into', () => {
    const openFolder = (): string => {
      const folder = tempFolder()
      chmodSync(folder, 0o755)
      return folder
    }
    const modes = (folder: string): Record<string, string> =>
      Object.fromEntries(
        readdirSync(folder)
          .filter((name) => !name.endsWith('.pid'))
          .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
      )

    test('lets nobody else read it, nor what is written ahead of it', async () => {
      const folder = openFolder()
      await SessionWriter.create(openStore(join(folder, 'segno.db')))
      expect(modes(folder)).toEqual({ 'segno.db': '600', 'segno.db-wal': '600' })
      expect(statSync(folder).mode & 0o777).toBe(0o755)
    })

    test('takes away what others could read before', async () => {
      const folder = openFolder()
      const file = join(folder, 'segno.db')
      await openStore(file).close()
      for (const name of ['segno.db', 'segno.db-wal', 'segno.db-shm']) {
        writeFileSync(join(folder, name), '', { flag: 'a' })
        chmodSync(join(folder, name), 0o644)
      }
      await SessionWriter.create(openStore(file))
      expect(new Set(Object.values(modes(folder)))).toEqual(new Set(['600']))
    })

    test('keeps a backup as private', async () => {
      const folder = openFolder()
      const store = openStore(tempFile())
      await SessionWriter.create(store)
      await store.backup(join(folder, 'copy.db'))
      expect(modes(folder)).toEqual({ 'copy.db': '600' })
    })
  })

  test('needs no file at all in memory', async () => {
    const writer = await SessionWriter.create(openStore(':memory:'))
    await writer.write(...talk(2))
    expect(await writer.read()).toHaveLength(3)
  })

  test('takes an empty file for a new one', async () => {
    const file = tempFile()
    writeFileSync(file, '')
    await SessionWriter.create(openStore(file))
  })

  test.each([
    ['a short text', Buffer.from('Dear diary,\n')],
    ['a long text', Buffer.from('Dear diary, '.repeat(10_000))],
    ['noise', Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919) % 251))],
  ])('refuses %s as corrupt', (_, bytes) => {
    const file = tempFile()
    writeFileSync(file, bytes)
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
  })

  test('leaves a file it refuses as it was', () => {
    const file = tempFile()
    writeFileSync(file, 'Dear diary,\n')
    expect(() => openStore(file)).toThrow()
    expect(readFileSync(file, 'utf8')).toBe('Dear diary,\n')
  })

  test.each([
    ['whose first page was overwritten', (bytes: Buffer) => bytes.fill(0x5a, 100, 4096)],
    ['that was cut in half', (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))],
  ])('refuses a database %s as corrupt', async (_, damage) => {
    const file = tempFile()
    const store = openStore(file)
    await (await SessionWriter.create(store)).write(...talk(200))
    await store.close()
    writeFileSync(file, damage(readFileSync(file)))
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
  })

  test('refuses a database of a later version, and says which versions it knows', async () => {
    const file = await ofVersion(999)
    expect(() => openStore(file)).toThrow(
      expect.objectContaining({ code: 'STORE_TOO_NEW', message: expect.stringContaining('999') as string }),
    )
  })

  test('leaves a database of a later version as it was', async () => {
    const file = await ofVersion(999)
    const before = readFileSync(file)
    expect(() => openStore(file)).toThrow()
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

describe('a place this user may not write to', () => {
  /** As root every place is writable, so the attempt is made by a process that gave its rights away. */
  async function attempt(prepare: (folder: string) => Promise<string>): Promise<Told & { file: string }> {
    const folder = tempFolder()
    chmodSync(folder, 0o755)
    const file = await prepare(folder)
    return { file, ...(await nextLine<Told>(startChild(OPEN_AND_TELL, file, 'as-nobody'))) }
  }
  const withStore = async (folder: string, mode: number): Promise<string> => {
    const file = join(folder, 'segno.db')
    await openStore(file).close()
    chmodSync(file, 0o444)
    chmodSync(folder, mode)
    return file
  }

  const places: [what: string, prepare: (folder: string) => Promise<string>][] = [
    ['a folder for new files', async (folder) => join(folder, 'segno.db')],
    ['a folder for new folders', async (folder) => join(folder, 'home', 'segno.db')],
    ['a folder with a database', (folder) => withStore(folder, 0o555)],
    ['a database in a folder that is open to all', (folder) => withStore(folder, 0o777)],
    [
      'a folder where the database should be',
      async (folder) => {
        mkdirSync(join(folder, 'segno.db'))
        return join(folder, 'segno.db')
      },
    ],
  ]
  for (const [what, prepare] of places) {
    test(`is refused as unavailable: ${what}`, async () => {
      expect(await attempt(prepare)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    })

    test(`is named together with what to do: ${what}`, async () => {
      const { file, message } = await attempt(prepare)
      expect(message).toContain(join(file, '..'))
      expect(message).toMatch(/writable|may write|let this user write/i)
    })
  }
})

describe('on sqlite', () => {
  test('commits are stored in the order they were sent, without waiting for answers', async () => {
    const writer = await SessionWriter.create(openStore(tempFile()))
    const changes = [0, 1, 2, 3].map((i) => writer.change([said(`message ${i}`)], { expected: 1 + i }))
    const answers = await Promise.all(changes.map((change) => writer.store.commit(change)))
    expect(answers.map((answer) => answer.kind)).toEqual(Array<string>(4).fill('committed'))
  })

  verifies('LIN-6', 'a fork adds one row, however long the history is', async () => {
    const file = tempFile()
    const store = openStore(file)
    const writer = await SessionWriter.create(store)
    for (let i = 0; i < 50; i++) await writer.write(...talk(40))
    await writer.fork(1990)
    await store.close()
    expect(query(file, 'SELECT count(*) AS n FROM events')).toEqual({ n: 52 })
  })

  test('what is due of those who have their share is passed over without being read', async () => {
    const file = tempFile()
    await openStore(file).close()
    const detail = 'SEARCH invocations USING COVERING INDEX invocations_due (due_at<?)'
    expect(query(file, `EXPLAIN QUERY PLAN ${FIRST_DUE}`)).toMatchObject({ detail })
  })

  test('how the newest runs of a workflow went is read from the end of an index', async () => {
    const file = tempFile()
    await openStore(file).close()
    const detail =
      'SEARCH invocations USING INDEX invocations_automation (tenant=? AND automation_id=? AND created_at>?)'
    expect(queryAll(file, `EXPLAIN QUERY PLAN ${ENDS}`)).toMatchObject([{ detail }])
  })

  test('a store that was closed takes no more changes', async () => {
    const store = openStore(tempFile())
    const writer = await SessionWriter.create(store)
    await store.close()
    await expect(writer.write(said())).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  })

  test('a store may be closed twice', async () => {
    const store = openStore(tempFile())
    await store.close()
    await expect(store.close()).resolves.toBeUndefined()
  })
})

const query = (file: string, sql: string): unknown => queryAll(file, sql)[0]

function queryAll(file: string, sql: string): unknown[] {
  const db = new DatabaseSync(file)
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

async function ofVersion(version: number): Promise<string> {
  const file = tempFile()
  await openStore(file).close()
  query(file, `PRAGMA user_version = ${version}`)
  return file
}
