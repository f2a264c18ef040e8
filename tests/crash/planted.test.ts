import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Violation } from './checks/evidence.ts'
import type { FaultName } from './faults.ts'
import type { Episode, Kill } from './plan.ts'
import type { PointName } from './points.ts'
import { sandboxFor } from './real-tools.ts'
import { runChain } from './run-chain.ts'
import { setStage } from './stage.ts'
import { twoOwners, type Guards } from './two-owners.ts'

const TIMEOUT_MS = 120_000
const hasSandbox = (await sandboxFor(join(tmpdir(), 'nothing'))) !== undefined
const caught: string[] = []

function note(fault: string, violations: readonly Violation[]): void {
  caught.push(`${fault.padEnd(40)}${[...new Set(violations.map(({ check }) => check))].join(', ')}`)
}

afterAll(() => console.log(`planted fault                           caught by\n${caught.join('\n')}`))

interface Planted {
  readonly fault: FaultName
  readonly by: string
  readonly episode: Omit<Episode, 'id' | 'protocol'>
  readonly killedAt?: PointName
  /** something does not end by it, which nobody waits for long */
  readonly sticks?: true
}

const PLANTED: readonly Planted[] = [
  {
    fault: 'effect before its start is durable',
    by: 'starts are stored before effects',
    episode: { effect: 'unsafe', calls: 1 },
    killedAt: 'in tool, after its effect',
  },
  {
    fault: 'result shown before its commit',
    by: 'shown events are stored',
    episode: { effect: 'unsafe', calls: 1 },
    killedAt: 'before tool.result',
  },
  {
    fault: 'numbered frame before its commit',
    by: 'shown events are stored',
    episode: { effect: 'pure', calls: 1 },
    killedAt: 'before final answer',
    sticks: true,
  },
  {
    fault: 'recovery runs a started unsafe call',
    by: 'effects happen once',
    episode: { effect: 'unsafe', calls: 1 },
    killedAt: 'in tool, after its effect',
  },
  {
    fault: 'approval decision is lost',
    by: 'decisions are kept',
    episode: { effect: 'unsafe', calls: 1, decision: 'approve' },
    killedAt: 'decision acknowledged',
    sticks: true,
  },
  {
    fault: 'result that comes later is lost',
    by: 'results are kept',
    episode: { effect: 'unsafe', calls: 1, later: true },
    killedAt: 'result acknowledged',
    sticks: true,
  },
  { fault: 'results out of order', by: 'results stand in the order asked', episode: { effect: 'pure', calls: 2 } },
  { fault: 'one key for two calls', by: 'keys belong to one call', episode: { effect: 'keyed', calls: 2 } },
  {
    fault: 'fork runs an inherited call',
    by: 'forks start nothing inherited',
    episode: { effect: 'unsafe', calls: 1, fork: 'asked' },
  },
  {
    fault: 'recovery runs a started unsafe call',
    by: 'effects happen once',
    episode: { effect: 'unsafe', calls: 1, by: 'mcp', decision: 'approve' },
    killedAt: 'before tool.result',
  },
  {
    fault: 'MCP server of its own',
    by: 'nothing outlives its Segno',
    episode: { effect: 'keyed', calls: 1, by: 'mcp', decision: 'approve' },
    killedAt: 'before tool.result',
  },
  {
    fault: 'bash without a sandbox',
    by: 'nothing outlives its Segno',
    episode: { effect: 'unsafe', calls: 1, by: 'bash', decision: 'approve' },
    killedAt: 'in bash',
  },
  {
    fault: 'question is left behind',
    by: 'nobody is asked in vain',
    episode: { effect: 'unsafe', calls: 1, question: true },
    killedAt: 'question open',
  },
]

describe('a planted fault is caught, and the same run without it is clean', () => {
  for (const { fault, by, episode, killedAt, sticks } of PLANTED) {
    const skip = episode.by === 'bash' && !hasSandbox
    test(episode.by ? `${fault} (${episode.by})` : fault, { timeout: TIMEOUT_MS, skip }, async () => {
      const kills: Kill[] = killedAt ? [{ point: killedAt, nth: 1 }] : []
      const chain = [{ episode: { id: '1', protocol: 'unified', ...episode }, kills }] as const
      const clean = await setStage()
      expect((await runChain(clean.home, clean.ledger, chain)).harms).toEqual([])
      const { home, ledger } = await setStage()
      const { harms } = await runChain(home, ledger, chain, { fault, ...(sticks && { patienceMs: 3000 }) })
      const violations = harms.map(({ violation }) => violation)
      note(fault, violations)
      expect(violations).toContainEqual(expect.objectContaining({ check: by }))
    })
  }
})

const LOOSE: readonly { fault: string; guards: Guards; by: string }[] = [
  {
    fault: 'commit without its expected number',
    guards: { sharedEpoch: true, looseNumber: true },
    by: 'writers know the last number',
  },
  { fault: 'stale epoch accepted', guards: { looseEpoch: true }, by: 'fenced writers store nothing' },
  { fault: 'neither epoch nor number', guards: { looseEpoch: true, looseNumber: true }, by: 'calls go step by step' },
]

describe('a guard that is taken away is missed', () => {
  for (const { fault, guards, by } of LOOSE) {
    test(fault, { timeout: TIMEOUT_MS }, async () => {
      const { home, ledger } = await setStage()
      const violations = await twoOwners(home, ledger, guards)
      note(fault, violations)
      expect(violations.map(({ check }) => check)).toContain(by)
    })
  }
})
