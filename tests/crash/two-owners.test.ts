import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { setStage } from './stage.ts'
import { twoOwners } from './two-owners.ts'

verifies('REL-3', 'an owner that lost its session stores nothing and starts nothing more', async () => {
  const { home, ledger } = await setStage()
  expect(await twoOwners(home, ledger, {})).toEqual([])
})

verifies('REL-3', 'the epoch alone keeps a former owner out', async () => {
  const { home, ledger } = await setStage()
  expect(await twoOwners(home, ledger, { looseNumber: true })).toEqual([])
})

verifies('REL-3', 'the expected number alone keeps a second writer out', async () => {
  const { home, ledger } = await setStage()
  expect(await twoOwners(home, ledger, { sharedEpoch: true })).toEqual([])
})
