import { keyOf } from '../lib/key-of.ts'
import { takingTurns } from '../lib/taking-turns.ts'

/** What turns texts into vectors of length 1; only vectors with the same key are comparable. */
export interface Embedding {
  readonly key: string
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

export interface QuestionVector {
  readonly model: string
  readonly values: Float32Array
}

/** What a very long message is about is usually said before that. */
export const QUESTION_CHARS = 4000
/** More would only keep each other waiting. */
const AT_ONCE = 4

/**
 * Embeds questions; tenants take turns. Who asks the same at once shares the answer, and who leaves does not end it for
 * others. `turnMs`: how long a question waits for its turn; whoever asks has given up by then.
 */
export function createAsking(turnMs: number) {
  const inTurn = takingTurns(AT_ONCE)
  const going = new Map<string, Promise<QuestionVector>>()

  /** Undefined if its turn does not come soon or it fails. */
  return async (
    { key: model, embed }: Embedding,
    text: string,
    tenant: string,
  ): Promise<QuestionVector | undefined> => {
    if (text.trim() === '') return undefined
    const question = text.slice(0, QUESTION_CHARS)
    const name = keyOf(tenant, model, question)
    let asked = going.get(name)
    if (!asked) {
      asked = inTurn(tenant, AbortSignal.timeout(turnMs), () => embed([question])).then(([values]) => {
        if (!values) throw new Error('no vector')
        return { model, values }
      })
      going.set(name, asked)
      asked.finally(() => going.delete(name)).catch(() => {})
    }
    return asked.catch(() => undefined)
  }
}
