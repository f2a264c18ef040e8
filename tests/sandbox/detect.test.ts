import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { detectSandbox } from '../../src/tool/sandbox/detect-sandbox.ts'
import { verifies } from '../support/verifies.ts'
import { machineHas } from './support/machine-has.ts'
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

const hasNamespaces = machineHas('namespaces')
const hasBubblewrap = machineHas('bubblewrap')

test.skipIf(!hasNamespaces)(`finds namespaces where they work${hasNamespaces ? '' : ': not here'}`, async () => {
  expect(await detectSandbox({ limits: SMALL, hidden: [], kinds: ['namespaces'] })).toHaveProperty('kind', 'namespaces')
})

test.skipIf(!hasBubblewrap)(`prefers bubblewrap where it works${hasBubblewrap ? '' : ': not here'}`, async () => {
  expect(await detectSandbox({ limits: SMALL, hidden: [] })).toHaveProperty('kind', 'bubblewrap')
})

test.for(['namespaces', 'bubblewrap'] as const)('%s hides also what is part of the system', async (kind, { skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'segno-detect-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const runner = await startRunner({ limits: SMALL, hidden: ['/usr/share'], roots: [folder], kinds: [kind] })
  onTestFinished(() => runner.close())
  if ('missing' in runner.found && !machineHas(kind)) return skip(runner.found.missing)
  expect(runner.found).toMatchObject({ kind })
  expect((await runner.run('ls -A /usr/share; touch /usr/share/x || ls -d /usr/lib', folder)).text).toMatch(
    /^touch: .*Read-only file system\n\/usr\/lib\n$/,
  )
})
