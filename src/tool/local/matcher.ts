import { Worker } from 'node:worker_threads'
import { findLines, type Hit } from './find-lines.ts'
import { workerFile } from '../../lib/worker-file.ts'

/** Finds the lines of a text; `undefined` when it had to be stopped before it knew. */
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

/**
 * A pattern from a model can take longer on forty characters than the universe lasts, and neither its looks nor the
 * length of the text tell. So it runs on a thread of its own, which is ended when `signal` aborts.
 */
export function patternMatcher(pattern: string, signal: AbortSignal): Matcher {
  // Read here only to refuse what is no pattern; it is never run on this thread.
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
