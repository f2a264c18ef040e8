import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { startLoginServer } from '../../security/support/login-server.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno, tempHome } from '../library/support/open-segno.ts'
import { asking } from './asking.ts'

const WILD = fileURLToPath(new URL('../../mcp/servers/wild.ts', import.meta.url))

interface Server {
  readonly name: string
  readonly state: string
  readonly tenant?: string
  readonly since?: string
  readonly authorizeUrl?: string
  readonly tools: readonly { readonly as: string; readonly state: string }[]
}

/** Segno with a server that runs and one that wants a login. */
async function withServers() {
  const login = await startLoginServer()
  onTestFinished(() => login.close())
  const home = tempHome()
  const file = join(home, 'tools.json')
  const offered = { name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }
  writeFileSync(file, JSON.stringify([offered]))
  const segno = await openSegno({
    home,
    env: {
      SEGNO_MCP: JSON.stringify({
        files: { command: process.execPath, args: [WILD, '', file] },
        mail: { url: `${login.origin}/mcp` },
      }),
      SEGNO_PRIVATE_ORIGINS: login.origin,
      SEGNO_LOG: 'off',
    },
  })
  const keyFor = async (tenant: string, ...scopes: string[]): Promise<string> => {
    const wanted = { name: 'a key', role: 'super_admin', userId: 'ada', tenant, scopes } as const
    return (await segno.keys.add(LOCAL_OWNER, wanted)).secret ?? ''
  }
  const http = async (method: string, path: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return segno.fetch(new Request(`http://127.0.0.1:4747${path}`, init))
  }
  const servers = async (key: string): Promise<Server[]> =>
    ((await (await http('GET', '/api/mcp', key)).json()) as { items: Server[] }).items
  return { segno, keyFor, http, servers }
}

verifies('COO-8', 'the servers of a tenant are told to that tenant, and where to log in only to who may', async () => {
  const { keyFor, servers } = await withServers()
  const [reads, manages] = [await keyFor('local', 'chat:read'), await keyFor('local', 'chat:read', 'tool:manage')]
  const told = await servers(manages)
  expect(told).toMatchObject([
    { name: 'files', tenant: 'local', state: 'ready', tools: [{ as: 'files__read', state: 'pinned' }] },
    { name: 'mail', tenant: 'local', state: 'needs authorization' },
  ])
  expect(told[1]?.authorizeUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/)
  expect(Date.parse(told[0]?.since ?? '')).toBeLessThanOrEqual(Date.now())
  const toReaders = await servers(reads)
  expect(toReaders.map(({ name, state }) => [name, state])).toEqual(told.map(({ name, state }) => [name, state]))
  expect(JSON.stringify(toReaders)).not.toContain('authorize?')
  const elsewhere = await servers(await keyFor('rival', 'chat:read', 'tool:manage'))
  expect(elsewhere.every(({ tenant }) => tenant === 'rival')).toBe(true)
})

verifies(
  'GOV-9',
  'a budget is set, seen and taken away in its own tenant, whatever others of that name have',
  async () => {
    const { http, keyFor } = await withServers()
    const [ours, theirs] = [await keyFor('local', '*'), await keyFor('rival', '*')]
    const limits = async (key: string) =>
      ((await (await http('GET', '/api/budget', key)).json()) as { dailyTokens: number | null }).dailyTokens
    expect((await http('PUT', '/api/budgets/ada', ours, { dailyTokens: 100 })).status).toBe(200)
    expect([await limits(ours), await limits(theirs)]).toEqual([100, null])
    expect((await http('PUT', '/api/budgets/ada', theirs, { dailyTokens: 5 })).status).toBe(200)
    expect([await limits(ours), await limits(theirs)]).toEqual([100, 5])
    expect((await http('DELETE', '/api/budgets/ada', theirs)).status).toBe(204)
    expect((await http('DELETE', '/api/budgets/ada', theirs)).status).toBe(404)
    expect([await limits(ours), await limits(theirs)]).toEqual([100, null])
    for (const dailyTokens of [-1, 1.5, '5', Number.MAX_SAFE_INTEGER + 1])
      expect((await http('PUT', '/api/budgets/ada', ours, { dailyTokens })).status).toBe(400)
  },
)

test('what would be decided is told as it would be, and nothing is asked, called or stored', async () => {
  const tool = probe('mail', { effect: 'unsafe', approval: 'ask', reach: ['outward'] })
  const it = await asking({ tools: [tool, probe('look')] })
  const explain = async (body: object, key?: string) => (await it.http('POST', '/api/policy/explain', body, key)).body
  expect(await explain({ tool: 'look' })).toMatchObject({ verdict: { kind: 'allow' } })
  expect(await explain({ tool: 'mail' })).toMatchObject({ verdict: { kind: 'ask', rememberable: true } })
  expect(await explain({ tool: 'mail', mode: 'plan' })).toMatchObject({
    verdict: { kind: 'refuse' },
    decidedBy: 'mode',
  })
  expect(await explain({ tool: 'mail', tainted: true })).toMatchObject({
    because: expect.stringContaining('text from outside') as string,
  })
  expect(await explain({ tool: 'nothing' })).toMatchObject({ verdict: { kind: 'refuse', code: 'UNKNOWN_TOOL' } })
  const weak = await it.keyFor(['chat:read'])
  expect(await explain({ tool: 'mail' }, weak)).toMatchObject({ verdict: { kind: 'refuse' }, decidedBy: 'permission' })
  expect((await it.http('POST', '/api/policy/explain', { tool: 'look', workspaceId: 'attic' })).status).toBe(404)
  expect((await it.http('POST', '/api/policy/explain', { tool: 'look', taint: true })).status).toBe(400)
  expect(await it.all()).toEqual([])
  expect(tool.runs).toEqual([])
  expect((await it.events()).map(({ type }) => type)).toEqual(['session.created'])
})
