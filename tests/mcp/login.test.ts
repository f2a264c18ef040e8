import { memoryTokens } from './memory-ports.ts'
import { expect, test, vi } from 'vitest'
import type { McpChange } from '../../src/tool/mcp/index.ts'
import { verifies } from '../support/verifies.ts'
import { guardedServer } from './servers/guarded.ts'
import { call, eventually, mcpUnderTest, type UnderTest } from './under-test.ts'

const redirectUrl = 'http://127.0.0.1:1/callback'
const wanting = { state: 'needs authorization', error: 'it wants authorization' }

async function loggedIn(
  under: UnderTest,
  visit: (url: string) => Promise<{ state: string; code: string }>,
): Promise<void> {
  const { url } = await under.mcp.beginAuthorization('default', 'g')
  await under.mcp.finishAuthorization(await visit(url))
  await eventually(async () => 'g__echo' in (await under.tools()))
}

verifies('COO-8', 'lets a person log in to an HTTP server, and uses what it got', async () => {
  const server = await guardedServer()
  const changes: McpChange[] = []
  const under = mcpUnderTest({ g: { url: server.url } }, { redirectUrl, onHealth: (change) => changes.push(change) })
  expect(await under.tools()).toEqual({})
  const [status] = under.mcp.status()
  expect(status).toMatchObject(wanting)
  const url = new URL(status?.authorizeUrl ?? '')
  expect(url.searchParams.get('code_challenge_method')).toBe('S256')
  expect(await under.mcp.finishAuthorization(await server.visit(url.href))).toEqual({ tenant: 'default', server: 'g' })
  await eventually(async () => 'g__echo' in (await under.tools()))
  expect(await call((await under.tools())['g__echo'], { text: 'inside' })).toBe('inside')
  expect(under.mcp.status()[0]).not.toHaveProperty('authorizeUrl')
  const told = JSON.stringify([under.mcp.status(), changes])
  for (const secret of server.secrets) expect(told).not.toContain(secret)
})

test('refreshes a token that is good no more, without a person', async () => {
  const server = await guardedServer()
  const under = mcpUnderTest({ g: { url: server.url } }, { redirectUrl })
  await loggedIn(under, server.visit)
  server.expire()
  expect(await call((await under.tools())['g__echo'], { text: 'still inside' })).toBe('still inside')
  expect(server.asked.at(-1)).toBe('/token refresh_token')
})

test('uses a token that gets new ones once, however many connections want them at once', async () => {
  const server = await guardedServer()
  const tokens = memoryTokens()
  const nodes = [1, 2, 3].map(() => mcpUnderTest({ g: { url: server.url } }, { redirectUrl, tokens }))
  const [first] = nodes as [UnderTest]
  await loggedIn(first, server.visit)
  const echoes = await Promise.all(nodes.map(async (one) => (await one.tools())['g__echo']))
  server.expire()
  const said = await Promise.all(echoes.map((echo) => call(echo, { text: 'still inside' })))
  expect(said).toEqual(Array.from(said, () => 'still inside'))
  expect(server.asked.filter((path) => path === '/token refresh_token')).toHaveLength(1)
})

test('wants a person again when the server takes neither token', async () => {
  const server = await guardedServer()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const under = mcpUnderTest({ g: { url: server.url } }, { redirectUrl })
  await loggedIn(under, server.visit)
  const found = await under.tools()
  server.expire(true)
  await expect(call(found['g__echo'], { text: 'out' })).rejects.toThrow(
    'it wants authorization. Nothing was sent to it.',
  )
  await eventually(() => under.mcp.status()[0]?.state === 'needs authorization')
  await loggedIn(under, server.visit)
  expect(await call((await under.tools())['g__echo'], { text: 'back' })).toBe('back')
})

verifies('COO-8', 'finishes only a login that was begun, each by its own state and once', async () => {
  const server = await guardedServer()
  const under = mcpUnderTest({ g: { url: server.url } }, { redirectUrl })
  const first = await server.visit((await under.mcp.beginAuthorization('default', 'g')).url)
  const second = await server.visit((await under.mcp.beginAuthorization('default', 'g')).url)
  const finish = (answer: { state: string; code: string }) => under.mcp.finishAuthorization(answer)
  await expect(finish({ state: 'made up', code: first.code })).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(finish({ state: `${first.state}x`, code: first.code })).rejects.toMatchObject({ code: 'CONFLICT' })
  // The code of one login does not go with the proof of another.
  await expect(finish({ state: first.state, code: second.code })).rejects.toMatchObject({ code: 'TOOL_ERROR' })
  const third = await server.visit((await under.mcp.beginAuthorization('default', 'g')).url)
  await finish(third)
  await expect(finish(third)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('keeps the logins of tenants apart', async () => {
  const server = await guardedServer()
  const under = mcpUnderTest({ g: { url: server.url } }, { redirectUrl })
  await loggedIn(under, server.visit)
  const other = await under.mcp.tools({ tenant: 'other', workspaceId: 'system', folder: under.folder, servers: [] })
  expect(other).toEqual([])
  expect(under.mcp.status('other')).toMatchObject([wanting])
})

test('keeps a login over a restart, with the client it registered', async () => {
  const server = await guardedServer()
  const tokens = memoryTokens()
  await loggedIn(mcpUnderTest({ g: { url: server.url } }, { redirectUrl, tokens }), server.visit)
  const again = mcpUnderTest({ g: { url: server.url } }, { redirectUrl, tokens })
  expect(await call((await again.tools())['g__echo'], { text: 'known' })).toBe('known')
  expect(server.asked.filter((path) => path.startsWith('/register'))).toHaveLength(1)
})

test('logs in as a machine where that is configured, and gives its secret to nobody else', async () => {
  const machine = { id: 'segno', secret: 'machine-secret' }
  const server = await guardedServer(machine)
  const oauth = {
    grant: 'client_credentials',
    clientId: machine.id,
    clientSecret: machine.secret,
    issuer: server.issuer,
  }
  const under = mcpUnderTest({ g: { url: server.url, oauth } })
  expect(await call((await under.tools())['g__echo'], { text: 'machine' })).toBe('machine')
  const elsewhere = mcpUnderTest({ g: { url: server.url, oauth: { ...oauth, issuer: 'https://auth.example' } } })
  const before = server.asked.filter((path) => path.startsWith('/token')).length
  expect(await elsewhere.tools()).toEqual({})
  expect(server.asked.filter((path) => path.startsWith('/token'))).toHaveLength(before)
})

test('shows the headers for a server to nobody else', async () => {
  const server = await guardedServer()
  const under = mcpUnderTest({ g: { url: server.url, headers: { 'x-key': 'hidden' } } }, { redirectUrl })
  await under.tools()
  await loggedIn(under, server.visit)
  expect(server.heard.length).toBeGreaterThan(3)
  expect(server.heard.filter((headers) => 'x-key' in headers)).toEqual([])
})

test('says that a server wants a login where none can be made', async () => {
  const server = await guardedServer()
  const under = mcpUnderTest({ g: { url: server.url } })
  expect(await under.tools()).toEqual({})
  expect(under.mcp.status()).toMatchObject([wanting])
  await expect(under.mcp.beginAuthorization('default', 'g')).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(under.mcp.beginAuthorization('default', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
