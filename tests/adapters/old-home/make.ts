import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { goOn } from './go-on.ts'

/**
 * Makes a home with the version of Segno it lies in, and records what that version makes of it. To make one with an older
 * version, copy this folder into a checkout of it, at the same place, and run
 *
 *     node --conditions=segno-source tests/adapters/old-home/make.ts
 *
 * It writes `segno.db.br` and `expected.json`; copy both back.
 */
const here = dirname(fileURLToPath(import.meta.url))
/** Always the same, because workspaces have the paths of their folders. */
const home = '/tmp/segno-old-home'

rmSync(home, { recursive: true, force: true })
mkdirSync(home)
for (const life of ['first', 'killed once', 'killed']) {
  const args = ['--conditions=segno-source', join(here, 'live.ts'), home, life]
  const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0 && signal !== 'SIGKILL') throw new Error(`life "${life}" ended with ${status}: ${stderr}`)
}
const file = join(home, 'segno.db')
const db = new DatabaseSync(file)
db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
db.close()
const bytes = readFileSync(file)
const packed = brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
})
writeFileSync(join(here, 'segno.db.br'), packed)

const again = `${home}-again`
rmSync(again, { recursive: true, force: true })
mkdirSync(again)
cpSync(file, join(again, 'segno.db'))
writeFileSync(join(here, 'expected.json'), `${JSON.stringify(await goOn(again), null, 2)}\n`)
for (const folder of [home, again]) rmSync(folder, { recursive: true, force: true })
console.log(`${bytes.length} bytes, packed ${packed.length}`)
