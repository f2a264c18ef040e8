/**
 * The client that the official conformance suite tests: Segno's own connection code with as little around it as can be.
 * The suite starts it with the address of its server; the scenario and what belongs to it are in the environment.
 */
import { memoryPins, memoryTokens } from './memory-ports.ts'
import { MCP_LIMITS } from '../support/limits.ts'
import { tmpdir } from 'node:os'
import type { JsonObject } from '../../src/contract/message.ts'
import type { Tool } from '../../src/contract/tool.ts'
import { createMcp, readMcpServers, type Mcp } from '../../src/tool/mcp/index.ts'
import { context } from './context.ts'

const url = process.argv.at(-1) ?? ''
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const given = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, string>

const REDIRECT = 'http://localhost:3000/callback'

/** What an operator would write into the settings. */
async function oauth(): Promise<object> {
  const isMachine = scenario.startsWith('auth/client-credentials')
  const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
  const way = isMachine ? { grant: 'client_credentials' } : { redirectUrl: REDIRECT, clientMetadataUrl }
  const { client_id: clientId, client_secret: clientSecret } = given
  if (clientId === undefined || clientSecret === undefined) return way
  return { ...way, clientId, clientSecret, issuer: await issuer() }
}

async function issuer(): Promise<string> {
  const { origin, pathname } = new URL(url)
  const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)
  const { authorization_servers: servers } = (await answer.json()) as { authorization_servers?: string[] }
  return servers?.[0] ?? origin
}

/** What is called with what, where a scenario has tools. */
const ARGUMENTS: Readonly<Record<string, JsonObject>> = { add_numbers: { a: 5, b: 3 } }

async function login(mcp: Mcp): Promise<boolean> {
  const { authorizeUrl } = mcp.status()[0] ?? {}
  if (authorizeUrl === undefined) return false
  const answer = await fetch(authorizeUrl, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '').searchParams
  const iss = back.get('iss')
  await mcp.finishAuthorization({
    state: back.get('state') ?? '',
    code: back.get('code') ?? '',
    ...(iss !== null && { iss }),
  })
  return true
}

async function work(mcp: Mcp): Promise<void> {
  const place = { tenant: 'default', workspaceId: 'system', folder: tmpdir(), servers: [] }
  let tools: readonly Tool[] = await mcp.tools(place)
  for (let times = 0; tools.length === 0 && times < 3 && (await login(mcp)); times += 1)
    tools = await until(() => mcp.tools(place))
  const ask = () => Promise.resolve({ action: 'accept', content: {} } as const)
  for (const tool of tools) {
    const name = tool.name.replace(/^s__/, '')
    try {
      await tool.run(ARGUMENTS[name] ?? {}, context({ ask }))
    } catch (error) {
      // A call may be what shows that more rights are needed.
      console.error(`${name}: ${String(error)}`)
      if (await login(mcp))
        await until(() => mcp.tools(place)).then((again) =>
          again.find((one) => one.name === tool.name)?.run({}, context({ ask })),
        )
    }
  }
  if (tools.length === 0) throw new Error(mcp.status()[0]?.error ?? 'There are no tools.')
}

async function until(tools: () => Promise<readonly Tool[]>): Promise<readonly Tool[]> {
  for (let times = 0; times < 20; times += 1) {
    const found = await tools()
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return []
}

const mcp = createMcp({
  servers: readMcpServers({ s: { url, oauth: await oauth() } }),
  clock: { now: () => Date.now() },
  pins: memoryPins(),
  tokens: memoryTokens(),
  fetchOf: () => fetch,
  limits: { ...MCP_LIMITS, connectMs: 10_000, restartMs: 60_000 },
})
try {
  await work(mcp)
} finally {
  await mcp.close()
}
