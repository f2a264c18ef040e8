import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startScript } from './start-script.ts'

const isRoot = process.getuid?.() === 0

/** Runs the script in a folder that was checked as `inside`, with a file of root in it and one beside it. */
function started(give: boolean, swap: boolean) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'segno-start-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const [folder, outside] = [join(top, 'inside'), join(top, 'outside')]
  for (const place of [folder, outside]) {
    mkdirSync(place)
    writeFileSync(join(place, 'file'), '')
  }
  if (swap) {
    rmSync(folder, { recursive: true })
    symlinkSync(outside, folder)
  }
  const user = isRoot ? { user: { uid: 61_000, gid: 61_000 }, give } : {}
  const script = startScript({ parent: process.pid, folder, exec: ['echo', 'ran'], ...user })
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })
  const owner = (place: string): number => lstatSync(join(place, 'file')).uid
  return { status, stdout, stderr, inside: swap ? undefined : owner(folder), outside: owner(outside) }
}

const me = process.getuid?.()
const linux = test.skipIf(process.platform !== 'linux')

linux('files of root become those of the user only where that is wanted', () => {
  expect(started(true, false)).toMatchObject({ inside: isRoot ? 61_000 : me, outside: me })
  expect(started(false, false)).toMatchObject({ inside: me, outside: me })
})

linux('nothing starts, and nothing changes its owner, where the folder became a link after it was checked', () => {
  expect(started(true, true)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'its folder is no longer where it was\n',
    outside: me,
  })
})
