import { Worker } from 'node:worker_threads'
import { Problem } from '../../contract/problem.ts'
import type { Answer, Question } from './embed-messages.ts'
import { badText, checkTexts, type Embedder } from './embedder.ts'
import { workerFile } from '../../lib/worker-file.ts'

const MOST_CHARS = 10_000

/**
 * The embedder that needs no key and no network. It is made for English.
 *
 * It runs on a thread of its own: a sentence takes 20 ms, a text that fills the model's window 120 ms, loading 450 ms,
 * and all of it would stand still meanwhile. The thread is started by the first text and does not keep the process
 * alive.
 */
export function createBuiltInEmbedder(): Embedder {
  let thread: EmbedThread | undefined

  return {
    key: 'built-in:sentence-encoder-lite-en',
    dimensions: 512,
    async embed(texts, signal) {
      signal?.throwIfAborted()
      checkTexts(texts)
      texts.forEach((text, at) => {
        if (text.length > MOST_CHARS) throw badText(`texts[${at}]`, tooLong(text.length))
      })
      const vectors: Float32Array[] = []
      for (const text of texts) {
        if (!thread || thread.ended()) thread = startThread()
        vectors.push(await abortable(thread.ask(text), signal))
      }
      return vectors
    },
  }
}

const tooLong = (chars: number): string =>
  `has ${chars} characters, at most ${MOST_CHARS} are embedded at once; cut it into shorter texts`

type EmbedThread = ReturnType<typeof startThread>

function startThread() {
  // Without the flags of this process: a thread does not start with some, such as --input-type.
  const worker = new Worker(workerFile('embed-worker', import.meta.url), { env: {}, execArgv: [] })
  const waiting = new Map<number, PromiseWithResolvers<Float32Array>>()
  let asked = 0
  let failure: Problem | undefined
  worker.unref()
  worker.on('message', ({ id, vector }: Answer) => {
    waiting.get(id)?.resolve(vector)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  })
  function fail(cause: unknown): void {
    const why = cause instanceof Error ? cause.message : 'its thread ended'
    failure ??= new Problem('MODEL_ERROR', `The built-in embedding model could not be run: ${why}`, { cause })
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', fail)

  return {
    ended: (): boolean => failure !== undefined,
    ask(text: string): Promise<Float32Array> {
      const answer = Promise.withResolvers<Float32Array>()
      const id = ++asked
      waiting.set(id, answer)
      worker.ref()
      worker.postMessage({ id, text } satisfies Question, [])
      return answer.promise
    },
  }
}

/** An answer nobody waits for any more still comes, and is dropped. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
