export { createOllama } from './create-ollama.ts'
export { createOllamaEmbedding } from './create-ollama-embedding.ts'
export { listOllamaModels } from './list-ollama-models.ts'
