import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { hasStrace, watchSyncs } from './fsync.ts'
import { setStage } from './stage.ts'

if (!hasStrace()) {
  test.skip('what is acknowledged is synced first: there is no strace here to watch the system calls', () => {})
} else {
  verifies(
    'REL-1',
    'every acknowledged commit is written and synced to disk before it is acknowledged',
    async () => {
      const { home, ledger } = await setStage()
      const { early, acknowledged, syncs } = await watchSyncs(home, ledger, 'full')
      expect(early).toEqual([])
      expect(acknowledged).toBeGreaterThan(80)
      expect(syncs).toBeGreaterThan(10)
    },
    120_000,
  )

  test('the watch itself sees a store that does not sync', { timeout: 120_000 }, async () => {
    const { home, ledger } = await setStage()
    const { early, acknowledged } = await watchSyncs(home, ledger, 'normal')
    expect(early.length).toBe(acknowledged)
  })
}
