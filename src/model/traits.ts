import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ModelEntry } from './model.ts'

/** In what providers differ when they are asked. */
export interface Traits {
  /** only one system message is sure to be understood: templates of open models often know no more */
  readonly oneSystemMessage?: boolean
  /**
   * Which of its own thoughts a model gets back: those of the answer it is still working on, or all of them. They are
   * bound to the model that had them, so no other model gets them.
   */
  readonly thoughts: 'open' | 'all'
  /** kinds of files it takes; any other is only named */
  readonly takes: RegExp
  /** can a result of a call hold pictures? */
  readonly filesInResults: boolean
  /** put where a cache may end */
  readonly cacheMark?: SharedV4ProviderOptions
  options?(sessionId: string, model: Pick<ModelEntry, 'modelId' | 'effort'>): SharedV4ProviderOptions
}

const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/
const DOCUMENTS = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/
const ANYTHING = /^/
const NOTHING = /^\b$/

const TRAITS: Readonly<Record<string, Traits>> = {
  anthropic: {
    thoughts: 'open',
    takes: DOCUMENTS,
    filesInResults: true,
    cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    // These think by themselves, and unless asked to they do not show it: minutes of silence, as far as one can see.
    options: (_, { modelId, effort }) =>
      effort === undefined && /claude-[a-z]+-[5-9]/.test(modelId)
        ? { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } }
        : {},
  },
  openai: {
    thoughts: 'open',
    takes: DOCUMENTS,
    filesInResults: true,
    // Nothing of a conversation stays with the provider; thoughts come back encrypted instead.
    options: (sessionId) => ({ openai: { store: false, promptCacheKey: sessionId } }),
  },
  'openai-chat': {
    thoughts: 'open',
    takes: DOCUMENTS,
    filesInResults: false,
    options: (sessionId) => ({ openai: { promptCacheKey: sessionId } }),
  },
  deepseek: { thoughts: 'all', takes: NOTHING, filesInResults: false },
  google: { thoughts: 'open', takes: DOCUMENTS, filesInResults: true },
  'openai-compatible': { thoughts: 'open', takes: PICTURES, filesInResults: false, oneSystemMessage: true },
  scripted: { thoughts: 'open', takes: ANYTHING, filesInResults: true },
  ollama: { thoughts: 'open', takes: PICTURES, filesInResults: false, oneSystemMessage: true },
}
const UNKNOWN: Traits = { thoughts: 'open', takes: DOCUMENTS, filesInResults: true }

export function traitsOf({ provider, modelId }: { readonly provider: string; readonly modelId: string }): Traits {
  const traits = TRAITS[provider] ?? UNKNOWN
  return provider === 'deepseek' && modelId.includes('vision') ? { ...traits, takes: PICTURES } : traits
}
