import { Worker } from 'node:worker_threads'
import type { Page } from './page-text.ts'
import { workerFile } from '../../lib/worker-file.ts'

/**
 * The text of a page; undefined if it failed. Some pages keep a parser busy for hours or use up the memory, so it runs in
 * a thread that is ended after `ms` or with `signal`.
 */
export async function readPage(page: Page, ms: number, signal: AbortSignal): Promise<string | undefined> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  const worker = new Worker(workerFile('page-worker', import.meta.url), {
    workerData: page,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  })
  const onAbort = (): void => reject(signal.reason)
  const timer = setTimeout(() => resolve(undefined), ms)
  signal.addEventListener('abort', onAbort)
  worker.on('message', (text: string) => resolve(text))
  worker.on('error', () => resolve(undefined))
  worker.on('exit', () => resolve(undefined))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}
