import { createOllama, createOllamaEmbedding } from '../ollama/index.ts'
import type { Connect, ConnectEmbeddings } from './provider-table.ts'

export const connect: Connect = ({ baseURL, fetch }) => {
  const ollama = createOllama({ baseURL, fetch })
  return (modelId, { window }) => ollama(modelId, { window })
}
export const connectEmbeddings: ConnectEmbeddings = ({ baseURL, fetch }) => createOllamaEmbedding({ baseURL, fetch })
