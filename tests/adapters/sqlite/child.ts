import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface Child {
  readonly pid: number
  /** The lines it prints, until it ends. */
  readonly lines: AsyncIterableIterator<string>
  /** Ends it as a power switch would; resolves when it is gone. */
  kill(): Promise<void>
}

/** Runs one of the scripts of this folder in a Node of its own. */
export function startChild(script: URL, ...args: string[]): Child {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = (): Promise<void> => {
    child.kill('SIGKILL')
    return gone
  }
  onTestFinished(kill)
  if (!child.stdout || child.pid === undefined) throw new Error('the child has no output')
  return { pid: child.pid, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), kill }
}

/** The next line of a child, which must be JSON. */
export async function nextLine<T>(child: Child): Promise<T> {
  const next = await child.lines.next()
  if (next.done === true) throw new Error('the child ended without a word')
  return JSON.parse(next.value) as T
}
