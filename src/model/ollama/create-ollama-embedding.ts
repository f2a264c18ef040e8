import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { callApi, failure, type OllamaConnection } from './call-api.ts'
import { ollamaUrl } from './ollama-url.ts'

/** It takes any number; a call should still be done in a short while. */
const TEXTS_A_CALL = 64

/** The embedding models of Ollama. A text that does not fit is refused, not cut. */
export function createOllamaEmbedding(connection: OllamaConnection): (model: string) => EmbeddingModelV4 {
  return (modelId) => ({
    specificationVersion: 'v4',
    provider: 'ollama',
    modelId,
    maxEmbeddingsPerCall: TEXTS_A_CALL,
    supportsParallelCalls: false,
    async doEmbed({ values, dimensions, abortSignal: signal, headers }) {
      const body = { model: modelId, input: values, truncate: false, ...(dimensions !== undefined && { dimensions }) }
      const response = await callApi(connection, { path: '/api/embed', body, signal, headers })
      const answer = (await response.json()) as { embeddings?: unknown; prompt_eval_count?: unknown }
      if (!areVectors(answer.embeddings))
        throw failure(ollamaUrl(connection.baseURL, '/api/embed'), 'Ollama answered without vectors', {})
      const tokens = answer.prompt_eval_count
      return { embeddings: answer.embeddings, warnings: [], ...(typeof tokens === 'number' && { usage: { tokens } }) }
    },
  })
}

function areVectors(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((vector) => Array.isArray(vector) && typeof vector[0] === 'number')
}
