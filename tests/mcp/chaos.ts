/**
 * Kills MCP servers with SIGKILL at random moments while calls go on, and checks what must hold all the same:
 * every call ends, an unsafe one is sent at most once and what is said of its effect is true, and the servers come back
 * by themselves.
 *
 *   node tests/mcp/chaos.ts [--seed 7] [--kills 200] [--patience 100]
 */
import { memoryPins, memoryTokens } from './memory-ports.ts'
import { MCP_LIMITS } from '../support/limits.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Tool } from '../../src/contract/tool.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createMcp, readMcpServers, type Mcp } from '../../src/tool/mcp/index.ts'
import { throwDice } from '../crash/dice.ts'
import { context } from './context.ts'

const EFFECTS = ['unsafe', 'keyed', 'pure'] as const
type EffectName = (typeof EFFECTS)[number]

const WORKERS = 6
const LONGEST_CALL_MS = 15_000
const COMES_BACK_MS = 15_000
/** Long enough for a call to find the server that was started again. */
const PATIENCE_MS = 5000

export interface ChaosReport {
  readonly seed: number
  readonly kills: number
  /** those of servers that had started and could be called */
  readonly killsOfReady: number
  readonly calls: number
  readonly ok: number
  /** the server never got it */
  readonly notSent: number
  readonly unknown: number
  readonly restarts: number
  /** what was wrong; empty if all held */
  readonly faults: readonly string[]
}

interface Ended {
  readonly label: string
  readonly effect: EffectName
  readonly how: 'ok' | 'not sent' | 'unknown'
}

/** `patienceMs`: how long a call waits for a server that is away */
export async function runMcpChaos(seed: number, kills: number, patienceMs = PATIENCE_MS): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), 'segno-mcp-chaos-'))
  const mcp = createMcp({
    servers: readMcpServers(Object.fromEntries(EFFECTS.map((effect) => [effect, serverOf(effect, folder)]))),
    clock: systemClock,
    pins: memoryPins(),
    tokens: memoryTokens(),
    fetchOf: () => fetch,
    limits: { ...MCP_LIMITS, restartMs: 10, breakerFailures: 0, connectMs: patienceMs, healthMs: 200, pingMs: 2000 },
  })
  try {
    return await run(mcp, folder, seed, kills)
  } finally {
    await mcp.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function serverOf(effect: EffectName, folder: string): object {
  const wild = fileURLToPath(new URL('servers/wild.ts', import.meta.url))
  const args = [wild, '', join(folder, effect)]
  return { command: process.execPath, args, env: { PID_FILE: pidFile(effect, folder) }, tools: { '*': { effect } } }
}

const pidFile = (effect: EffectName, folder: string): string => join(folder, `${effect}.pid`)

async function run(mcp: Mcp, folder: string, seed: number, kills: number): Promise<ChaosReport> {
  const dice = throwDice(seed)
  const place = { tenant: 'default', workspaceId: 'system', folder, servers: [] }
  const tools = await allTools(() => mcp.tools(place))
  const ended: Ended[] = []
  const faults: string[] = []
  const victims = new Set<number>()
  let killed = 0
  let killsOfReady = 0
  let labels = 0

  async function call(effect: EffectName): Promise<Ended['how']> {
    const label = `${effect}-${(labels += 1)}`
    const signal = AbortSignal.timeout(LONGEST_CALL_MS)
    let how: Ended['how'] = 'ok'
    try {
      const args = { label, ms: dice.between(0, 40) }
      await tools.get(nameOf(effect))?.run(args, context({ signal, idempotencyKey: label }))
    } catch (error) {
      how = (error as { effect?: string }).effect === 'unknown' ? 'unknown' : 'not sent'
      if (signal.aborted) faults.push(`${label} hung`)
    }
    ended.push({ label, effect, how })
    return how
  }

  const isOver = (): boolean => killed >= kills

  async function worker(): Promise<void> {
    while (!isOver()) await call(dice.oneOf(EFFECTS))
  }

  async function killer(): Promise<void> {
    while (!isOver()) {
      await new Promise((resolve) => setTimeout(resolve, dice.between(0, 120)))
      const effect = dice.oneOf(EFFECTS)
      const isReady = mcp.status().some(({ name, state }) => name === effect && state === 'ready')
      if (!kill(pidFile(effect, folder), victims)) continue
      killed += 1
      if (isReady) killsOfReady += 1
    }
  }

  await Promise.all([killer(), ...Array.from({ length: WORKERS }, worker)])
  for (const effect of EFFECTS) if (!(await comesBack(() => call(effect)))) faults.push(`${effect} did not come back`)
  const done = new Map(EFFECTS.map((effect) => [effect, tally(join(folder, effect))]))
  for (const { label, effect, how } of ended) {
    const times = done.get(effect)?.get(label) ?? 0
    const most = effect === 'unsafe' ? 1 : 2
    if (times > most) faults.push(`${label} was carried out ${times} times`)
    if (how === 'ok' && times === 0) faults.push(`${label} is said to be done, and was not`)
    if (how === 'not sent' && times > 0) faults.push(`${label} is said not to have been sent, and was carried out`)
  }
  const count = (how: Ended['how']): number => ended.filter((one) => one.how === how).length
  const restarts = mcp.status().reduce((sum, one) => sum + one.restarts, 0)
  // One that is killed while it starts may be one of two processes of the same start.
  if (restarts < killsOfReady) faults.push(`${killsOfReady} that ran were killed, ${restarts} were started again`)
  return {
    seed,
    kills: killed,
    killsOfReady,
    calls: ended.length,
    ok: count('ok'),
    notSent: count('not sent'),
    unknown: count('unknown'),
    restarts,
    faults,
  }
}

const nameOf = (effect: EffectName): string => `${effect}__effect`

/** They may take longer to start than a call waits for them. */
async function allTools(list: () => Promise<readonly Tool[]>): Promise<ReadonlyMap<string, Tool>> {
  for (;;) {
    const tools = new Map((await list()).map((tool) => [tool.name, tool]))
    if (EFFECTS.every((effect) => tools.has(nameOf(effect)))) return tools
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function comesBack(call: () => Promise<Ended['how']>): Promise<boolean> {
  const end = Date.now() + COMES_BACK_MS
  while (Date.now() < end) if ((await call()) === 'ok') return true
  return false
}

/** Kills the process of this file; false if there is none that was not killed before. */
function kill(file: string, victims: Set<number>): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    // An empty file is one that is being written; 0 would be ourselves.
    if (!(pid > 1) || victims.has(pid)) return false
    victims.add(pid)
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

function tally(file: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of readFileSync(file, 'utf8').split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      kills: { type: 'string', default: '200' },
      patience: { type: 'string', default: String(PATIENCE_MS) },
    },
  })
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
  const report = await runMcpChaos(seed, Number(values.kills), Number(values.patience))
  console.log(JSON.stringify(report, null, 2))
  if (report.faults.length > 0) process.exitCode = 1
}
