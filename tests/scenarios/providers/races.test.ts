import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const KEY = 'sk-of-the-house-0123456789'

verifies('GOV-6', 'a key that is removed does not come back with a change made at the same moment', async () => {
  const { segno } = await segnoUnderTest()
  const { providers } = segno
  await providers.set(LOCAL_OWNER, 'anthropic', { kind: 'anthropic', key: KEY })
  const changing = providers.set(LOCAL_OWNER, 'anthropic', { kind: 'anthropic', headers: { 'x-team': 'red' } })
  await Promise.allSettled([changing, providers.remove(LOCAL_OWNER, 'anthropic')])
  const left = await providers.list(LOCAL_OWNER)
  expect(left.filter(({ hasKey }) => hasKey)).toEqual([])
})

verifies('GOV-6', 'no more providers than allowed are stored, however many come at once', async () => {
  const { segno } = await segnoUnderTest({ limits: { PROVIDERS: 2 } })
  const names = ['red', 'blue', 'green', 'grey']
  const set = (name: string) => segno.providers.set(LOCAL_OWNER, name, { kind: 'anthropic', key: KEY })
  await Promise.allSettled(names.map(set))
  expect((await segno.providers.list(LOCAL_OWNER)).filter(({ name }) => names.includes(name))).toHaveLength(2)
})
