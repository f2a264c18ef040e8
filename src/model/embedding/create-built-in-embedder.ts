import { Worker } from 'node:worker_threads'
import { Problem } from '../../contract/problem.ts'
import { abortable } from '../../lib/abortable.ts'
import { badText, checkTexts, type Embedder } from './embedder.ts'
import { workerFile } from '../../lib/worker-file.ts'

const MOST_CHARS = 10_000

export interface Question {
  readonly id: number
  readonly text: string
}

/** If embedding fails, the thread ends instead. */
export interface Answer {
  readonly id: number
  readonly vector: Float32Array
}

/**
 * The embedder for English that needs no key and no network. It runs on its own thread, because embedding takes up to
 * 120 ms and loading 450 ms; the thread starts with the first text and does not keep the process alive.
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
  // Without this process's flags, because a thread does not start with some, such as --input-type.
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
