import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { Problem } from '../../contract/problem.ts'
import { delay } from '../../lib/delay.ts'
import { describeFailure } from '../call/failure.ts'
import { loadTokenCounter, maxTokens } from '../call/tokens.ts'
import { badText, checkTexts, toLengthOne, type Embedder } from './embedder.ts'

export interface ProviderEmbedding {
  /** such as `openai:text-embedding-3-small` */
  readonly key: string
  readonly dimensions: number
  /** tokens of one text, counted with o200k, so the provider may still refuse near the limit */
  readonly textTokens?: number
  readonly callMs?: number
  readonly retries?: number
  readonly retryBaseMs?: number
}

const DEFAULTS = { textTokens: 8000, callMs: 30_000, retries: 3, retryBaseMs: 1000 }
/** Providers also limit the tokens of a request, and a token is at least a byte. */
const BYTES_A_CALL = 250_000
const LONGEST_WAIT_MS = 30_000

/** A provider's embedding model as an Embedder, with batches and retries. */
export function embedderFromProvider(model: EmbeddingModelV4, settings: ProviderEmbedding): Embedder {
  const { key, dimensions, textTokens, callMs, retries, retryBaseMs } = { ...DEFAULTS, ...settings }

  async function embedBatch(values: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted()
      const deadline = AbortSignal.timeout(callMs)
      const abortSignal = signal ? AbortSignal.any([signal, deadline]) : deadline
      try {
        const { embeddings } = await model.doEmbed({ values, abortSignal })
        return checked(embeddings, values.length)
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof Problem) throw cause
        const { reason, retryable, retryAfterMs } = describeFailure(cause)
        const why = deadline.aborted ? `it took longer than ${callMs} ms` : reason
        if (!retryable || attempt > retries)
          throw new Problem('MODEL_ERROR', `The embedding model ${key} failed: ${why}.`, { cause })
        const waitMs = retryAfterMs ?? retryBaseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
        await delay(Math.min(waitMs, LONGEST_WAIT_MS), signal)
      }
    }
  }

  function checked(embeddings: readonly (readonly number[])[], texts: number): Float32Array[] {
    if (embeddings.length !== texts) throw broken(`answered with ${embeddings.length} vectors for ${texts} texts`)
    return embeddings.map((vector) => {
      if (vector.length !== dimensions)
        throw new Problem(
          'CONFIG_ERROR',
          `The embedding model ${key} gives vectors of ${vector.length} numbers, ${dimensions} were declared: ` +
            `set its dimensions to ${vector.length}.`,
          { field: 'dimensions' },
        )
      const unit = toLengthOne(vector)
      if (!unit) throw broken('answered with a vector that has no direction')
      return unit
    })
  }

  const broken = (what: string): Problem => new Problem('MODEL_ERROR', `The embedding model ${key} ${what}.`)

  return {
    key,
    dimensions,
    async embed(texts, signal) {
      signal?.throwIfAborted()
      checkTexts(texts)
      await checkLengths(texts, textTokens)
      const most = (await model.maxEmbeddingsPerCall) ?? 1
      const vectors: Float32Array[] = []
      for (const batch of batchesOf(texts, most)) vectors.push(...(await embedBatch(batch, signal)))
      return vectors
    },
  }
}

async function checkLengths(texts: readonly string[], most: number): Promise<void> {
  for (const [at, text] of texts.entries()) {
    // Few texts need the exact count.
    if (maxTokens(text) <= most) continue
    const tokens = (await loadTokenCounter())(text)
    if (tokens > most)
      throw badText(
        `texts[${at}]`,
        `has ${tokens} tokens, at most ${most} are embedded at once; cut it into shorter texts`,
      )
  }
}

function* batchesOf(texts: readonly string[], most: number): Generator<string[]> {
  let batch: string[] = []
  let bytes = 0
  for (const text of texts) {
    const size = maxTokens(text)
    if (batch.length > 0 && (batch.length >= most || bytes + size > BYTES_A_CALL)) {
      yield batch
      batch = []
      bytes = 0
    }
    // Some providers refuse lone surrogates.
    batch.push(text.toWellFormed())
    bytes += size
  }
  if (batch.length > 0) yield batch
}
