import { Worker } from 'node:worker_threads'
import type { CheckReport } from '../upkeep.ts'
import type { CheckMessage } from './check-worker.ts'
import type { CopyOptions } from './private-copy.ts'
import { workerFile } from '../../lib/worker-file.ts'

/** Checks a copy of the database on a thread of its own. When `signal` aborts it ends soon, and rejects. */
export async function checkCopy(
  file: string,
  { signal, onProgress }: CopyOptions,
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
    // SQLite does not hear that its thread is to end. Where every page is empty it soon gives up.
    await erase()
    await worker.terminate()
  }
}
