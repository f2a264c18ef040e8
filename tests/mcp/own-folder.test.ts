import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { safeHome } from '../../src/tool/mcp/own-folder.ts'
import { verifies } from '../support/verifies.ts'
import { call, eventually, mcpUnderTest, ownServer, temporaryFolder, type UnderTest } from './under-test.ts'

const NPX = join(dirname(process.execPath), 'npx')

/** What a command in the workspace may leave there: a package that `npx` takes for the one it was told to run. */
function plant(workspace: string, name: string, marker: string): void {
  const at = join(workspace, 'node_modules', name)
  const bin = join(workspace, 'node_modules', '.bin')
  for (const folder of [at, bin]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name, version: '99.0.0', bin: { [name]: 'x.js' } }))
  const script = `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(marker)}, 'ran')\n`
  writeFileSync(join(at, 'x.js'), script)
  chmodSync(join(at, 'x.js'), 0o755)
  symlinkSync(join('..', name, 'x.js'), join(bin, name))
}

interface Place {
  readonly folder: string
  readonly holds: readonly string[]
}

const placeOf = async ({ tools }: UnderTest): Promise<Place> =>
  JSON.parse(await call((await tools())['wild__place'])) as Place

verifies('COO-8', 'starts a server in an empty folder of its own, which goes when it goes', async () => {
  const folder = join(temporaryFolder(), 'servers')
  const under = mcpUnderTest({ wild: ownServer('wild') }, { folder })
  const place = await placeOf(under)
  expect(dirname(place.folder)).toBe(folder)
  // An empty node_modules ends the search for packages.
  expect(place.holds).toEqual(['node_modules'])
  expect(readdirSync(join(place.folder, 'node_modules'))).toEqual([])
  const tools = await under.tools()
  await expect(call(tools['wild__crash'])).rejects.toThrow()
  const next = await placeOf(under)
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([next.folder])
  await under.mcp.close()
  expect(readdirSync(folder)).toEqual([])
})

test('leaves no folder behind of a server that cannot be started', async () => {
  const folder = temporaryFolder()
  const servers = { gone: { command: '/no/such/program' }, dies: ownServer('wild', 'crash-at-start') }
  const under = mcpUnderTest(servers, { folder })
  await under.tools()
  await under.mcp.close()
  expect(readdirSync(folder)).toEqual([])
})

test('starts a server in the workspace only if somebody says so', async () => {
  const under = mcpUnderTest({ wild: { ...ownServer('wild'), cwd: '${workspace}' } })
  expect((await placeOf(under)).folder).toBe(under.folder)
})

verifies(
  'COO-8',
  'runs nothing that was put into the workspace in place of the server',
  async () => {
    const folder = temporaryFolder()
    const marker = join(folder, 'ran')
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, npm_config_offline: 'true', HOME: folder }
    const npx = { command: existsSync(NPX) ? NPX : 'npx', args: ['-y', 'segno-planted-server'], env }
    const servers = { careful: npx, careless: { ...npx, cwd: '${workspace}' } }
    // Also above the folders of servers, where anybody may write.
    plant(folder, 'segno-planted-server', join(folder, 'ran-above'))
    const under = mcpUnderTest(servers, { folder, limits: { connectMs: 100, breakerFailures: 1, breakerMs: 60_000 } })
    plant(under.folder, 'segno-planted-server', marker)
    const failed = (name: string): boolean =>
      under.mcp.status().some((one) => one.name === name && one.state === 'failed')
    await under.tools(['careful'])
    await eventually(() => failed('careful'), 30_000)
    expect(existsSync(marker)).toBe(false)
    await under.tools(['careless'])
    await eventually(() => existsSync(marker), 30_000)
  },
  60_000,
)

test('makes no folder for a server below the workspace', async () => {
  const workspace = temporaryFolder()
  const under = mcpUnderTest({ wild: ownServer('wild') }, { folder: join(workspace, 'servers') })
  const at = async (folder: string): Promise<Place> => {
    const place = { tenant: 'default', workspaceId: folder, folder, servers: [] }
    const tool = (await under.mcp.tools(place)).find(({ name }) => name === 'wild__place')
    return JSON.parse(await call(tool)) as Place
  }
  expect(dirname((await at(workspace)).folder)).toBe(realpathSync(tmpdir()))
  await expect(at('/')).rejects.toThrow()
  const other = under.mcp.status().find(({ workspaceId }) => workspaceId === '/')
  expect(other?.error).toBe('there is no place outside the workspace to start it in')
})

test('gives a server no home that commands in the workspace can write to', () => {
  const { homedir: home } = userInfo()
  expect(safeHome(temporaryFolder())).toBe(home)
  expect(safeHome(home)).toBeUndefined()
  expect(safeHome('/')).toBeUndefined()
  expect(safeHome('/no/such/folder')).toBeUndefined()
})
