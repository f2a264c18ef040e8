import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { detectSandbox } from '../../src/tool/sandbox/detect-sandbox.ts'
import { verifies } from '../support/verifies.ts'
import { startRunner } from './support/start-runner.ts'
import { SMALL } from './support/variants.ts'

/** Runs the rest as root of a namespace in which there can be no other. */
const WITHOUT_NAMESPACES = [
  ...'unshare --user --map-root-user bash --norc -c'.split(' '),
  'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
  'bash',
]

verifies('ORC-10', 'where no sandbox works there is none, and it says why and what to do', async () => {
  const runner = await startRunner({ limits: SMALL, hidden: [] }, WITHOUT_NAMESPACES)
  await runner.close()
  expect(runner.found).toEqual({
    missing: expect.stringMatching(
      /^There is no sandbox for bash here \(bubblewrap: .+; namespaces: .+\)\.$/s,
    ) as string,
    install: expect.stringContaining('apt-get install bubblewrap') as string,
  })
})

const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0
const hasNamespaces = works('unshare', '-Urmpnf', '--mount-proc', 'perl', '-e', '1')
const hasBubblewrap = works('bwrap', '--unshare-all', '--ro-bind', '/', '/', 'true')

// Else a sandbox that is broken would look like a machine without one, and all tests with it would be left out.
test.skipIf(!hasNamespaces)(`finds namespaces where they work${hasNamespaces ? '' : ': not here'}`, async () => {
  expect(await detectSandbox({ limits: SMALL, hidden: [], kinds: ['namespaces'] })).toHaveProperty('kind', 'namespaces')
})

test.skipIf(!hasBubblewrap)(`prefers bubblewrap where it works${hasBubblewrap ? '' : ': not here'}`, async () => {
  expect(await detectSandbox({ limits: SMALL, hidden: [] })).toHaveProperty('kind', 'bubblewrap')
})

test('hides what must not be seen also where it is part of the system', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'segno-detect-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const kind of ['namespaces', 'bubblewrap'] as const) {
    const runner = await startRunner({ limits: SMALL, hidden: ['/usr/share'], kinds: [kind] })
    if ('kind' in runner.found) {
      expect((await runner.run('ls -A /usr/share; touch /usr/share/x || ls -d /usr/lib', folder)).text).toMatch(
        /^touch: .*Read-only file system\n\/usr\/lib\n$/,
      )
    }
    await runner.close()
  }
})
