import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { goOn } from '../../adapters/old-home/go-on.ts'
import { segno } from '../../scenarios/account/support/cli.ts'
import { freshDatabase } from '../../support/postgres/fresh-database.ts'

const read = (name: string): Buffer => readFileSync(new URL(`../../adapters/old-home/${name}`, import.meta.url))

/** Which of several sessions is recovered first is not said. */
const inAnyOrder = (told: Awaited<ReturnType<typeof goOn>>) => {
  const { after, ...rest } = JSON.parse(JSON.stringify(told)) as typeof told
  const unknown = Object.entries(after.unknown).map(([who, calls]) => [who, calls.toSorted()])
  return { ...rest, after: { ...after, unknown } }
}

test('a home that was left in the middle of everything and copied goes on as it would have', async () => {
  const home = mkdtempSync(join(tmpdir(), 'segno-copied-'))
  const database = await freshDatabase()
  onTestFinished(async () => {
    rmSync(home, { recursive: true, force: true })
    await database.drop()
  })
  const env = { SEGNO_DATABASE_URL: database.url }
  writeFileSync(join(home, 'segno.db'), brotliDecompressSync(read('segno.db.br')))
  expect(await segno(home, ['db', 'copy'], env)).toMatchObject({ code: 0 })
  rmSync(join(home, 'segno.db'))
  const expected = JSON.parse(read('expected.json').toString()) as Awaited<ReturnType<typeof goOn>>
  expect(inAnyOrder(await goOn(home, env))).toEqual(inAnyOrder(expected))
}, 180_000)
