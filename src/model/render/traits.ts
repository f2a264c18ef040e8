import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Effort, ModelEntry } from '../model.ts'

/** In what providers differ when they are asked. */
export interface Traits {
  /** only one system message is sure to be understood: templates of open models often know no more */
  readonly oneSystemMessage?: boolean
  /**
   * Which of its own thoughts a model gets back: those of the answer it is still working on, or all of them. They are
   * bound to the model that had them, so no other model gets them.
   */
  readonly thoughts: 'open' | 'all'
  /** texts of one message are run together without even a space */
  readonly oneText?: boolean
  /** kinds of files it takes; any other is only named */
  readonly takes: RegExp
  /** can a result of a call hold pictures? */
  readonly filesInResults: boolean
  /** while a call is open that it made without a thought, or another model made, it must not be asked to think */
  readonly thinksOnlyOn?: boolean
  /** thinks without a word of it before its answer begins, and that can take its time */
  thinksUnseen?(modelId: string): boolean
  /** calls of old make no sense to it unless some tool is described */
  readonly wantsTools?: boolean
  /** put where a cache may end */
  readonly cacheMark?: SharedV4ProviderOptions
  /**
   * How much of an answer is for thinking, where a model must be told a number. Its package would add that to the
   * longest answer, which is what is paid for.
   */
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

/** Those from Claude 4.6 on decide themselves how long they think. */
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
/** Claude does not think in less, and needs as much again to answer. */
const FEWEST_THOUGHTS = 1024

function shareOf(effort: Effort, maxOutput: number): number {
  if (maxOutput < 2 * FEWEST_THOUGHTS) return 0
  return Math.max(FEWEST_THOUGHTS, Math.floor(maxOutput * SHARES[effort]))
}

const TRAITS: Readonly<Record<string, Traits>> = {
  anthropic: {
    thoughts: 'open',
    takes: DOCUMENTS,
    filesInResults: true,
    thinksOnlyOn: true,
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
    takes: DOCUMENTS,
    filesInResults: true,
    // Nothing of a conversation stays with the provider; thoughts come back encrypted instead.
    options: (sessionId) => ({ openai: { store: false, promptCacheKey: sessionId } }),
    thinksUnseen: isReasoning,
  },
  'openai-chat': {
    thoughts: 'open',
    takes: DOCUMENTS,
    filesInResults: false,
    options: (sessionId) => ({ openai: { promptCacheKey: sessionId } }),
    thinksUnseen: isReasoning,
  },
  deepseek: { thoughts: 'all', takes: NOTHING, filesInResults: false, thinksOnlyOn: true, oneText: true },
  google: {
    thoughts: 'open',
    takes: WITHOUT_GIF,
    filesInResults: true,
    options: (_, { modelId }) =>
      /gemini-(?:2\.5|[3-9])/.test(modelId) ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
  },
  'openai-compatible': { thoughts: 'open', takes: PICTURES, filesInResults: false, oneSystemMessage: true },
  scripted: { thoughts: 'open', takes: ANYTHING, filesInResults: true },
  ollama: { thoughts: 'open', takes: PICTURES, filesInResults: false, oneSystemMessage: true },
}
const UNKNOWN: Traits = { thoughts: 'open', takes: DOCUMENTS, filesInResults: true }

/**
 * Models that think by themselves do not show it unless asked to: minutes of silence, as far as one can see. Thoughts
 * of some are bound to every word before them, and a prompt that has changed since is refused, unless they may go.
 */
function thinking(modelId: string) {
  const isBound = /claude-(?:(?:sonnet|opus)-5-5|fable-5-[12])/.test(modelId)
  return {
    type: 'adaptive',
    display: 'summarized',
    ...(isBound && { blockBinding: { prefixMismatchBehavior: 'drop_block' } }),
  }
}

const TAKES = { none: NOTHING, pictures: PICTURES, documents: DOCUMENTS } as const

export function traitsOf({ provider, modelId, files }: Pick<ModelEntry, 'provider' | 'modelId' | 'files'>): Traits {
  const traits = TRAITS[providerName(provider)] ?? UNKNOWN
  if (files !== undefined) return { ...traits, takes: TAKES[files] }
  return provider === 'deepseek' && modelId.includes('vision') ? { ...traits, takes: PICTURES } : traits
}

/** A model given in code says where it comes from as its package does: `openai.responses`, `anthropic.messages`. */
function providerName(provider: string): string {
  if (provider === 'openai.chat') return 'openai-chat'
  return provider.split('.', 1)[0] ?? provider
}
