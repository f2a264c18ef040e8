import { expect, test } from 'vitest'
import type { Problem } from '../contract/problem.ts'
import type { Actions } from './actions.ts'
import type { Automations } from './automations.ts'
import { createHooks } from './hooks.ts'
import { newSigningSecret } from './signing-secrets.ts'
import { signedHeaders } from './standard-webhooks.ts'

const NOW = 1_800_000_000_000
const MOST = 10

/** A request to a hook, and how often the store was asked for it. */
async function asked(changes: Readonly<Record<string, string | undefined>> = {}, body = '{}', name = 'orders') {
  let times = 0
  const automationsNamed = async () => {
    times += 1
    return []
  }
  const options = { clock: { now: () => NOW }, actions: {} as Actions, signedMs: 300_000, inputChars: MOST }
  const hooks = createHooks({ automationsNamed }, {} as Automations, options)
  const signed = { ...signedHeaders([newSigningSecret()], { id: 'm', body, now: NOW }), ...changes }
  const request = {
    id: signed['webhook-id'],
    timestamp: signed['webhook-timestamp'],
    signature: signed['webhook-signature'],
    body: Buffer.from(body),
  }
  const code = await hooks.receive(name, request, 0).catch((error: unknown) => (error as Problem).code)
  return { code, times }
}

test('a request that may be signed for a hook is looked for in the store', async () => {
  expect(await asked()).toEqual({ code: 'KEY_INVALID', times: 1 })
})

for (const [what, changes] of Object.entries({
  'no signature': { 'webhook-signature': undefined },
  'a signature that is none': { 'webhook-signature': 'abc' },
  'an old time': { 'webhook-timestamp': String(NOW / 1000 - 301) },
  'an early time': { 'webhook-timestamp': String(NOW / 1000 + 301) },
}))
  test(`a request with ${what} costs no look into the store`, async () => {
    expect(await asked(changes)).toEqual({ code: 'KEY_INVALID', times: 0 })
  })

test('a request to a name that no hook can have costs no look into the store', async () => {
  expect(await asked({}, '{}', 'no such name')).toEqual({ code: 'KEY_INVALID', times: 0 })
})

test('a body that is too long for every hook is not compared with the secret of any', async () => {
  expect(await asked({}, `{"a":"${'x'.repeat(6 * MOST)}"}`)).toEqual({ code: 'TOO_LARGE', times: 0 })
})
