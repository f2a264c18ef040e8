import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { createSecrets, keyFile } from '../../src/secret/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { storedTokens } from '../../src/tool/index.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { verifies } from '../support/verifies.ts'
import { guardedServer } from './servers/guarded.ts'
import { call, eventually, mcpUnderTest } from './under-test.ts'

/** Logins in a database and a key file of their own. */
function stored() {
  const home = tempFolder()
  const file = join(home, 'segno.db')
  const store = openSqliteStore({ file, durability: 'normal' })
  onTestFinished(() => store.close())
  const keys = keyFile(join(home, 'secret.key'))
  const secrets = createSecrets(store, { file: keys, clock: systemClock, hasOthers: async () => false })
  const written = (): string => [file, `${file}-wal`].map((one) => readFileSync(one, 'latin1')).join('')
  return { store, home, written, tokens: storedTokens(store, secrets, systemClock) }
}

verifies('COO-8', 'a login is used from the database, where nobody can read it', async () => {
  const server = await guardedServer()
  const { tokens, written } = stored()
  const under = mcpUnderTest({ g: { url: server.url } }, { redirectUrl: 'http://127.0.0.1:1/callback', tokens })
  const { url } = await under.mcp.beginAuthorization('default', 'g')
  await under.mcp.finishAuthorization(await server.visit(url))
  await eventually(async () => 'g__echo' in (await under.tools()))
  server.expire()
  expect(await call((await under.tools())['g__echo'], { text: 'inside' })).toBe('inside')
  expect(await tokens.get('default', 'g')).toHaveProperty('tokens')
  expect(server.secrets.size).toBeGreaterThan(1)
  for (const secret of server.secrets) expect(written()).not.toContain(secret)
})

test('a login of an earlier version is still good, and encrypted with its next change', async () => {
  const { store, tokens } = stored()
  await store.putValue('mcp-auth acme', 'g', { tokens: { access_token: 'plain' } }, 1)
  expect(await tokens.get('acme', 'g')).toEqual({ tokens: { access_token: 'plain' } })
  expect(await tokens.get('other', 'g')).toBeUndefined()
  await tokens.change('acme', 'g', async (record) => ({ ...record, more: 1 }))
  expect(await store.values('mcp-auth acme')).toEqual({ g: {} })
  expect(await tokens.get('acme', 'g')).toEqual({ tokens: { access_token: 'plain' }, more: 1 })
  await tokens.change('acme', 'g', async () => undefined)
  expect(await tokens.get('acme', 'g')).toEqual({ tokens: { access_token: 'plain' }, more: 1 })
})

test('a login whose key is lost is told as that, and no round waits for it', async () => {
  const server = await guardedServer()
  const { tokens, home } = stored()
  await tokens.change('default', 'g', async () => ({ tokens: { access_token: 'mine', token_type: 'Bearer' } }))
  rmSync(join(home, 'secret.key'))
  const under = mcpUnderTest({ g: { url: server.url } }, { redirectUrl: 'http://127.0.0.1:1/callback', tokens })
  expect(await under.tools()).toEqual({})
  expect(under.mcp.status()[0]?.error).toMatch(/^The secret "mcp g" cannot be read: .* segno secrets forget-lost/)
})
