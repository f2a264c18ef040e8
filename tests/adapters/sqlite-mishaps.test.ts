import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { StoredEvent } from '../../src/contract/event.ts'
import type { Input } from '../../src/contract/input.ts'
import { newId } from '../../src/lib/id.ts'
import type { Store } from '../../src/store/index.ts'
import { claimOf, created, input, said, talk } from '../conformance/store/facts.ts'
import { nameless, Pen } from '../conformance/store/pen.ts'
import { verifies } from '../support/verifies.ts'
import { startChild } from './sqlite/child.ts'
import { openStore, tempFile, tempFolder } from './sqlite/temp-folder.ts'

const BIG = 'x'.repeat(50_000)

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
        const pen = await Pen.claim(store, id)
        await pen.write(said('onwards'))
        const numbers = (await pen.read()).map((event) => event.seq)
        expect(numbers).toEqual(Array.from({ length: pen.head }, (_, i) => i + 1))
      }
    })
  }
})

describe('a full disk', { skip: cannotMount() }, () => {
  /** A disk of one megabyte, and a file on it that can take all that is left. */
  function smallDisk(): { store: Store; file: string; reopen: () => Store; fill: () => void; makeRoom: () => void } {
    const folder = tempFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
    const file = join(folder, 'segno.db')
    const ballast = join(folder, 'ballast')
    const fill = (): void => {
      try {
        for (;;) appendFileSync(ballast, Buffer.alloc(4096))
      } catch {
        // Now it is full.
      }
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
    const pen = await Pen.create(store)
    for (let i = 0; i < 10; i++) await pen.write(said(BIG.slice(0, 9000)))
    fill()
    await expect(store.compact({ rewriteUpTo: Infinity })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(store.needsRewrite()).toBe(true)
    expect(await pen.read()).toHaveLength(11)
    makeRoom()
    await pen.write(said())
    expect(await store.check()).toMatchObject({ ok: true })
    await store.compact({ rewriteUpTo: Infinity })
    expect(store.needsRewrite()).toBe(false)
    await store.close()
    expect(await reopen().check()).toMatchObject({ ok: true })
  })

  verifies('REL-1', 'refuses a commit with what to do about it', async () => {
    const { store, fill } = smallDisk()
    const pen = await Pen.create(store)
    fill()
    const refused = pen.write(said(BIG))
    await expect(refused).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/the disk is full.*make room/) as string,
    })
  })

  const attempts: [what: string, attempt: (pen: Pen) => Promise<unknown>][] = [
    ['an input', ({ store, id }) => store.putInput(input(id, { kind: 'change', title: BIG }), claimOf('k'))],
    ['a claim', (pen) => pen.commit([], { claim: claimOf('k', { result: BIG }) })],
    ['a new session', ({ store }) => Pen.create(store, { title: BIG })],
    ['a fork', (pen) => pen.fork(1, said(BIG))],
  ]
  for (const [what, attempt] of attempts) {
    test(`refuses ${what}`, async () => {
      const { store, fill } = smallDisk()
      const pen = await Pen.create(store)
      fill()
      await expect(attempt(pen)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    })
  }

  verifies('REL-1', 'keeps what was acknowledged and nothing else', async () => {
    const { store, fill } = smallDisk()
    const pen = await Pen.create(store)
    fill()
    const acknowledged = await writeUntilRefused(pen)
    expect(nameless(await pen.read()).slice(1)).toEqual(acknowledged)
  })

  verifies('REL-1', 'keeps what was acknowledged and nothing else over a restart', async () => {
    const { store, fill, makeRoom, reopen } = smallDisk()
    const pen = await Pen.create(store)
    fill()
    const acknowledged = await writeUntilRefused(pen)
    await store.close()
    makeRoom()
    expect(nameless(await reopen().read(pen.id)).slice(1)).toEqual(acknowledged)
  })

  verifies('REL-1', 'is over for the same store and owner as soon as there is room', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const pen = await Pen.create(store)
    fill()
    const acknowledged = await writeUntilRefused(pen)
    makeRoom()
    const [next] = await pen.write(said(BIG))
    expect(next?.seq).toBe(acknowledged.length + 2)
  })

  verifies('REL-3', 'refuses a new owner and leaves the old one in charge', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const pen = await Pen.create(store)
    fill()
    await writeUntilRefused(pen)
    await expect(store.claim(pen.id)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    makeRoom()
    expect(await pen.write(said())).toHaveLength(1)
  })

  test('refuses every commit of a group, and each can be tried again', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const pens = await Promise.all(Array.from({ length: 5 }, () => Pen.create(store)))
    fill()
    const write = () => Promise.allSettled(pens.map((pen) => pen.write(said('x'.repeat(30_000)))))
    expect((await write()).map(({ status }) => status)).toEqual(Array<string>(5).fill('rejected'))
    makeRoom()
    expect((await write()).map(({ status }) => status)).toEqual(Array<string>(5).fill('fulfilled'))
  })

  test('does not keep anyone from reading', async () => {
    const { store, fill } = smallDisk()
    const pen = await Pen.create(store)
    await pen.write(...talk(5))
    fill()
    await writeUntilRefused(pen)
    expect((await store.read(pen.id, { upTo: 6 })).length).toBe(6)
  })

  test('leaves a store that checks out', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const pen = await Pen.create(store)
    fill()
    await writeUntilRefused(pen)
    makeRoom()
    expect((await store.check()).findings).toEqual([])
  })

  test('lets a session be created under the id it was refused for', async () => {
    const { store, fill, makeRoom } = smallDisk()
    const pen = new Pen(store, newId(), 1, 0)
    fill()
    const first = created({ title: BIG })
    await expect(pen.commit([first], { create: {} })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    makeRoom()
    expect(await pen.commit([first], { create: {} })).toHaveLength(1)
  })
})

describe('a backup', () => {
  test('that is made while others write opens and checks out', async () => {
    const { copy } = await backupWhileWriting()
    expect((await copy.check()).findings).toEqual([])
  })

  test('that is made while others write holds what was acknowledged before it', async () => {
    const { copy, pens, before } = await backupWhileWriting()
    const copied = await Promise.all(pens.map(async (pen) => nameless(await copy.read(pen.id))))
    expect(copied.map((log, i) => log.slice(0, before[i]?.length))).toEqual(before)
  })

  test('that is made while others write holds the beginning of every log, without gaps', async () => {
    const { copy, pens } = await backupWhileWriting()
    for (const pen of pens) {
      const copied = nameless(await copy.read(pen.id))
      expect(nameless(await pen.read()).slice(0, copied.length)).toEqual(copied)
    }
  })

  test('leaves the store at work', async () => {
    const { pens } = await backupWhileWriting()
    const [pen] = pens as [Pen, ...Pen[]]
    expect(await pen.write(said())).toHaveLength(1)
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
async function writeUntilRefused(pen: Pen): Promise<string[]> {
  const acknowledged: string[] = []
  for (let size = 40_000; size > 1; size /= 2) {
    try {
      for (;;) acknowledged.push(...nameless(await pen.write(said('x'.repeat(size)))))
    } catch (error) {
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    }
  }
  return acknowledged
}

async function backupWhileWriting(): Promise<{ copy: Store; pens: Pen[]; before: string[][] }> {
  const store = openStore(tempFile(), 'normal')
  const pens = await Promise.all(Array.from({ length: 8 }, () => Pen.create(store)))
  const writeAll = () => Promise.all(pens.map((pen) => pen.write(said('x'.repeat(10_000)), ...talk(3))))
  for (let i = 0; i < 30; i++) await writeAll()
  const before = await Promise.all(pens.map(async (pen) => nameless(await pen.read())))
  const file = tempFile()
  const making = { done: false }
  const made = store.backup(file).finally(() => (making.done = true))
  while (!making.done) await writeAll()
  await made
  return { copy: openStore(file), pens, before }
}

/** Only root may make a small disk; elsewhere these tests say why they are skipped. */
function cannotMount(): boolean {
  const missing = process.platform !== 'linux' || process.getuid?.() !== 0
  if (missing) console.warn('The tests of a full disk are skipped: making a small disk needs root on Linux.')
  return missing
}
