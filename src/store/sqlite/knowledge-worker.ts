import { parentPort, workerData } from 'node:worker_threads'
import { openIndex, type IndexOptions, type KnowledgeIndex } from './knowledge-index.ts'
import { sqliteCode } from './sqlite-problem.ts'

/** A method of the index, by its name. */
export interface IndexCall {
  readonly id: number
  readonly method: keyof KnowledgeIndex
  readonly args: readonly unknown[]
}

export type IndexAnswer =
  | { readonly id: number; readonly result: unknown }
  /** without the error's words, which may have content */
  | { readonly id: number; readonly code: number | undefined }

const index = await openIndex(workerData as IndexOptions)

parentPort?.on('message', ({ id, method, args }: IndexCall) => {
  parentPort?.postMessage(answer(id, method, args), [])
  if (method === 'close') parentPort?.close()
})

function answer(id: number, method: keyof KnowledgeIndex, args: readonly unknown[]): IndexAnswer {
  try {
    return { id, result: (index[method] as (...given: readonly unknown[]) => unknown)(...args) }
  } catch (error) {
    return { id, code: sqliteCode(error) }
  }
}
