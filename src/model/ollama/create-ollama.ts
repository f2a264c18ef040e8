import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamResult } from '@ai-sdk/provider'
import { callApi, failure, type OllamaConnection } from './call-api.ts'
import { chatBody } from './chat-body.ts'
import { generate } from '../generate.ts'
import { ollamaUrl } from './ollama-url.ts'
import { partStream } from './part-stream.ts'

/**
 * Ollama by its own API: the one it shares with others cannot set the size of the context, and cuts the beginning off
 * what does not fit without a word. `window` is that size in tokens; another one makes Ollama load the model anew.
 */
export function createOllama(
  connection: OllamaConnection,
): (model: string, options: { window: number }) => LanguageModelV4 {
  const url = ollamaUrl(connection.baseURL, '/api/chat')
  // Another try may help: the runner of the model died, or the model wrote a call nobody can read.
  const failed = (message: string): Error => failure(url, message, { isRetryable: true })

  return (modelId, { window }) => {
    async function doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
      const { body, warnings } = chatBody(modelId, window, options)
      const { abortSignal: signal, headers } = options
      const response = await callApi(connection, { path: '/api/chat', body, signal, headers })
      if (!response.body) throw failed('Ollama answered without an answer')
      return { stream: partStream(response.body, warnings, failed) }
    }
    return {
      specificationVersion: 'v4',
      provider: 'ollama',
      modelId,
      supportedUrls: {},
      doStream,
      doGenerate: async (options) => generate(await doStream(options), new Error('the answer has no end')),
    }
  }
}
