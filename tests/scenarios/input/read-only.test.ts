import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { verifies } from '../../support/verifies.ts'
import { openSegno, tempHome } from '../library/support/open-segno.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const child = fileURLToPath(new URL('support/open-and-tell.ts', import.meta.url))

/**
 * Opens Segno as a user to whom permissions apply: root may write everywhere. The child becomes that user once it has
 * read its sources, which may lie where only root can read.
 */
function openAsUser(home: string): string {
  const who = isRoot ? [String(NOBODY)] : []
  const { stdout, stderr } = spawnSync(process.execPath, [child, home, ...who], { encoding: 'utf8' })
  return stdout || stderr
}

/** A folder of that user's own which even they may not write to. */
function readOnlyFolder(): string {
  const parent = tempHome()
  chmodSync(parent, 0o755)
  const folder = join(parent, 'home')
  mkdirSync(folder)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  chmodSync(folder, 0o555)
  return folder
}

verifies('REL-5', 'a folder that cannot be written to stops the start with a sentence that names it', () => {
  const home = readOnlyFolder()
  const said = openAsUser(home)
  expect(said).toMatch(/^STORE_UNAVAILABLE /)
  expect(said).toContain(home)
})

test('a folder that cannot be made stops the start with a sentence that names it', () => {
  const home = join(readOnlyFolder(), 'inside')
  const said = openAsUser(home)
  expect(said).toMatch(/^STORE_UNAVAILABLE /)
  expect(said).toContain(home)
})

test('a database file that cannot be written to stops the start', async () => {
  const home = tempHome()
  await (await openSegno({ home, model: {} })).close()
  if (isRoot) for (const path of [home, join(home, 'segno.db')]) chownSync(path, NOBODY, NOBODY)
  chmodSync(join(home, 'segno.db'), 0o444)
  expect(openAsUser(home)).toMatch(/^STORE_UNAVAILABLE .*segno\.db/)
})
