import { Problem } from '../../contract/problem.ts'
import { connections } from '../providers/connections.ts'
import type { ProviderSettings } from '../providers/provider.ts'
import { readProviders } from '../providers/read-providers.ts'
import { createBuiltInEmbedder } from './create-built-in-embedder.ts'
import type { Embedder } from './embedder.ts'
import { embedderFromProvider } from './embedder-from-provider.ts'

const BUILT_IN = 'built-in'

const WITHOUT = ['anthropic', 'deepseek', 'openai-chat']

/** Vector lengths of known models; others must be configured. */
const DIMENSIONS: Readonly<Record<string, number>> = {
  'openai:text-embedding-3-small': 1536,
  'openai:text-embedding-3-large': 3072,
  'google:gemini-embedding-001': 3072,
}

/** SEGNO_EMBEDDINGS: `built-in`, or `<provider>:<model>`, with `@<dimensions>` if they are not known. */
export function chooseEmbedder(
  name: string = BUILT_IN,
  settings: ProviderSettings = {},
  /** SEGNO_PROVIDERS */
  named?: string,
): Embedder {
  if (name === BUILT_IN) return createBuiltInEmbedder()
  const [, bare = '', provider = '', model = '', given] = /^(([^:@]+):([^@]+))(?:@(\d{1,5}))?$/.exec(name) ?? []
  const reach = connections(settings, readProviders(named, settings).providers)
  const dimensions = given === undefined ? DIMENSIONS[bare] : Number(given)
  const missing =
    bare === '' || WITHOUT.includes(provider)
      ? `expected ${BUILT_IN} or <provider>:<model> of a provider that has embeddings`
      : reach.missing(provider)
  const fault = missing ?? (dimensions ? undefined : `say how many numbers its vectors have: ${bare}@<dimensions>`)
  if (fault !== undefined)
    throw new Problem('CONFIG_ERROR', `Segno cannot start: SEGNO_EMBEDDINGS is "${name}": ${fault}.`)
  // By its key alone it can be chosen again, and vectors of other lengths are of another model.
  const key = dimensions === DIMENSIONS[bare] ? bare : `${bare}@${dimensions}`
  return {
    key,
    dimensions: dimensions ?? 0,
    async embed(texts, signal) {
      const found = await reach.embedding(provider, model)
      return embedderFromProvider(found, { key, dimensions: dimensions ?? 0 }).embed(texts, signal)
    },
  }
}
