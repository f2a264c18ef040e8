import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tool } from '../../src/contract/tool.ts'
import { bash, detectSandbox, type Sandbox } from '../../src/tool/index.ts'
import { SANDBOX_LIMITS } from '../support/limits.ts'
import type { Life } from './plan.ts'

const SERVER = fileURLToPath(new URL('world-server.ts', import.meta.url))
const FILE = 'effects.txt'

/** Stands in the command line of every process that a home starts. */
export const markOf = (home: string): string => `mark-of-${basename(home)}-${home.length}-`

/** Leaves a line in the workspace and a process in the background, says so, and takes a moment. */
export function commandOf(item: string, mark: string): string {
  return (
    `echo ${item} >> ${FILE}; setsid perl -e "sleep 60" ${mark} > /dev/null 2>&1 & ` +
    `echo began; perl -e "select undef, undef, undef, 0.25" ${mark}`
  )
}

/** What commands really did in a home: their lines, in this order. */
export function linesOf(home: string): string[] {
  const file = join(home, 'workspace', FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

export async function sandboxFor(home: string): Promise<Sandbox | undefined> {
  const found = await detectSandbox({ limits: SANDBOX_LIMITS, hidden: [home], roots: [join(home, 'workspace')] })
  return 'run' in found ? found : undefined
}

/** The shell, where an episode of this life wants it. */
export async function shellOf({ home, steps }: Life): Promise<Tool[]> {
  if (!steps.some(({ episode }) => episode.by === 'bash')) return []
  const sandbox = await sandboxFor(home)
  return sandbox ? [bash(sandbox, { ...SANDBOX_LIMITS, timeoutMs: 10_000 })] : []
}

/** SEGNO_MCP, where an episode of this life wants it. `launcher` may run it in another way. */
export function serversOf({ home, ledger, steps }: Life, launcher: readonly string[] = []): Record<string, string> {
  if (!steps.some(({ episode }) => episode.by === 'mcp')) return {}
  const [command, ...args] = [...launcher, process.execPath, SERVER, ledger, home, markOf(home)]
  const tools = Object.fromEntries((['pure', 'keyed', 'unsafe'] as const).map((effect) => [effect, { effect }]))
  return { SEGNO_MCP: JSON.stringify({ world: { command, args, tools } }) }
}
