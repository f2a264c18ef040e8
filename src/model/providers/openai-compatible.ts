import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Connect } from '../provider-table.ts'

/** Chat Completions as many servers speak it. Without being asked most of them do not tell the tokens used. */
export const connect: Connect = ({ apiKey, baseURL, fetch }) =>
  createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    fetch,
    includeUsage: true,
    ...(apiKey !== '' && { apiKey }),
  })
