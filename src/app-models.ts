import { roomsOf, type Config } from './config/index.ts'
import { chooseEmbedder, chooseModels, type LanguageModel, type Models, type Script } from './model/index.ts'

/** The models of this configuration. */
export function modelsOf(config: Config, given?: LanguageModel | Script): Promise<Models> {
  return chooseModels({ ...roomsOf(config).models, given })
}

export function embedderOf({ embeddings, providers, namedProviders }: Config): ReturnType<typeof chooseEmbedder> {
  return chooseEmbedder(embeddings, providers, namedProviders)
}
