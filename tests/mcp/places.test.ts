import { expect, test } from 'vitest'
import type { Tool } from '../../src/contract/tool.ts'
import { verifies } from '../support/verifies.ts'
import { call, eventually, isAlive, mcpUnderTest, ownServer, temporaryFolder, type UnderTest } from './under-test.ts'

async function at({ mcp }: UnderTest, workspaceId: string, folder: string | undefined): Promise<Record<string, Tool>> {
  const tools = await mcp.tools({ tenant: 'default', workspaceId, folder, servers: [] })
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]))
}

verifies('COO-8', 'runs one process for each workspace, and a new one when its folder is another', async () => {
  const under = mcpUnderTest({ wild: ownServer('wild') })
  const [one, two] = [temporaryFolder(), temporaryFolder()]
  const pid = async (workspace: string, folder: string): Promise<number> =>
    Number(await call((await at(under, workspace, folder))['wild__pid']))
  const first = await pid('a', one)
  expect(await pid('a', one)).toBe(first)
  expect(await pid('b', two)).not.toBe(first)
  const moved = await pid('a', two)
  expect(moved).not.toBe(first)
  await eventually(() => !isAlive(first))
  await under.mcp.close()
  expect(isAlive(moved)).toBe(false)
})

test('returns the very same list of tools as long as nothing changed', async () => {
  const under = mcpUnderTest({
    one: ownServer('wild'),
    two: ownServer('wild'),
    off: ownServer('wild', 'crash-at-start'),
  })
  const place = { tenant: 'default', workspaceId: 'a', folder: temporaryFolder(), servers: [] }
  const tools = await under.mcp.tools(place)
  expect(tools.length).toBeGreaterThan(20)
  expect(await under.mcp.tools(place)).toBe(tools)
})

test('stops the server nobody needed for the longest time when another has to start', async () => {
  const under = mcpUnderTest({ wild: ownServer('wild') }, { limits: { maxRunning: 2 } })
  const states = (): Record<string, string> =>
    Object.fromEntries(under.mcp.status().map(({ workspaceId = '', state }) => [workspaceId, state]))
  const folder = temporaryFolder()
  const a = await at(under, 'a', folder)
  await at(under, 'b', folder)
  await call(a['wild__pid'])
  await at(under, 'c', folder)
  await eventually(() => states()['b'] === 'stopped')
  expect(states()).toEqual({ a: 'ready', b: 'stopped', c: 'ready' })
})

test('starts no server in place of one that is at work', async () => {
  const under = mcpUnderTest({ wild: ownServer('wild') }, { limits: { maxRunning: 1 } })
  const folder = temporaryFolder()
  const stop = new AbortController()
  const going = call((await at(under, 'a', folder))['wild__hang'], {}, { signal: stop.signal })
  expect(await at(under, 'b', folder)).toEqual({})
  expect(under.mcp.status().find(({ workspaceId }) => workspaceId === 'b')?.error).toBe('too many servers are at work')
  stop.abort(new Error('enough'))
  await expect(going).rejects.toThrow()
})

test('starts a server again that is needed while it is being stopped', async () => {
  const limits = { maxRunning: 1, stopMs: 400 }
  const under = mcpUnderTest({ wild: ownServer('wild', 'ignore-eof,ignore-sigterm') }, { limits })
  const folder = temporaryFolder()
  const a = await at(under, 'a', folder)
  const first = await call(a['wild__pid'])
  await at(under, 'b', folder)
  // The one of workspace a got its notice a moment ago and does not want to go.
  expect(await call(a['wild__pid'])).not.toBe(first)
})

test('starts nothing any more once it is closed', async () => {
  const under = mcpUnderTest({ wild: ownServer('wild') })
  const found = await under.tools()
  await under.mcp.close()
  await expect(call(found['wild__pid'])).rejects.toThrow('is not running now (stopped); nothing was sent to it')
  expect(await under.tools()).toEqual({})
})

test('stops what is still starting when it is closed', async () => {
  const under = mcpUnderTest(
    { wild: ownServer('wild', 'hang-at-start,ignore-eof,ignore-sigterm') },
    { limits: { stopMs: 100 } },
  )
  const waiting = under.tools()
  await eventually(() => under.mcp.status()[0]?.state === 'starting')
  await under.mcp.close()
  expect(await waiting).toEqual({})
  expect(under.mcp.status()[0]?.state).toBe('stopped')
})

verifies('COO-8', 'pins a tool once, even when two workspaces see it for the first time together', async () => {
  const under = mcpUnderTest({ wild: ownServer('wild') })
  const folder = temporaryFolder()
  const [a, b] = await Promise.all([at(under, 'a', folder), at(under, 'b', folder)])
  expect(Object.keys(a)).toEqual(Object.keys(b))
  expect(under.mcp.quarantined()).toEqual([])
})

test('where the folder may not be touched, only servers run that are not given it, and they are told of none', async () => {
  const { command, args } = ownServer('wild')
  const under = mcpUnderTest({
    free: { command, args },
    given: { command, args: [...args, '${workspace}'] },
    inside: { command, args, env: { PLACE: '${workspace}/x' } },
  })
  const names = (tools: Record<string, Tool>): string[] => [
    ...new Set(Object.keys(tools).map((name) => name.split('__')[0] ?? '')),
  ]
  expect(names(await at(under, 'a', temporaryFolder()))).toEqual(['free', 'given', 'inside'])
  const tools = await at(under, 'a', undefined)
  expect(names(tools)).toEqual(['free'])
  expect(Number(await call(tools['free__pid']))).toBeGreaterThan(0)
})
