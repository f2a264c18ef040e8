import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../support/compiled.ts'
import type { NodePlan } from './node-plan.ts'

const MAIN = fileURLToPath(new URL('node-main.ts', import.meta.url))
const START_MS = 60_000

/** A node in a process of its own. */
export interface NodeProcess {
  readonly pid: number
  readonly ready: Promise<void>
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  readonly isGone: boolean
  err(): string
  signal(signal: NodeJS.Signals): void
}

/** `deeds`: the file to which it appends what it does. */
export function startNode(plan: NodePlan, deeds: string, prefix: readonly string[] = []): NodeProcess {
  const file = openSync(deeds, 'a')
  const [program, ...args] = [...prefix, process.execPath, '--conditions=segno-source', MAIN]
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', file],
    env: {
      PATH: process.env['PATH'],
      ...COMPILED,
      CLUSTER_NODE: JSON.stringify(plan),
    },
  })
  closeSync(file)
  let out = ''
  let err = ''
  let isGone = false
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (err = (err + piece).slice(-20_000)))
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => {
      isGone = true
      resolve({ code, signal })
    })
  })
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`node ${plan.name} does not start: ${err}`)), START_MS)
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      out += piece
      if (!out.includes('ready')) return
      clearTimeout(late)
      resolve()
    })
    void exited.then(({ code, signal }) => {
      clearTimeout(late)
      reject(new Error(`node ${plan.name} ended with ${signal ?? code}: ${err}`))
    })
  })
  ready.catch(() => {})
  return {
    pid: child.pid ?? 0,
    ready,
    exited,
    get isGone() {
      return isGone
    },
    err: () => err,
    signal: (signal) => void child.kill(signal),
  }
}
