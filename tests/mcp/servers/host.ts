/** Segno's MCP side in a process of its own, with servers that do not want to die; tells their pids to its parent. */
import { tmpdir } from 'node:os'
import { createMcp, memoryPins, memoryTokens, readMcpServers } from '../../../src/tool/mcp/index.ts'
import { context } from '../context.ts'

const wild = new URL('wild.ts', import.meta.url).pathname
const stubborn = { command: process.execPath, args: [wild, 'ignore-eof,ignore-sigterm'] }
const mcp = createMcp({
  servers: readMcpServers({ one: stubborn, two: stubborn }),
  clock: { now: () => Date.now() },
  pins: memoryPins(),
  tokens: memoryTokens(),
  fetch,
})
const tools = await mcp.tools({ tenant: 'default', workspaceId: 'system', folder: tmpdir(), servers: [] })
const asked = tools.filter(({ name }) => /__(?:pid|child)$/.test(name))
process.send?.(await Promise.all(asked.map(async (tool) => Number(await tool.run({}, context())))))
