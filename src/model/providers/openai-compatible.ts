import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Connect, ConnectEmbeddings, Connection } from './provider-table.ts'

/** Chat Completions as many servers speak it. Without being asked most of them do not tell the tokens used. */
const compatible = ({ apiKey, baseURL, fetch }: Connection) =>
  createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    fetch,
    includeUsage: true,
    ...(apiKey !== '' && { apiKey }),
  })

export const connect: Connect = compatible
export const connectEmbeddings: ConnectEmbeddings = (settings) => (id) => compatible(settings).embeddingModel(id)
