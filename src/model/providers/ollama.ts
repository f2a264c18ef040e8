import { createOllama } from '../ollama/index.ts'
import type { Connect } from '../provider-table.ts'

export const connect: Connect = ({ baseURL, fetch }) => {
  const ollama = createOllama({ baseURL, fetch })
  return (modelId, { window }) => ollama(modelId, { window })
}
