import { createGoogle } from '@ai-sdk/google'
import type { Connect, ConnectEmbeddings } from './provider-table.ts'

export const connect: Connect = (settings) => createGoogle(settings)

export const connectEmbeddings: ConnectEmbeddings = (settings) => (id) => createGoogle(settings).embeddingModel(id)
