/**
 * Segno's MCP side in a process of its own, with servers that do not want to die; tells their pids to its parent. The
 * argument is a folder they may leave things in.
 */
import { memoryPins, memoryTokens } from '../memory-ports.ts'
import { MCP_LIMITS } from '../../support/limits.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createMcp, readMcpServers } from '../../../src/tool/mcp/index.ts'
import { context } from '../context.ts'

const [folder = ''] = process.argv.slice(2)
const wild = new URL('wild.ts', import.meta.url).pathname
const stubborn = { command: process.execPath, args: [wild, 'ignore-eof,ignore-sigterm'] }
const mcp = createMcp({
  servers: readMcpServers({ one: stubborn, two: stubborn }),
  clock: { now: () => Date.now() },
  pins: memoryPins(),
  tokens: memoryTokens(),
  fetchOf: () => fetch,
  limits: MCP_LIMITS,
  folder,
})
const workspace = join(folder, 'workspace')
mkdirSync(workspace)
const tools = await mcp.tools({ tenant: 'default', workspaceId: 'system', folder: workspace, servers: [] })
const asked = tools.filter(({ name }) => /__(?:pid|child)$/.test(name))
process.send?.(await Promise.all(asked.map(async (tool) => Number(await tool.run({}, context())))))
