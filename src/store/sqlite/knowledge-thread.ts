import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../contract/problem.ts'
import { workerFile } from '../../lib/worker-file.ts'
import type { IndexOptions, KnowledgeIndex } from './knowledge-index.ts'
import type { IndexAnswer, IndexCall } from './knowledge-worker.ts'

type Asked = keyof KnowledgeIndex
type Result<Method extends Asked> = ReturnType<KnowledgeIndex[Method]>

/** What compares vectors in SQLite; undefined where it does not run. */
export function vectorExtension(): string | undefined {
  try {
    const require = createRequire(import.meta.url)
    const { getLoadablePath } = require('sqlite-vec') as { getLoadablePath(): string }
    const extension = getLoadablePath()
    const db = new DatabaseSync(':memory:', { allowExtension: true })
    db.loadExtension(extension)
    db.close()
    return extension
  } catch {
    return undefined
  }
}

/**
 * SQLite's codes for a file that is damaged or is no database, for something that is in it twice, and for tables that
 * sqlite-vec cannot read.
 */
const SPOILED = [11, 26, 19, 1]

/**
 * The index of what is published, in a thread of its own that starts when it is first asked and again after it died.
 * The process does not wait for it to end.
 */
export function indexThread(file: () => IndexOptions) {
  let life: ReturnType<typeof start> | undefined
  let lives = 0
  let isClosed = false
  let isSpoiled = false

  function living(): ReturnType<typeof start> {
    if (isClosed) throw new Problem('SHUTTING_DOWN', 'Segno is closed; open it again to go on.')
    if (life && !life.hasEnded()) return life
    lives += 1
    const options = { ...file(), isFresh: isSpoiled }
    isSpoiled = false
    return (life = start(options, () => (isSpoiled = true)))
  }

  return {
    /** Counts its lives; what it was told in an earlier one may be lost. */
    lives: (): number => {
      living()
      return lives
    },
    hasStarted: (): boolean => lives > 0,
    ask: async <Method extends Asked>(
      method: Method,
      ...args: Parameters<KnowledgeIndex[Method]>
    ): Promise<Result<Method>> => (await living().ask(method, args)) as Result<Method>,
    async close(): Promise<void> {
      isClosed = true
      await life?.close()
    },
  }
}

function start(options: IndexOptions, onSpoiled: () => void) {
  // Without this process's flags, because a thread does not start with some.
  const worker = new Worker(workerFile('knowledge-worker', import.meta.url), {
    workerData: options,
    env: {},
    execArgv: [],
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const ended = Promise.withResolvers<void>()
  let asked = 0
  let hasEnded = false
  let isClosing = false
  worker.unref()
  worker.on('message', (answer: IndexAnswer) => {
    const asker = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0 && !isClosing) worker.unref()
    if ('result' in answer) return asker?.resolve(answer.result)
    asker?.reject(failure(answer.code))
    if (answer.code === undefined || !SPOILED.includes(answer.code)) return
    // The next life makes it anew.
    onSpoiled()
    end()
    void worker.terminate()
  })
  const end = (): void => {
    hasEnded = true
    for (const { reject } of waiting.values()) reject(failure(undefined))
    waiting.clear()
  }
  worker.on('error', end)
  worker.on('exit', () => {
    end()
    ended.resolve()
  })

  function ask(method: Asked, args: readonly unknown[]): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    const id = ++asked
    waiting.set(id, answer)
    worker.ref()
    worker.postMessage({ id, method, args } satisfies IndexCall, [])
    return answer.promise
  }

  return {
    hasEnded: (): boolean => hasEnded,
    ask,
    async close(): Promise<void> {
      // Otherwise the process may end before this does.
      isClosing = true
      worker.ref()
      if (!hasEnded) await ask('close', []).catch(() => {})
      await ended.promise
    },
  }
}

const failure = (code: number | undefined): Problem =>
  new Problem(
    'STORE_UNAVAILABLE',
    `Documents cannot be searched now: ${code === undefined ? 'the thread that does it ended' : `SQLite says ${code}`}. Try again.`,
  )
