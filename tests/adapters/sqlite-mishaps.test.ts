import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { StoredEvent } from '../../src/contract/event.ts'
import type { Input } from '../../src/contract/input.ts'
import { newId } from '../../src/lib/id.ts'
import type { Store } from '../../src/store/index.ts'
import { claimOf, created, input, said, talk } from '../conformance/store/facts.ts'
import { nameless, SessionWriter } from '../conformance/store/session-writer.ts'
import { chunksOf, publish } from '../knowledge/support/fill-store.ts'
import { verifies } from '../support/verifies.ts'
import { startChild } from './sqlite/child.ts'
import { openStore, tempFile, tempFolder } from './sqlite/temp-folder.ts'

const BIG = 'x'.repeat(50_000)
const DOCUMENT = {
  tenant: 'acme',
  workspaceId: 'system',
  title: 'Rules',
  contentType: 'text/plain',
  author: 'ada',
  bytes: 1,
  createdAt: 1,
}

describe('killing the process', () => {
  const WRITE_UNTIL_KILLED = new URL('./sqlite/write-until-killed.ts', import.meta.url)

  interface Acknowledged {
    events: StoredEvent[]
    inputs: Input[]
  }

  /** Lets a child write and kills it after so many acknowledgements. */
  async function killed(file: string, durability: string, after: number): Promise<Acknowledged> {
    const child = startChild(WRITE_UNTIL_KILLED, file, durability)
    const acknowledged: Acknowledged = { events: [], inputs: [] }
    let count = 0
    for await (const line of child.lines) {
      const fact = JSON.parse(line) as { event?: StoredEvent; input?: Input }
      if (fact.event) acknowledged.events.push(fact.event)
      if (fact.input) acknowledged.inputs.push(fact.input)
      if (++count === after) void child.kill()
    }
    await child.kill()
    return acknowledged
  }

  async function logs(store: Store, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
    const ids = [...new Set(events.map((event) => event.sessionId))]
    return (await Promise.all(ids.map((id) => store.read(id)))).flat()
  }

  for (const durability of ['full', 'normal'] as const) {
    for (const after of [1, 40, 700]) {
      verifies('REL-1', `after ${after} acknowledgements loses none of them (${durability})`, async () => {
        const file = tempFile()
        const { events, inputs } = await killed(file, durability, after)
        const store = openStore(file)
        const found = new Set(nameless(await logs(store, events)))
        expect(nameless(events).filter((event) => !found.has(event))).toEqual([])
        const waiting = await Promise.all(inputs.map((one) => store.pendingInputs(one.sessionId)))
        expect(inputs.filter((one, i) => !waiting[i]?.some(({ id }) => id === one.id))).toEqual([])
      })
    }

    verifies('REL-1', `leaves a store that checks out (${durability})`, async () => {
      const file = tempFile()
      await killed(file, durability, 200)
      expect((await openStore(file).check()).findings).toEqual([])
    })

    verifies(['REL-1', 'LIN-1'], `leaves sessions without gaps that can go on (${durability})`, async () => {
      const file = tempFile()
      const { events } = await killed(file, durability, 200)
      const store = openStore(file)
      for (const id of new Set(events.map((event) => event.sessionId))) {
        const writer = await SessionWriter.claim(store, id)
        await writer.write(said('onwards'))
        const numbers = (await writer.read()).map((event) => event.seq)
        expect(numbers).toEqual(Array.from({ length: writer.head }, (_, i) => i + 1))
      }
    })
  }
})

describe('a full disk', { skip: cannotMount() }, () => {
  /** A disk of two megabytes, and a file on it that can take all that is left. */
  function smallDisk(): {
    store: Store
    file: string
    reopen: () => Store
    fill: (but?: number) => void
    makeRoom: () => void
  } {
    const folder = tempFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
    const file = join(folder, 'segno.db')
    const ballast = join(folder, 'ballast')
    const fill = (but = 0): void => {
      try {
        for (;;) appendFileSync(ballast, Buffer.alloc(4096))
      } catch {
        // Now it is full.
      }
      truncateSync(ballast, statSync(ballast).size - but)
    }
    const store = openStore(file)
    return {
      store,
      file,
      fill,
      makeRoom: () => rmSync(ballast),
      reopen: () => openStore(file),
    }
  }

  test('leaves a file as it was for which there is no room to write it anew, and it goes on', async () => {
    const { store: first, file, fill, makeRoom, reopen } = smallDisk()
    await first.close()
    const db = new DatabaseSync(file)
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM; PRAGMA journal_mode = WAL')
    db.close()
    const store = reopen()
    const writer = await SessionWriter.create(store)
    for (let i = 0; i < 10; i++) await writer.write(said(BIG.slice(0, 9000)))
    fill()
    await expect(store.compact({ rewriteUpTo: Infinity })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(store.needsRewrite()).toBe(true)
    expect(await writer.read()).toHaveLength(11)
    makeRoom()
    await writer.write(said())
    expect(await store.check()).toMatchObject({ ok: true })
    await store.compact({ rewriteUpTo: Infinity })
    expect(store.needsRewrite()).toBe(false)
    await store.close()
    expect(await reopen().check()).toMatchObject({ ok: true })
  })

  test('keeps words of documents that could not be stored or erased only until the file is compacted', async () => {
    const { store, file, fill, makeRoom } = smallDisk()
    const put = (id: string, chunks: number) =>
      store.putDocument(
        { ...DOCUMENT, id, hash: id },
        Array.from({ length: chunks }, (_, i) => ({ place: '', text: `Zebra ${i} ${'says so. '.repeat(100)}` })),
      )
    const isLeft = (): boolean => [file, `${file}-wal`].some((one) => readFileSync(one).includes('Zebra'))
    await put('deleted', 300)
    fill(40_000)
    await expect(store.deleteDocument('deleted')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/not found any more, but they could not be erased/) as string,
    })
    makeRoom()
    await store.compact()
    expect(isLeft()).toBe(false)
    fill(100_000)
    await expect(put('much', 1000)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect((await store.documents({ tenant: 'acme' })).items).toEqual([])
    expect(isLeft()).toBe(true)
    makeRoom()
    await store.compact()
    expect(isLeft()).toBe(false)
  })

  test.each([0, 100_000, 200_000])(
    'keeps a document from being published only while it is full but for %i bytes',
    async (but) => {
      const { store, fill, makeRoom } = smallDisk()
      await publish(store, [{ place: '', text: 'The first rule.' }])
      const chunks = chunksOf('second', 150).map(({ place, text }) => ({ place, text: text.repeat(2) }))
      await store.putDocument({ ...DOCUMENT, id: 'second', hash: 'second' }, chunks)
      await store.changeDocument('second', 1, { status: 'approved' }, 2)
      fill(but)
      await expect(store.publishDocument('second', 2, { at: 3 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
      // Its turn comes when it was tried in vain to take out the part that was put in.
      await store.keepVectorsOf('none').catch(() => {})
      makeRoom()
      expect(await store.publishDocument('second', 2, { at: 3 })).toMatchObject({ status: 'published' })
      const query = { tenant: 'acme', workspaceIds: ['system'], words: 'second', limit: 400 }
      expect((await store.search(query)).byWords).toHaveLength(chunks.length)
    },
  )

  verifies('REL-1', 'refuses a commit with what to do about it', async () => {
    const { store, fill } = smallDisk()
    const writer = await SessionWriter.create(store)
    fill()
    const refused = writer.write(said(BIG))
    await expect(refused).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/the disk is full.*make room/) as string,
    })
  })

  const attempts: [what: string, attempt: (writer: SessionWriter) => Promise<unknown>][] = [
    ['an input', ({ store, id }) => store.putInput(input(id, { kind: 'change', title: BIG }), { claim: claimOf('k') })],
    ['a claim', (writer) => writer.commit([], { claim: claimOf('k', { result: BIG }) })],
    ['a new session', ({ store }) => SessionWriter.create(store, { title: BIG })],
    ['a fork', (writer) => writer.fork(1, said(BIG))],
  ]
  for (const [what, attempt] of attempts) {
    test(`refuses ${what}`, async () => {
      const { store, fill } = smallDisk()
      const writer = await SessionWriter.create(store)
      fill()
      await expect(attempt(writer)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    })
  }

  verifies('REL-1', 'keeps what was acknowledged and nothing else', async () => {
    const { store, fill } = smallDisk()
    const writer = await SessionWriter.create(store)
    fill()
    const acknowledged = await writeUntilRefused(writer)
    expect(nameless(await writer.read()).slice(1)).toEqual(acknowledged)
  })

  verifies('REL-1', 'keeps what was acknowledged and nothing else over a restart', async () => {
    const { store, fill, makeRoom, reopen } = smallDisk()
    const writer = await SessionWriter.create(store)
    fill()
    const acknowledged = await writeUntilRefused(writer)
    await store.close()
    makeRoom()
    expect(nameless(await reopen().read(writer.id)).slice(1)).toEqual(acknowledged)
  })

  verifies('REL-1', 'is over for the same store and owner as soon as there is room', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const writer = await SessionWriter.create(store)
    fill()
    const acknowledged = await writeUntilRefused(writer)
    makeRoom()
    const [next] = await writer.write(said(BIG))
    expect(next?.seq).toBe(acknowledged.length + 2)
  })

  verifies('REL-3', 'refuses a new owner and leaves the old one in charge', async () => {
    const { store, fill, makeRoom } = smallDisk()
    let writer = await SessionWriter.create(store)
    fill()
    await writeUntilRefused(writer)
    // A new owner needs less room than an event, so there may be some for a few.
    const claimOn = async (): Promise<never> => {
      for (;;) writer = await SessionWriter.claim(store, writer.id)
    }
    await expect(claimOn()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    makeRoom()
    expect(await writer.write(said())).toHaveLength(1)
  })

  test('refuses every commit of a group, and each can be tried again', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const writers = await Promise.all(Array.from({ length: 5 }, () => SessionWriter.create(store)))
    fill()
    const write = () => Promise.allSettled(writers.map((writer) => writer.write(said('x'.repeat(30_000)))))
    expect((await write()).map(({ status }) => status)).toEqual(Array<string>(5).fill('rejected'))
    makeRoom()
    expect((await write()).map(({ status }) => status)).toEqual(Array<string>(5).fill('fulfilled'))
  })

  test('does not keep anyone from reading', async () => {
    const { store, fill } = smallDisk()
    const writer = await SessionWriter.create(store)
    await writer.write(...talk(5))
    fill()
    await writeUntilRefused(writer)
    expect((await store.read(writer.id, { upTo: 6 })).length).toBe(6)
  })

  test('leaves a store that checks out', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const writer = await SessionWriter.create(store)
    fill()
    await writeUntilRefused(writer)
    makeRoom()
    expect((await store.check()).findings).toEqual([])
  })

  test('lets a session be created under the id it was refused for', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const writer = new SessionWriter(store, newId(), 1, 0)
    fill()
    const first = created({ title: BIG })
    await expect(writer.commit([first], { create: {} })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    makeRoom()
    expect(await writer.commit([first], { create: {} })).toHaveLength(1)
  })
})

describe('a backup', () => {
  test('that is made while others write opens and checks out', async () => {
    const { copy } = await backupWhileWriting()
    expect((await copy.check()).findings).toEqual([])
  })

  test('that is made while others write holds what was acknowledged before it', async () => {
    const { copy, writers, before } = await backupWhileWriting()
    const copied = await Promise.all(writers.map(async (writer) => nameless(await copy.read(writer.id))))
    expect(copied.map((log, i) => log.slice(0, before[i]?.length))).toEqual(before)
  })

  test('that is made while others write holds the beginning of every log, without gaps', async () => {
    const { copy, writers } = await backupWhileWriting()
    for (const writer of writers) {
      const copied = nameless(await copy.read(writer.id))
      expect(nameless(await writer.read()).slice(0, copied.length)).toEqual(copied)
    }
  })

  test('leaves the store at work', async () => {
    const { writers } = await backupWhileWriting()
    const [writer] = writers as [SessionWriter, ...SessionWriter[]]
    expect(await writer.write(said())).toHaveLength(1)
  })

  test('into a place that cannot be written to is refused with its name', async () => {
    const store = openStore(tempFile())
    const nowhere = join(tempFolder(), 'no', 'such', 'folder.db')
    await expect(store.backup(nowhere)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(nowhere) as string,
    })
  })
})

/** Keeps writing texts of falling size until even the smallest is refused; gives what was acknowledged. */
async function writeUntilRefused(writer: SessionWriter): Promise<string[]> {
  const acknowledged: string[] = []
  for (let size = 40_000; size > 1; size /= 2) {
    try {
      for (;;) acknowledged.push(...nameless(await writer.write(said('x'.repeat(size)))))
    } catch (error) {
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    }
  }
  return acknowledged
}

async function backupWhileWriting(): Promise<{ copy: Store; writers: SessionWriter[]; before: string[][] }> {
  const store = openStore(tempFile(), 'normal')
  const writers = await Promise.all(Array.from({ length: 8 }, () => SessionWriter.create(store)))
  const writeAll = () => Promise.all(writers.map((writer) => writer.write(said('x'.repeat(10_000)), ...talk(3))))
  for (let i = 0; i < 30; i++) await writeAll()
  const before = await Promise.all(writers.map(async (writer) => nameless(await writer.read())))
  const file = tempFile()
  const making = { done: false }
  const made = store.backup(file).finally(() => (making.done = true))
  while (!making.done) await writeAll()
  await made
  return { copy: openStore(file), writers, before }
}

/** Only root may make a small disk; elsewhere these tests say why they are skipped. */
function cannotMount(): boolean {
  const missing = process.platform !== 'linux' || process.getuid?.() !== 0
  if (missing) console.warn('The tests of a full disk are skipped: making a small disk needs root on Linux.')
  return missing
}
