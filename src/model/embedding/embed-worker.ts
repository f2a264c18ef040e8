import { parentPort } from 'node:worker_threads'
import type { Answer, Question } from './create-built-in-embedder.ts'
import { loadSentenceEncoder } from './sentence-encoder.ts'

/** Loading begins with the thread, and questions are answered one at a time. */
const encoder = loadSentenceEncoder()
let before: Promise<unknown> = encoder

parentPort?.on('message', (question: Question) => {
  before = before.then(() => answer(question))
})

async function answer({ id, text }: Question): Promise<void> {
  const vector = await (await encoder)(text)
  parentPort?.postMessage({ id, vector } satisfies Answer, [vector.buffer as ArrayBuffer])
}
