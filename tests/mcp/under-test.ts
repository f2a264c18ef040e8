import { memoryPins, memoryTokens } from './memory-ports.ts'
import { MCP_LIMITS } from '../support/limits.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { asFetch, createEgress } from '../../src/egress/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { context } from './context.ts'
import type { JsonObject } from '../../src/contract/message.ts'
import { outputAndFiles, type Tool, type ToolContext } from '../../src/contract/tool.ts'
import {
  createMcp,
  readMcpServers,
  type Mcp,
  type McpLimits,
  type McpOptions,
  type McpServers,
} from '../../src/tool/mcp/index.ts'

const require = createRequire(import.meta.url)

/** A published reference server, run with this Node. */
export function reference(
  name: 'everything' | 'filesystem' | 'memory',
  args: string[] = [],
  env: Record<string, string> = {},
): object {
  const folder = dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`))
  return { command: process.execPath, args: [join(folder, 'dist/index.js'), ...args], env }
}

/** A server of our own from tests/mcp/servers, told how to behave by its arguments. */
export function ownServer(file: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [fileURLToPath(new URL(`servers/${file}.ts`, import.meta.url)), ...args] }
}

/** Short times, so that a test of what takes minutes takes moments. */
const QUICK = {
  connectMs: 10_000,
  probeMs: 4000,
  restartMs: 50,
  stopMs: 800,
  breakerMs: 500,
} as const

export interface UnderTest {
  readonly mcp: Mcp
  readonly folder: string
  readonly options: McpOptions
  tools(servers?: readonly string[]): Promise<Readonly<Record<string, Tool>>>
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'segno-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The fetch Segno gives it: these servers, and who guards them, may be on this machine, and nobody else. */
function guardedFetch(servers: McpServers): typeof fetch {
  const origins = Object.values(servers).flatMap((server) =>
    server.transport === 'http' ? [new URL(server.url).origin] : [],
  )
  const privateOrigins = origins.flatMap((origin) => [origin, origin.replace('127.0.0.1', 'localhost')])
  const egress = createEgress({ privateOrigins })
  onTestFinished(() => egress.close())
  return asFetch(egress)
}

/** Segno's MCP side with these servers; everything is stopped at the end of the test. */
export function mcpUnderTest(
  servers: object,
  more: Partial<Omit<McpOptions, 'limits'>> & { readonly limits?: Partial<McpLimits> } = {},
): UnderTest {
  const folder = temporaryFolder()
  const read = readMcpServers(servers)
  const guarded = guardedFetch(read)
  const options: McpOptions = {
    servers: read,
    clock: systemClock,
    pins: memoryPins(),
    tokens: memoryTokens(),
    fetchOf: () => guarded,
    ...more,
    limits: { ...MCP_LIMITS, ...QUICK, ...more.limits },
  }
  const mcp = createMcp(options)
  onTestFinished(() => mcp.close())
  const place = { tenant: 'default', workspaceId: 'system', folder }
  return {
    mcp,
    folder,
    options,
    async tools(named = []) {
      const tools = await mcp.tools({ ...place, servers: named })
      return Object.fromEntries(tools.map((tool) => [tool.name, tool]))
    },
  }
}

/** Calls a tool as the runner would; files are named by their kind. */
export async function call(
  tool: Tool | undefined,
  args: JsonObject = {},
  more: Partial<ToolContext> = {},
): Promise<string> {
  if (tool === undefined) throw new Error('There is no such tool.')
  const { output, files } = outputAndFiles(await tool.run(args, context(more)))
  const kinds = (files as { mediaType: string; data: Uint8Array }[]).map(
    ({ mediaType, data }) => `<${mediaType} ${data.length}>`,
  )
  return [String(output), ...kinds].join('')
}

/** Resolves as soon as `isTrue` is; looks again and again, for what has no event to wait for. */
export async function eventually(isTrue: () => boolean | Promise<boolean>, ms = 45_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('It did not happen in time.')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
