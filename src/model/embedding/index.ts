export { chooseEmbedder } from './choose-embedder.ts'
export { createBuiltInEmbedder } from './create-built-in-embedder.ts'
export type { Embedder } from './embedder.ts'
export { embedderFromProvider, type ProviderEmbedding } from './embedder-from-provider.ts'
