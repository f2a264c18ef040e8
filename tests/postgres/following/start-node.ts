import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../support/compiled.ts'
import type { Script } from '../../../src/model/index.ts'

const MAIN = fileURLToPath(new URL('node-main.ts', import.meta.url))

export interface NodePlan {
  readonly database: string
  readonly port: number
  readonly home: string
  /** all times of the cluster are divided by it */
  readonly faster: number
  readonly maxRounds: number
  /** default: that of `plan-streams.ts` */
  readonly script?: Script
}

export interface FollowingNode {
  readonly url: string
  readonly plan: NodePlan
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<void>
  err(): string
}

/** Resolves when the node can be asked. */
export async function startNode(plan: NodePlan): Promise<FollowingNode> {
  const child = spawn(process.execPath, ['--conditions=segno-source', MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ...COMPILED,
      FOLLOWING_NODE: JSON.stringify(plan),
    },
  })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (err = (err + piece).slice(-20_000)))
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', () => resolve())
    void exited.then(() => reject(new Error(`a node does not start: ${err}`)))
  })
  const url = `http://127.0.0.1:${plan.port}`
  return { url, plan, exited, signal: (signal) => void child.kill(signal), err: () => err }
}
