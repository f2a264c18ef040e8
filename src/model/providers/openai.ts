import { createOpenAI } from '@ai-sdk/openai'
import type { Connect, ConnectEmbeddings } from './provider-table.ts'

/** The Responses API. */
export const connect: Connect = (settings) => createOpenAI(settings).responses

export const connectEmbeddings: ConnectEmbeddings = (settings) => (id) => createOpenAI(settings).embeddingModel(id)
