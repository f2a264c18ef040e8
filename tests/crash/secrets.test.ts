import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createSecrets, keyFile } from '../../src/secret/index.ts'
import { INSTALLATION, providerSecret } from '../../src/store/index.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'

const CHILD = fileURLToPath(new URL('secrets-child.ts', import.meta.url))

async function dieIn(home: string, when: string, nth: number): Promise<void> {
  const child = spawn(process.execPath, ['--conditions=segno-source', CHILD, home, when, String(nth)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
}

/** The secrets of a home as the next process finds them. */
async function secretsOf(home: string) {
  const store = await openStoreOf(home)
  const file = keyFile(join(home, 'secret.key'))
  const secrets = createSecrets(store, { file, clock: systemClock, hasOthers: async () => false })
  const all = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      await Promise.all(
        (await store.providers()).map(async ({ name }) => {
          const text = await secrets.get({ tenant: INSTALLATION, name: providerSecret(name) })
          return [name, JSON.parse(text ?? 'null')] as const
        }),
      ),
    )
  return { store, secrets, all }
}

for (const when of ['before link', 'after link'])
  verifies(
    ['GOV-6', 'REL-1'],
    `a process killed ${when} of the first key file leaves a whole one or none`,
    async () => {
      const home = tempFolder()
      await dieIn(home, when, 1)
      const { store, secrets, all } = await secretsOf(home)
      try {
        expect(await all(), 'it was not said to be stored').toEqual({})
        await secrets.put({ tenant: 'acme', name: 'token' }, 'text', (encrypted) => store.putSecret(encrypted))
        expect(await secrets.get({ tenant: 'acme', name: 'token' })).toBe('text')
        expect(statSync(join(home, 'secret.key')).mode & 0o777).toBe(0o600)
      } finally {
        await store.close()
      }
    },
  )

for (const [when, nth] of [
  ['before rename', 1],
  ['after rename', 1],
  ['before reencrypting', 1],
  ['while reencrypting', 1],
  ['after reencrypting', 1],
  ['before rename', 2],
  ['after rename', 2],
] as const)
  verifies(['GOV-6', 'REL-1'], `a process killed ${when} ${nth} of a new key loses no secret`, async () => {
    const home = tempFolder()
    await dieIn(home, when, nth)
    const { store, secrets, all } = await secretsOf(home)
    const expected = { one: { key: 'sk-of-one-0123456789' }, two: { key: 'sk-of-two-0123456789' } }
    try {
      expect(await all()).toEqual(expected)
      expect(new Set((await store.secrets()).map(({ keyId }) => keyId))).toEqual(new Set([await store.secretKey()]))
      const { key } = await secrets.rotate(LOCAL_OWNER)
      expect(await all()).toEqual(expected)
      expect((await keyFile(join(home, 'secret.key')).read())?.map(({ id }) => id)).toEqual([key])
      expect(readFileSync(join(home, 'secret.key'), 'utf8').split('\n')).toHaveLength(3)
      expect(await store.check()).toMatchObject({ ok: true, findings: [] })
    } finally {
      await store.close()
    }
  })
