import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { chunksOf, embed, MODEL, newVersion, publish, vectorOf } from '../knowledge/support/fill-store.ts'
import { openStore, tempFile } from './sqlite/temp-folder.ts'

const FILL = new URL('../knowledge/support/fill-store.ts', import.meta.url).href
const STORE = new URL('../../src/store/sqlite/index.ts', import.meta.url).href

const indexOf = (file: string): string => `${file}-knowledge`

/** Runs a program in the shell where a small disk is mounted; only there. */
const onSmallDisk = (disk: string, ...program: readonly string[]): string =>
  execFileSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=3m tmpfs "$0" && exec "$@"', disk, ...program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

function hasSmallDisks(): boolean {
  try {
    onSmallDisk(tmpdir(), 'true')
    return true
  } catch {
    return false
  }
}

async function found(store: Store, words: string): Promise<[byWords: number, byMeaning: number]> {
  const { byWords, byMeaning } = await store.search({
    tenant: 'acme',
    workspaceIds: ['system'],
    words,
    vector: { model: MODEL, values: vectorOf({ place: '', text: 'rule' }) },
    limit: 2000,
  })
  return [byWords.length, byMeaning.length]
}

/** A file with two documents of 151 chunks, all with vectors, that nobody has open. */
async function filled(): Promise<string> {
  const file = tempFile()
  const store = openSqliteStore({ file, durability: 'normal' })
  for (const source of ['first', 'second']) await publish(store, chunksOf(source, 1), { source, vector: vectorOf })
  expect(await found(store, 'first')).toEqual([151, 302])
  await store.close()
  return file
}

describe('the index of what is published', () => {
  const faults: [what: string, spoil: (index: string) => void][] = [
    ['is missing', (index) => rmSync(index)],
    ['is empty', (index) => writeFileSync(index, '')],
    ['is no database', (index) => writeFileSync(index, 'damaged '.repeat(1000))],
    [
      'is damaged in its middle',
      (index) => {
        const bytes = readFileSync(index)
        writeFileSync(
          index,
          Buffer.concat([bytes.subarray(0, 8192), randomBytes(bytes.length - 16_384), bytes.subarray(-8192)]),
        )
      },
    ],
  ]
  for (const [what, spoil] of faults)
    test(`is made anew from the main file if it ${what}`, async () => {
      const file = await filled()
      spoil(indexOf(file))
      const store = openStore(file)
      const answer = (): Promise<unknown> => found(store, 'first').catch(() => 'not now')
      await expect.poll(answer).toEqual([151, 302])
      expect(await store.check()).toMatchObject({ ok: true })
    })

  for (const [what, spoil] of [
    ['empty', (index) => truncateSync(index)],
    ['cut in half', (index) => truncateSync(index, Math.floor(statSync(index).size / 8192) * 4096)],
    ['overwritten', (index) => writeFileSync(index, randomBytes(statSync(index).size), { flag: 'r+' })],
  ] satisfies typeof faults)
    test(`is made anew if it becomes ${what} while it is used`, async () => {
      const file = await filled()
      const store = openStore(file)
      expect(await found(store, 'first')).toEqual([151, 302])
      // So that nothing is left in its log, nor believed of what was read before.
      await store.compact()
      spoil(indexOf(file))
      await expect(found(store, 'first')).rejects.toThrow('cannot be searched now')
      await expect.poll(() => found(store, 'first').catch(() => 'not now')).toEqual([151, 302])
    })

  test('follows a main file that a backup replaced', async () => {
    const file = await filled()
    const copy = `${file}.backup`
    const before = openSqliteStore({ file, durability: 'normal' })
    await before.backup(copy)
    const { items } = await before.documents({ tenant: 'acme' })
    await before.deleteDocument(items.find(({ source }) => source === 'first')?.id ?? '')
    await publish(before, chunksOf('third', 1), { source: 'third', vector: vectorOf })
    expect(await Promise.all(['first', 'second', 'third'].map((one) => found(before, one)))).toMatchObject([
      [0, 302],
      [151, 302],
      [151, 302],
    ])
    await before.close()

    for (const end of ['', '-wal']) rmSync(file + end, { force: true })
    renameSync(copy, file)
    const store = openStore(file)
    // What only the other file had is never found, not even before the index has followed.
    expect(await found(store, 'third')).toMatchObject([0, expect.any(Number)])
    await expect.poll(() => found(store, 'first')).toEqual([151, 302])
    expect(await found(store, 'second')).toEqual([151, 302])
  })

  test('gets vectors that it missed', async () => {
    const file = await filled()
    // With another model, as if a process had died between the main file and the index.
    rmSync(indexOf(file))
    const store = openStore(file)
    await expect.poll(() => found(store, 'first')).toEqual([151, 302])
    const { items } = await store.documents({ tenant: 'acme' })
    const [one] = items
    if (!one) throw new Error('there is no document')
    await store.changeDocument(one.id, one.revision, newVersion(chunksOf('fourth', 2)), 5)
    await store.changeDocument(one.id, one.revision + 1, { status: 'approved' }, 5)
    await store.publishDocument(one.id, one.revision + 2, { at: 6 })
    expect(await found(store, 'fourth')).toEqual([152, 151])
    await embed(store, vectorOf)
    expect(await found(store, 'fourth')).toEqual([152, 303])
  })

  test('can be read by its owner only, like all files of the store', async () => {
    const file = await filled()
    const store = openStore(file)
    await expect.poll(() => found(store, 'first')).toEqual([151, 302])
    const names = readdirSync(dirname(file)).filter((name) => !name.endsWith('.pid'))
    expect(names).toContain('segno.db-knowledge')
    expect(names.map((name) => [name, statSync(join(dirname(file), name)).mode & 0o77])).toEqual(
      names.map((name) => [name, 0]),
    )
  })

  test('is not there, and no thread runs, while there are no documents', async () => {
    const file = tempFile()
    const store = openStore(file)
    expect(await found(store, 'anything')).toEqual([0, 0])
    expect(await store.hasPublished('acme')).toBe(false)
    await store.compact()
    expect(existsSync(indexOf(file))).toBe(false)
  })

  test.skipIf(!hasSmallDisks())(
    'has nothing of what could not be taken out of it on a full disk, once it is compacted',
    () => {
      const file = tempFile()
      const disk = mkdtempSync(join(dirname(file), 'small-'))
      const script = `
      const { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = await import('node:fs')
      const { openSqliteStore } = await import('${STORE}')
      const { chunksOf, publish } = await import('${FILL}')
      const [disk, file] = ${JSON.stringify([disk, file])}
      const store = openSqliteStore({ file, durability: 'normal' })
      writeFileSync(disk + '/index', '')
      symlinkSync(disk + '/index', file + '-knowledge')
      const { id } = await publish(store, chunksOf('canary', 1))
      try {
        for (const bytes = Buffer.alloc(4096); ; ) writeFileSync(disk + '/fill', bytes, { flag: 'a' })
      } catch {}
      const failed = await store.deleteDocument(id).then(() => false, () => true)
      rmSync(disk + '/fill')
      await store.compact()
      const left = readdirSync(disk).filter((name) => readFileSync(disk + '/' + name, 'latin1').includes('canary'))
      console.log(JSON.stringify({ failed, left }))
      await store.close()`
      const said = onSmallDisk(disk, process.execPath, '--conditions=segno-source', '--input-type=module', '-e', script)
      expect(JSON.parse(said)).toEqual({ failed: true, left: [] })
    },
  )

  test('keeps nobody waiting who writes a draft anew or deletes one, while a long document is put in', async () => {
    const store = openStore(tempFile(), 'normal')
    await publish(store, chunksOf('first', 1))
    const [about, chunks] = [{ tenant: 'acme', workspaceId: 'system', title: 'Rules' }, chunksOf('long', 8000)]
    const more = { contentType: 'text/plain', author: 'ada', hash: '0', bytes: 1, createdAt: 1 }
    await store.putDocument({ ...about, ...more, id: 'long' }, chunks)
    await store.changeDocument('long', 1, { status: 'approved' }, 2)
    await store.putDocument({ ...about, ...more, id: 'draft', hash: '1' }, chunksOf('draft', 1).slice(0, 3))
    const ended: string[] = []
    const publishing = store.publishDocument('long', 2, { at: 3 }).then(() => ended.push('published'))
    expect(await store.changeDocument('draft', 1, newVersion(chunksOf('draft', 2).slice(0, 3)), 4)).toMatchObject({
      version: 1,
    })
    ended.push('changed')
    expect(await store.deleteDocument('draft')).toBe(true)
    ended.push('deleted')
    await publishing
    expect(ended).toEqual(['changed', 'deleted', 'published'])
  })

  test('neither keeps a process alive nor is lost with it', async () => {
    const file = tempFile()
    const script = `
      const { openSqliteStore } = await import('${STORE}')
      const { publish } = await import('${FILL}')
      const store = openSqliteStore({ file: process.argv[1], durability: 'normal' })
      await publish(store, [{ place: '', text: 'The first rule.' }])
      await store.search({ tenant: 'acme', workspaceIds: ['system'], words: 'rule', limit: 1 })`
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, file], { timeout: 60_000 })
    const store = openStore(file)
    expect(await found(store, 'rule')).toEqual([1, 0])
  })

  test('is closed with the store, whatever it is doing', async () => {
    const file = await filled()
    rmSync(indexOf(file))
    const store = openSqliteStore({ file, durability: 'normal' })
    const searching = found(store, 'first').then(
      () => 'found',
      (error: unknown) => (error as { code?: string }).code,
    )
    await store.close()
    expect(['found', 'SHUTTING_DOWN', 'STORE_UNAVAILABLE']).toContain(await searching)
    // Its lock is gone too.
    const again = openStore(file)
    await expect.poll(() => found(again, 'first')).toEqual([151, 302])
  })
})
