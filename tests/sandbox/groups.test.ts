import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findGroupPlace, removeLeftOvers } from '../../src/tool/sandbox/control-group.ts'
import { detectSandbox } from '../../src/tool/sandbox/detect-sandbox.ts'
import { startScript } from '../../src/tool/sandbox/start-script.ts'
import { verifies } from '../support/verifies.ts'
import { makePlace, SMALL, VARIANTS } from './support/variants.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'segno-groups-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a folder in which only folders can be made is no place for groups, and nothing is left in it', async () => {
  const folder = emptyFolder()
  expect(await findGroupPlace(folder)).toBe(undefined)
  expect(readdirSync(folder)).toEqual([])
})

verifies('ORC-10', 'where the operator names a place for groups that is none, there is no sandbox', async () => {
  const cgroup = emptyFolder()
  expect(await detectSandbox({ limits: SMALL, hidden: [], cgroup })).toEqual({
    missing: `SEGNO_CGROUP names ${cgroup}, where Segno can make no group with a memory limit.`,
    install: expect.stringContaining('cgroup.subtree_control') as string,
  })
})

test('what a killed Segno left behind is removed, and nothing else', async () => {
  const folder = emptyFolder()
  const [gone, new_, own, other] = ['segno-999999999-1', 'segno-999999999-2', `segno-${process.pid}-1`, 'system.slice']
  for (const name of [gone, new_, own, other]) mkdirSync(join(folder, name))
  for (const name of [gone, own, other]) utimesSync(join(folder, name), 1, 1)
  await removeLeftOvers(folder)
  expect(readdirSync(folder).sort()).toEqual([new_, own, other].sort())
})

/** Groups without any limit, of version 2, where such can be made: enough to see who is in one. */
const UNIFIED = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((folder) => {
  try {
    accessSync(join(folder, 'cgroup.controllers'))
    accessSync(folder, constants.W_OK)
    accessSync(join(folder, 'cgroup.procs'), constants.W_OK)
    return true
  } catch {
    return false
  }
})

describe.skipIf(UNIFIED === undefined)('a command', () => {
  /** In a session of its own: when its stdin ends, it kills its whole group. */
  async function start(members: string): Promise<string> {
    const script = startScript({
      parent: process.pid,
      folder: process.cwd(),
      members,
      // Not at once: what passes its output on must have left the group that ends with it.
      exec: ['sh', '-c', 'sleep 1; cat /proc/self/cgroup'],
    })
    const child = spawn('bash', ['-c', script], { stdio: 'pipe', detached: true })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
    await once(child, 'exit')
    await expect.poll(() => said).not.toBe('')
    child.stdin.destroy()
    return said
  }

  test('is in its group from the beginning, with all it starts', async () => {
    const folder = join(UNIFIED ?? '', `segno-test-${process.pid}`)
    mkdirSync(folder)
    onTestFinished(() => expect.poll(() => rmdirSync(folder)).toBe(undefined))
    expect(await start(join(folder, 'cgroup.procs'))).toContain(`0::/segno-test-${process.pid}\n`)
  })

  test('does not start where there is no such group', async () => {
    expect(await start(join(UNIFIED ?? '', 'segno-none', 'cgroup.procs'))).toMatch(/^bash: .*segno-none.*\n$/)
  })
})

/**
 * What the kernel does at the limit is seen only where a test may make groups with one: name such a folder in
 * SEGNO_TEST_CGROUP.
 */
const PLACE = process.env['SEGNO_TEST_CGROUP']
const TAKE_ALL: Readonly<Record<string, string>> = {
  'many processes': `for i in {1..8}; do perl -e '$x = "x" x 30_000_000; sleep 20' & done; wait`,
  'files in memory, sent away and closed': `perl -e 'use Socket; socketpair(A, B, AF_UNIX, SOCK_STREAM, 0); for (1..30) {
    $n = "m"; $fd = syscall(319, $n, 0); open(my $f, ">&=", $fd); syswrite($f, "x" x 9_000_000); $byte = "x";
    $iov = pack("P Q", $byte, 1); $control = pack("Q l l l x4", 20, 1, 1, $fd);
    $message = pack("Q L x4 P Q P Q L x4", 0, 0, $iov, 1, $control, 24, 0); syscall(46, fileno(A), $message, 0); close $f }
    sleep 20'`,
}

for (const variant of VARIANTS.filter(({ uid }) => uid === undefined))
  test.skipIf(PLACE === undefined).for(Object.entries(TAKE_ALL))(
    `${variant.kind}, in a group: %s end at the limit, and the group is gone`,
    async ([, command], { skip }) => {
      const place = await makePlace(variant, SMALL, PLACE)
      onTestFinished(() => place.close())
      const { found } = place.runner
      if ('missing' in found) return skip(found.missing)
      expect(found.memory).toBe('kernel')
      expect((await place.runner.run(command, place.folder, 15_000)).end).toEqual({ stopped: 'memory' })
      expect((await place.runner.run('echo fine', place.folder)).text).toBe('fine\n')
      expect(readdirSync(PLACE ?? '').filter((name) => name.startsWith(`segno-${place.runner.pid}-`))).toEqual([])
    },
  )
