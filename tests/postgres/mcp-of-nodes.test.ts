import { expect } from 'vitest'
import { join } from 'node:path'
import { systemClock } from '../../src/lib/clock.ts'
import { createSecrets, keyFile } from '../../src/secret/index.ts'
import type { Store } from '../../src/store/index.ts'
import { storedPins, storedTokens } from '../../src/tool/index.ts'
import { guardedServer } from '../mcp/servers/guarded.ts'
import { call, eventually, mcpUnderTest, ownServer, type UnderTest } from '../mcp/under-test.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openedDatabase } from '../support/postgres/opened.ts'
import { verifies } from '../support/verifies.ts'

const redirectUrl = 'http://127.0.0.1:1/callback'

/** The MCP side of two nodes on one database. */
async function twoNodes(servers: object): Promise<[UnderTest, UnderTest]> {
  const { node } = await openedDatabase()
  const file = keyFile(join(tempFolder(), 'secret.key'))
  const under = (store: Store): UnderTest =>
    mcpUnderTest(servers, {
      redirectUrl,
      pins: storedPins(store),
      tokens: storedTokens(
        store,
        createSecrets(store, { file, clock: systemClock, hasOthers: async () => true }),
        systemClock,
      ),
      onStored: store.onChange,
    })
  return [under(await node('one')), under(await node('other'))]
}

verifies('REL-7', 'nodes that want new tokens at once use the token for them once, and both go on', async () => {
  const server = await guardedServer()
  const [one, other] = await twoNodes({ g: { url: server.url } })
  expect(await other.tools()).toEqual({})
  const { url } = await one.mcp.beginAuthorization('default', 'g')
  // The browser may come back to any node, and the other one hears of it before it would look by itself.
  await other.mcp.finishAuthorization(await server.visit(url))
  await eventually(async () => 'g__echo' in (await one.tools()), 10_000)
  await eventually(async () => 'g__echo' in (await other.tools()), 10_000)
  const echoes = [(await one.tools())['g__echo'], (await other.tools())['g__echo']]
  server.expire()
  expect(await Promise.all(echoes.map((echo) => call(echo, { text: 'inside' })))).toEqual(['inside', 'inside'])
  expect(server.asked.filter((path) => path === '/token refresh_token')).toHaveLength(1)
})
verifies(
  'REL-7',
  'a definition that another node no longer trusts is kept back here, without anybody looking',
  async () => {
    const { node } = await openedDatabase()
    const [here, elsewhere] = [await node('here'), await node('elsewhere')]
    const pins = storedPins(here)
    const under = mcpUnderTest({ m: ownServer('modern') }, { pins, onStored: here.onChange })
    const [name = ''] = Object.keys(await under.tools())
    const tool = name.replace('m__', '')
    const state = () => under.mcp.status()[0]?.tools.find((one) => one.name === tool)?.state
    expect(state()).toBe('pinned')
    await storedPins(elsewhere).put('m', tool, { hash: 'f'.repeat(64), wire: { name: tool }, at: 2 })
    await eventually(() => state() === 'quarantined', 10_000)
    expect(Object.keys(await under.tools())).not.toContain(name)
  },
)
