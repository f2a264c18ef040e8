import type { ModelEntry } from '../model.ts'

/** Chat Completions and Responses of OpenAI have the same models, and a package adds the name of its API. */
export const familyOf = (provider: string): string => {
  const [name = provider] = provider.split('.', 1)
  return name === 'openai-chat' ? 'openai' : name
}

/** The entry that describes this model of this provider, whatever its key; where several do, one that thinks as much. */
export function knownModel(
  entries: Iterable<ModelEntry>,
  { provider, modelId, effort }: Pick<ModelEntry, 'provider' | 'modelId' | 'effort'>,
): ModelEntry | undefined {
  const family = familyOf(provider)
  const same = [...entries].filter((one) => one.modelId === modelId && familyOf(one.provider) === family)
  return same.find((one) => one.effort === effort) ?? same[0]
}
