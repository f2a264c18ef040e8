import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../support/compiled.ts'
import { endLeases } from './end-leases.ts'
import type { Ledger } from './ledger.ts'
import type { Heard, Life } from './plan.ts'
import { storeEnv } from '../support/store-under-test.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const LONGEST_MS = 120_000

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** it had to be stopped because it did not end */
  readonly tooLong: boolean
  /** from the blow to the end */
  readonly afterBlowMs: number
  readonly heard: readonly Heard[]
  readonly stderr: string
}

export interface Blow {
  readonly signal: 'SIGKILL' | 'SIGTERM'
  /** what the blow waits for, and how long it then still waits */
  readonly on: 'spawn' | 'ready' | 'speech' | 'delivery'
  readonly afterMs: number
  /** only deliveries of things whose names begin like this */
  readonly of?: string
}

/** Starts a process, strikes it where asked, and gives back all it said until it was gone. */
export async function runLife(
  life: Life,
  ledger: Ledger,
  blow?: Blow,
  launcher: readonly string[] = [],
): Promise<Ended> {
  mkdirSync(life.home, { recursive: true })
  const file = join(
    life.home,
    `heard-${readdirSync(life.home).filter((name) => name.startsWith('heard')).length + 1}.jsonl`,
  )
  const outside = openSync(file, 'w')
  const [command, ...args] = [...launcher, process.execPath, '--conditions=segno-source', CHILD]
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe', outside],
    env: {
      PATH: process.env['PATH'],
      ...COMPILED,
      CRASH_LIFE: JSON.stringify(life),
      ...storeEnv(),
    },
  })
  closeSync(outside)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (stderr += piece))
  let tooLong = false
  const stop = (): void => {
    tooLong = true
    child.kill('SIGKILL')
  }
  const timers: NodeJS.Timeout[] = [setTimeout(stop, LONGEST_MS)]
  let struckAt = Infinity
  const strike = (what: Blow['on'], item?: unknown): void => {
    if (blow?.on !== what || (blow.of !== undefined && !String(item).startsWith(blow.of))) return
    const hit = (): void => {
      struckAt = Math.min(struckAt, performance.now())
      child.kill(blow.signal)
    }
    timers.push(setTimeout(hit, blow.afterMs))
  }
  const forget = ledger.listen(life.home, strike)
  strike('spawn')
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...how) => resolve(how))
  })
  forget()
  await endLeases(life.home)
  for (const timer of timers) clearTimeout(timer)
  return { code, signal, tooLong, afterBlowMs: performance.now() - struckAt, heard: readHeard(file), stderr }
}

/** Whole lines only: the last one may have been cut by the kill, and then nobody heard it. */
function readHeard(file: string): Heard[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Heard)
}
