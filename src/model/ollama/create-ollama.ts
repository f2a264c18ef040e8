import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { STREAMS_ONLY } from '../model.ts'
import { callApi, failure, type OllamaConnection } from './call-api.ts'
import { ollamaUrl } from './ollama-url.ts'
import { chatBody } from './chat-body.ts'
import { partStream } from './part-stream.ts'

/**
 * Ollama by its native API, because the compatible one cannot set the context size and silently cuts long prompts.
 * `window` is that size in tokens; changing it makes Ollama reload the model.
 */
export function createOllama(
  connection: OllamaConnection,
): (model: string, options: { window: number }) => LanguageModelV4 {
  const url = ollamaUrl(connection.baseURL, '/api/chat')
  // Retryable, because the runner may have died or the model may have written an unreadable call.
  const failed = (message: string): Error => failure(url, message, { isRetryable: true })

  return (modelId, { window }) => ({
    ...STREAMS_ONLY,
    provider: 'ollama',
    modelId,
    async doStream(options) {
      const response = await callApi(connection, '/api/chat', chatBody(modelId, window, options), options.abortSignal)
      if (!response.body) throw failed('Ollama answered without an answer')
      return { stream: partStream(response.body, failed) }
    },
  })
}

/** Ollama has no limit, but a call should not take long. */
const TEXTS_A_CALL = 64

/** Ollama's embedding models; a text that does not fit is refused, not cut. */
export function createOllamaEmbedding(connection: OllamaConnection): (model: string) => EmbeddingModelV4 {
  return (modelId) => ({
    specificationVersion: 'v4',
    provider: 'ollama',
    modelId,
    maxEmbeddingsPerCall: TEXTS_A_CALL,
    supportsParallelCalls: false,
    async doEmbed({ values, abortSignal }) {
      const body = { model: modelId, input: values, truncate: false }
      const response = await callApi(connection, '/api/embed', body, abortSignal)
      const { embeddings } = (await response.json()) as { embeddings?: unknown }
      if (areVectors(embeddings)) return { embeddings, warnings: [] }
      throw failure(ollamaUrl(connection.baseURL, '/api/embed'), 'Ollama answered without vectors', {})
    },
  })
}

function areVectors(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((vector) => Array.isArray(vector) && typeof vector[0] === 'number')
}
