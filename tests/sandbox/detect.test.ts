import { expect, test } from 'vitest'
import { detectSandbox } from '../../src/tool/sandbox/detect-sandbox.ts'
import { verifies } from '../support/verifies.ts'
import { startRunner } from './support/start-runner.ts'
import { SMALL } from './support/variants.ts'

/** Runs the rest as root of a namespace in which there can be no other. */
const WITHOUT_NAMESPACES = [
  ...['unshare', '--user', '--map-root-user', 'bash', '-c'],
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

test('finds the first kind that works', async () => {
  const first = await detectSandbox({ limits: SMALL, hidden: [] })
  const second = await detectSandbox({ limits: SMALL, hidden: [], kinds: ['namespaces', 'bubblewrap'] })
  if ('missing' in first) expect(second).toHaveProperty('missing')
  else expect(['bubblewrap', 'namespaces']).toContain(first.kind)
})

test('hides what must not be seen also where it is part of the system', async () => {
  const sandbox = await detectSandbox({ limits: SMALL, hidden: ['/usr/share'] })
  if ('missing' in sandbox) return
  const runner = await startRunner({ limits: SMALL, hidden: ['/usr/share'] })
  await runner.close()
  expect(runner.found).toEqual({ kind: sandbox.kind })
})
