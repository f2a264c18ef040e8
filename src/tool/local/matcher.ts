import { Worker } from 'node:worker_threads'
import { findLines, type Hit } from './find-lines.ts'
import { workerFile } from '../../lib/worker-file.ts'

/** Finds lines in a text; undefined if it was stopped. */
export interface Matcher {
  find(text: string, most: number): Promise<readonly Hit[] | undefined>
  close(): Promise<void>
}

export function literalMatcher(query: string): Matcher {
  return {
    find: (text, most) =>
      Promise.resolve(text.includes(query) ? findLines(text, (line) => line.includes(query), most) : []),
    close: () => Promise.resolve(),
  }
}

/** A model's pattern can take forever on a short text, so it runs in a thread that is ended when `signal` aborts. */
export function patternMatcher(pattern: string, signal: AbortSignal): Matcher {
  // Only checks that it is a pattern; it never runs on this thread.
  const { source } = new RegExp(pattern)
  const worker = new Worker(workerFile('match-worker', import.meta.url), {
    workerData: source,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  })
  let settle: PromiseWithResolvers<readonly Hit[] | undefined> | undefined
  let failure: Error | undefined
  worker.on('message', (hits: readonly Hit[]) => settle?.resolve(hits))
  worker.on('error', (error: unknown) => {
    failure = new Error(`The pattern could not be run: ${error instanceof Error ? error.message : String(error)}`)
    settle?.reject(failure)
  })
  const stop = (): void => {
    settle?.resolve(undefined)
    void worker.terminate()
  }
  signal.addEventListener('abort', stop, { once: true })
  return {
    find: (text, most) => {
      if (failure !== undefined) return Promise.reject(failure)
      if (signal.aborted) return Promise.resolve(undefined)
      settle = Promise.withResolvers()
      worker.postMessage({ text, most }, [])
      return settle.promise
    },
    close: async () => {
      signal.removeEventListener('abort', stop)
      await worker.terminate()
    },
  }
}
