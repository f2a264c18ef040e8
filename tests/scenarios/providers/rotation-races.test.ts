import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { createSecrets, keyFile } from '../../../src/secret/index.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const PLACE = { tenant: '', name: 'mine' }
const TEXT = 'sk-of-the-house-0123456789'

/** A stored secret, and somebody else who is held up between reading the secret or the key file and going on. */
async function withSlowReader() {
  const home = mkdtempSync(join(tmpdir(), 'segno-rotation-'))
  const store = await openStoreOf(home)
  onTestFinished(async () => {
    await store.close()
    rmSync(home, { recursive: true })
  })
  const file = keyFile(join(home, 'secret.key'))
  const options = { file, clock: systemClock, hasOthers: async () => false }
  const secrets = createSecrets(store, options)
  await secrets.put(PLACE, TEXT, (encrypted) => store.putSecret(encrypted))
  return {
    secrets,
    /** Reads the key file, once, only after or right before this was done. */
    slow(when: 'before' | 'after', work: () => Promise<unknown>) {
      let isFirst = true
      async function read() {
        if (!isFirst) return file.read()
        isFirst = false
        const before = await file.read()
        await work()
        return when === 'before' ? before : file.read()
      }
      return createSecrets(store, { ...options, file: { ...file, read } })
    },
  }
}

verifies('GOV-6', 'a secret can be read while all are encrypted with a new key', async () => {
  const { secrets, slow } = await withSlowReader()
  expect(await slow('after', () => secrets.rotate(LOCAL_OWNER)).get(PLACE)).toBe(TEXT)
})

verifies('GOV-6', 'no secret is taken for lost because its key was changed just then', async () => {
  const { secrets, slow } = await withSlowReader()
  let rotating: Promise<unknown> = Promise.resolve()
  const forgetting = slow('before', async () => {
    rotating = secrets.rotate(LOCAL_OWNER)
    // It has to wait, so this does not wait for it.
    await Promise.race([rotating, new Promise((resolve) => setTimeout(resolve, 200))])
  })
  expect(await forgetting.forgetLost(LOCAL_OWNER)).toEqual([])
  await rotating
  expect(await secrets.get(PLACE)).toBe(TEXT)
})
