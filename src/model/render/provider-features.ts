import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Effort, ModelEntry } from '../model.ts'

/** How providers differ in what they accept. */
export interface ProviderFeatures {
  /** templates of open models often support only one system message */
  readonly oneSystemMessage?: boolean
  /** Which reasoning a model gets back: that of the open answer, or all; never another model's. */
  readonly thoughts: 'open' | 'all'
  /** joins the texts of a message without a space */
  readonly oneText?: boolean
  /** media types of files it accepts; any other is only named */
  readonly accepts: RegExp
  /** whether results can contain files */
  readonly filesInResults: boolean
  /** refuses to reason while a call is open that it made without reasoning */
  readonly needsOwnReasoning?: boolean
  /** reasons for long without showing it */
  thinksSilently?(modelId: string): boolean
  /** requires a tool definition when earlier messages have calls */
  readonly wantsTools?: boolean
  /** marks the end of a cacheable prefix */
  readonly cacheMark?: SharedV4ProviderOptions
  /** The reasoning budget, if the model needs a number; packages would otherwise add it to the longest answer. */
  thoughtTokens?(modelId: string, effort: Effort, maxOutput: number): number | undefined
  options?(
    sessionId: string,
    model: Pick<ModelEntry, 'modelId' | 'effort'>,
    thoughtTokens: number | undefined,
  ): SharedV4ProviderOptions
}

const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/
const WITHOUT_GIF = /^(?:image\/(?:png|jpeg|webp)|application\/pdf)$/
const DOCUMENTS = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/
const ANYTHING = /^/
const NOTHING = /^\b$/

const isReasoning = (modelId: string): boolean => /^(?:o\d|gpt-[5-9])/.test(modelId)

/** From Claude 4.6 on models choose their reasoning budget themselves. */
const isAdaptive = (modelId: string): boolean =>
  modelId.includes('claude-') && !/claude-(?:instant|v?2|3|(?:sonnet|opus|haiku)-4(?!-[6-9]))/.test(modelId)

const SHARES: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0.1,
  low: 0.2,
  medium: 0.4,
  high: 0.6,
  xhigh: 0.7,
  max: 0.8,
}
/** Claude's minimum, and as much again is needed to answer. */
const FEWEST_THOUGHTS = 1024

function shareOf(effort: Effort, maxOutput: number): number {
  if (maxOutput < 2 * FEWEST_THOUGHTS) return 0
  return Math.max(FEWEST_THOUGHTS, Math.floor(maxOutput * SHARES[effort]))
}

const FEATURES: Readonly<Record<string, ProviderFeatures>> = {
  anthropic: {
    thoughts: 'open',
    accepts: DOCUMENTS,
    filesInResults: true,
    needsOwnReasoning: true,
    wantsTools: true,
    cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    thoughtTokens: (modelId, effort, maxOutput) =>
      effort === 'none' || isAdaptive(modelId) ? undefined : shareOf(effort, maxOutput),
    options: (_, { modelId, effort }, tokens) => {
      if (tokens !== undefined)
        return {
          anthropic: { thinking: tokens > 0 ? { type: 'enabled', budgetTokens: tokens } : { type: 'disabled' } },
        }
      return effort !== 'none' && /claude-[a-z]+-[5-9]/.test(modelId)
        ? { anthropic: { thinking: thinking(modelId) } }
        : {}
    },
  },
  openai: {
    thoughts: 'open',
    accepts: DOCUMENTS,
    filesInResults: true,
    // The provider stores nothing, and reasoning comes back encrypted instead.
    options: (sessionId) => ({ openai: { store: false, promptCacheKey: sessionId } }),
    thinksSilently: isReasoning,
  },
  'openai-chat': {
    thoughts: 'open',
    accepts: DOCUMENTS,
    filesInResults: false,
    options: (sessionId) => ({ openai: { promptCacheKey: sessionId } }),
    thinksSilently: isReasoning,
  },
  deepseek: { thoughts: 'all', accepts: NOTHING, filesInResults: false, needsOwnReasoning: true, oneText: true },
  google: {
    thoughts: 'open',
    accepts: WITHOUT_GIF,
    filesInResults: true,
    options: (_, { modelId }) =>
      /gemini-(?:2\.5|[3-9])/.test(modelId) ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
  },
  'openai-compatible': { thoughts: 'open', accepts: PICTURES, filesInResults: false, oneSystemMessage: true },
  scripted: { thoughts: 'open', accepts: ANYTHING, filesInResults: true },
  ollama: { thoughts: 'open', accepts: PICTURES, filesInResults: false, oneSystemMessage: true },
}
const UNKNOWN: ProviderFeatures = { thoughts: 'open', accepts: DOCUMENTS, filesInResults: true }

/**
 * Asks for summaries, because reasoning is otherwise invisible for minutes. Some models bind reasoning to the exact
 * prompt before it and must be told to drop it after a change.
 */
function thinking(modelId: string) {
  const isBound = /claude-(?:(?:sonnet|opus)-5-5|fable-5-[12])/.test(modelId)
  return {
    type: 'adaptive',
    display: 'summarized',
    ...(isBound && { blockBinding: { prefixMismatchBehavior: 'drop_block' } }),
  }
}

const ACCEPTS = { none: NOTHING, pictures: PICTURES, documents: DOCUMENTS } as const

export function featuresOf({
  provider,
  modelId,
  files,
}: Pick<ModelEntry, 'provider' | 'modelId' | 'files'>): ProviderFeatures {
  const features = FEATURES[providerName(provider)] ?? UNKNOWN
  if (files !== undefined) return { ...features, accepts: ACCEPTS[files] }
  return provider === 'deepseek' && modelId.includes('vision') ? { ...features, accepts: PICTURES } : features
}

/** A model given in code has its package's provider name, such as `openai.responses`. */
function providerName(provider: string): string {
  if (provider === 'openai.chat') return 'openai-chat'
  return provider.split('.', 1)[0] ?? provider
}
