import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { listening } from './servers/http.ts'
import { modernServer } from './servers/modern.ts'
import { call, eventually, mcpUnderTest, ownServer, type UnderTest } from './under-test.ts'

const MODERN = '2026-07-28'

async function overHttp(heard?: IncomingHttpHeaders[]): Promise<UnderTest> {
  const handle = toNodeHandler(createMcpHandler(() => modernServer(heard !== undefined))) as RequestListener
  const { url } = await listening((request, response) => {
    heard?.push(request.headers)
    handle(request, response)
  })
  return mcpUnderTest({ m: { url, headers: { 'x-key': 'k' } } })
}

const ways: Readonly<Record<string, () => Promise<UnderTest>>> = {
  stdio: () => Promise.resolve(mcpUnderTest({ m: ownServer('modern') })),
  HTTP: () => overHttp(),
}

for (const [way, start] of Object.entries(ways)) {
  verifies('COO-8', `speaks the newer protocol over ${way}`, async () => {
    const { mcp, tools } = await start()
    const found = await tools()
    expect(mcp.status()[0]).toMatchObject({ state: 'ready', protocolVersion: MODERN })
    expect(await call(found['m__echo'], { text: 'hello' })).toBe('hello')
    expect(await call(found['m__structured'])).toBe('{"n":3}')
    await expect(call(found['m__fail'])).rejects.toThrow('it cannot be done')
  })

  test(`answers over ${way} what a call of the newer protocol needs first, and lends it no model`, async () => {
    const { tools, folder } = await start()
    const found = await tools()
    const asked: string[] = []
    const ask = ({ message }: { message: string }) => {
      asked.push(message)
      return Promise.resolve({ action: 'accept', content: { colour: 'red' } } as const)
    }
    // Several at once: each question reaches the person of its own call.
    const declined = call(found['m__ask'], {}, { ask: () => Promise.resolve({ action: 'decline' } as const) })
    expect(JSON.parse(await call(found['m__ask'], {}, { ask }))).toMatchObject({
      action: 'accept',
      content: { colour: 'red' },
    })
    expect(JSON.parse(await declined)).toMatchObject({ action: 'decline' })
    expect(asked).toEqual(['The MCP server "m" asks: Which colour?'])
    expect(await call(found['m__roots'], {}, { folder })).toContain(folder)
    await expect(call(found['m__sample'])).rejects.toThrow('do not declare the required capability')
  })
}

verifies('REL-2', 'does not say that nothing was sent when the server asked something and then was gone', async () => {
  const { mcp, tools } = mcpUnderTest({ m: ownServer('modern') }, { limits: { restartMs: 60_000 } })
  const found = await tools()
  const ask = async () => {
    await expect(call(found['m__crash'])).rejects.toThrow()
    await eventually(() => mcp.status()[0]?.state !== 'ready')
    return { action: 'accept', content: { colour: 'red' } } as const
  }
  const error: unknown = await call(found['m__ask'], {}, { ask }).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ effect: 'unknown' })
  expect((error as Error).message).not.toContain('Nothing was sent')
})

test('hears over stdio that a server of the newer protocol has a new tool', async () => {
  const { tools } = mcpUnderTest({ m: ownServer('modern') })
  await call((await tools())['m__grow'])
  await eventually(async () => 'm__grown' in (await tools()))
})

test('sends the arguments as headers that a tool of the newer protocol wants there, and the configured headers always', async () => {
  const heard: IncomingHttpHeaders[] = []
  const { mcp, tools } = await overHttp(heard)
  const found = await tools()
  expect(await call(found['m__region'], { region: 'north' })).toBe('here')
  expect(heard.at(-1)).toMatchObject({ 'mcp-param-region': 'north', 'mcp-method': 'tools/call', 'mcp-name': 'region' })
  expect(heard.every((headers) => headers['x-key'] === 'k')).toBe(true)
  expect(found).not.toHaveProperty('m__nameless')
  const refused = mcp.status()[0]?.tools.find(({ name }) => name === 'nameless')
  expect(refused).toMatchObject({ state: 'refused', reason: expect.stringContaining('x-mcp-header') as string })
})
