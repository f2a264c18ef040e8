import { Worker } from 'node:worker_threads'
import type { CheckReport } from '../upkeep.ts'
import type { CheckMessage } from './check-worker.ts'
import type { ProgressOptions } from './private-copy.ts'
import { workerFile } from '../../lib/worker-file.ts'

/** Checks a copy of the database on its own thread, and rejects soon after `signal` aborts. */
export async function checkCopy(
  file: string,
  { signal, onProgress }: ProgressOptions,
  erase: () => Promise<void>,
): Promise<CheckReport> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<CheckReport>()
  const worker = new Worker(workerFile('check-worker', import.meta.url), { workerData: file, env: {}, execArgv: [] })
  const onAbort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  worker.on('message', (message: CheckMessage) => {
    if (message.kind === 'report') resolve(message.report)
    else onProgress?.(message.done, message.total)
  })
  worker.on('error', reject)
  worker.on('exit', () => reject(new Error('the thread that checks the database ended before it was done')))
  try {
    return await promise
  } finally {
    signal?.removeEventListener('abort', onAbort)
    // Terminating a worker does not interrupt SQLite, but SQLite gives up soon once the file is erased.
    await erase()
    await worker.terminate()
  }
}
