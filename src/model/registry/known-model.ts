import type { ModelEntry } from '../model.ts'

/** OpenAI's two APIs have the same models, and packages append the API's name. */
export const familyOf = (provider: string): string => {
  const [name = provider] = provider.split('.', 1)
  return name === 'openai-chat' ? 'openai' : name
}

/** The entry for this model under any key, preferably with the same effort. */
export function knownModel(
  entries: Iterable<ModelEntry>,
  { provider, modelId, effort }: Pick<ModelEntry, 'provider' | 'modelId' | 'effort'>,
): ModelEntry | undefined {
  const family = familyOf(provider)
  const same = [...entries].filter((one) => one.modelId === modelId && familyOf(one.provider) === family)
  return same.find((one) => one.effort === effort) ?? same[0]
}
