import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goOn } from './old-home/go-on.ts'
import { openStore } from './sqlite/temp-folder.ts'

/** Made by an older version, killed in the middle of everything: see `old-home/make.ts`. */
const read = (name: string): Buffer => readFileSync(new URL(`old-home/${name}`, import.meta.url))
const expected = JSON.parse(read('expected.json').toString()) as Awaited<ReturnType<typeof goOn>>
const home = mkdtempSync(join(tmpdir(), 'segno-old-home-'))
let now: typeof expected

beforeAll(async () => {
  writeFileSync(join(home, 'segno.db'), brotliDecompressSync(read('segno.db.br')))
  now = JSON.parse(JSON.stringify(await goOn(home))) as typeof expected
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('a home of an older version opens, is sound, and says the same as before', () => {
  expect(now.before).toEqual(expected.before)
  expect(now.before.check).toBe('sound')
})

test('every round that was interrupted goes on and ends as it would have', () => {
  expect(now.started).toEqual(expected.started)
})

test('what waited for people goes on when they have decided, and what was spent is counted', () => {
  expect(now.after).toEqual(expected.after)
})

test('its sessions can be talked in, and everything is sound at the end', () => {
  expect(now.talked).toEqual(expected.talked)
  expect(now.check).toBe('sound')
})

test('a job of a kind it did not know is parked and kept', async () => {
  const store = openStore(join(home, 'segno.db'))
  const { items } = await store.jobs({ state: 'parked' })
  expect(items).toMatchObject([{ kind: 'of a later version', reason: 'UNKNOWN_KIND' }])
})
