import { once } from 'node:events'
import { expect } from 'vitest'
import { createKeys, type Keys } from '../../src/account/index.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openedDatabase } from '../support/postgres/opened.ts'
import { verifies } from '../support/verifies.ts'

async function twoNodes(): Promise<[Keys, Keys]> {
  const { node } = await openedDatabase()
  const [one, other] = await Promise.all([node('one'), node('other')])
  return [createKeys(one, systemClock), createKeys(other, systemClock)]
}

verifies(['GOV-32', 'REL-7'], 'what goes on under a key ends on every node when one of them revokes it', async () => {
  const [one, other] = await twoNodes()
  const { id, secret = '' } = await one.add(LOCAL_OWNER, { name: 'laptop' })
  const kept = await other.add(LOCAL_OWNER, { name: 'phone' })
  const admitted = await other.authenticate(secret)
  const untouched = await other.authenticate(kept.secret ?? '')
  expect(admitted?.until.aborted).toBe(false)
  const [ended] = [once(admitted?.until as AbortSignal, 'abort'), await one.revoke(LOCAL_OWNER, id)]
  expect(await other.authenticate(secret), 'nobody new comes in from that moment on').toBeUndefined()
  await ended
  expect(untouched?.until.aborted).toBe(false)
})
