import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { createHash } from 'node:crypto'
import type { Effort } from '../../contract/model-params.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import type { CacheTtl, ModelEntry } from '../model.ts'
import { claudeOptions, claudeThinks, claudeThoughtTokens } from './claude-thinking.ts'
import { isClosedSchema } from './closed-schema.ts'

/** How providers differ in what they accept. */
export interface ProviderFeatures {
  /** templates of open models often support only one system message */
  readonly oneSystemMessage?: boolean
  /** takes a system message in the middle of a conversation; other packages throw, move it or need a beta for it */
  readonly systemAnywhere?: boolean
  /** joins the texts of a message without a space */
  readonly oneText?: boolean
  /** media types of files it accepts; any other is only named */
  readonly accepts: RegExp
  /** whether results can contain files */
  readonly filesInResults: boolean
  /** whether answers can contain files; otherwise they are only named */
  readonly filesInAnswers?: boolean
  /** the form in which it takes ids of calls; the same for the same id */
  callId?(id: string): string
  /** refuses what a user says right after results */
  readonly answersResults?: boolean
  /** takes back no thoughts at all */
  readonly refusesThoughts?: boolean
  /** refuses a call without thoughts, also one of another model */
  readonly wantsThoughts?: boolean
  /** takes back thoughts only as the list of details in which it sends them */
  readonly thoughtsInDetails?: boolean
  /** sends thoughts or sources in a form that its package leaves out */
  needsRaw?(modelId: string): boolean
  /** reports usage without being asked, and refuses to be asked */
  readonly tellsUsage?: boolean
  /** refuses to reason while a call is open that it made without reasoning */
  readonly needsOwnReasoning?: boolean
  /** reasons for long without showing it */
  thinksSilently?(modelId: string): boolean
  /**
   * Whether it thinks with this effort, where a model that thinks refuses a temperature and a forced tool choice;
   * `always`: whatever the effort
   */
  strictThinking?(modelId: string, effort: Effort | undefined): boolean | 'always'
  /** cannot be made to call a tool */
  readonly cannotForce?: boolean
  readonly mostTemperature?: number
  /** tokens it must be given for an answer */
  readonly leastOutput?: number
  /** whether a model that can be held to schemas can be held to this one, beside tools if there are any */
  takesSchema?(modelId: string, schema: JsonSchema, hasTools: boolean): boolean
  /** options beside the schema of an answer */
  readonly schemaOptions?: SharedV4ProviderOptions
  /** ends calls only together with the stream, so that what follows one tells that it is complete */
  callsEndLast?(modelId: string): boolean
  /** requires a tool definition when earlier messages have calls */
  readonly wantsTools?: boolean
  /** marks the end of what the provider is to keep; at most four are taken */
  readonly cacheMark?: SharedV4ProviderOptions
  /** The reasoning budget, if the model needs a number; packages would otherwise add it to the longest answer. */
  thoughtTokens?(modelId: string, effort: Effort, maxOutput: number): number | undefined
  options?(
    sessionId: string,
    model: Pick<ModelEntry, 'modelId' | 'effort' | 'cacheTtl'>,
    thoughtTokens: number | undefined,
  ): SharedV4ProviderOptions
}

const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/
const WITHOUT_GIF = /^(?:image\/(?:png|jpeg|webp)|application\/pdf)$/
const DOCUMENTS = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/
const ANYTHING = /^/
const NOTHING = /^\b$/

/** Gemini behind the chat format gives a signature with the end of the stream, which it wants back. */
const hasNoLateSignature = (modelId: string): boolean => !modelId.includes('gemini')

const isReasoning = (modelId: string): boolean => /^(?:o\d|gpt-[5-9])/.test(modelId)

/** Strict schemas may have no optional fields; answers are checked anyway. */
const OPENAI_SCHEMA = { openai: { strictJsonSchema: false } }

/** As the table has it: what depends on a model's entry is a function of it. */
interface Described extends Omit<ProviderFeatures, 'cacheMark'> {
  cacheMark?(ttl: CacheTtl, modelId: string): SharedV4ProviderOptions | undefined
}

const TWO_PICTURES = /^image\/(?:png|jpeg)$/

/** Nine letters and digits. */
function nineOf(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex')
  return BigInt(`0x${hash}`).toString(36).slice(0, 9)
}

const ephemeral = (ttl: CacheTtl | undefined) => ({ type: 'ephemeral', ...(ttl === '1h' && { ttl }) })

const RESPONSES: Described = {
  systemAnywhere: true,
  accepts: DOCUMENTS,
  filesInResults: true,
  // The provider stores nothing, and reasoning comes back encrypted instead; a summary of it is shown.
  options: (sessionId, { modelId, effort }) => ({
    openai: {
      store: false,
      promptCacheKey: sessionId,
      ...(isReasoning(modelId) && effort !== 'none' && { reasoningSummary: 'auto' }),
    },
  }),
  leastOutput: 16,
  schemaOptions: OPENAI_SCHEMA,
  thinksSilently: isReasoning,
  // Open models behind the same API show the text of their thoughts.
  needsRaw: (modelId) => !/^(?:o\d|gpt-\d|chatgpt)/.test(modelId),
}

const COMPATIBLE: Described = {
  accepts: PICTURES,
  filesInResults: false,
  oneSystemMessage: true,
  callsEndLast: hasNoLateSignature,
}

const FEATURES: Readonly<Record<string, Described>> = {
  anthropic: {
    accepts: DOCUMENTS,
    filesInResults: true,
    needsOwnReasoning: true,
    wantsTools: true,
    strictThinking: claudeThinks,
    mostTemperature: 1,
    takesSchema: (_, schema) => isClosedSchema(schema),
    // Otherwise the package may make a tool of the schema.
    schemaOptions: { anthropic: { structuredOutputMode: 'outputFormat' } },
    cacheMark: (ttl) => ({ anthropic: { cacheControl: ephemeral(ttl) } }),
    thoughtTokens: claudeThoughtTokens,
    options: (_, { modelId, effort }, tokens) => claudeOptions(modelId, effort, tokens),
  },
  'amazon-bedrock': {
    accepts: DOCUMENTS,
    filesInResults: true,
    needsOwnReasoning: true,
    wantsTools: true,
    // Other models refuse the mark.
    cacheMark: (ttl, modelId) =>
      /anthropic\.claude|amazon\.nova/.test(modelId)
        ? { bedrock: { cachePoint: { type: 'default', ...(ttl === '1h' && { ttl }) } } }
        : undefined,
  },
  openai: RESPONSES,
  azure: RESPONSES,
  'openai-chat': {
    systemAnywhere: true,
    accepts: DOCUMENTS,
    filesInResults: false,
    options: (sessionId) => ({ openai: { promptCacheKey: sessionId } }),
    schemaOptions: OPENAI_SCHEMA,
    callsEndLast: hasNoLateSignature,
    thinksSilently: isReasoning,
  },
  deepseek: {
    systemAnywhere: true,
    accepts: NOTHING,
    filesInResults: false,
    needsOwnReasoning: true,
    strictThinking: (_, effort) => effort !== 'none',
    takesSchema: () => false,
    oneText: true,
    callsEndLast: hasNoLateSignature,
  },
  google: {
    accepts: WITHOUT_GIF,
    filesInResults: true,
    filesInAnswers: true,
    takesSchema: (modelId, _, hasTools) => !hasTools || /gemini-[3-9]/.test(modelId),
    options: (_, { modelId }) =>
      /gemini-(?:2\.5|[3-9])/.test(modelId) ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
  },
  'openai-compatible': COMPATIBLE,
  openrouter: {
    ...COMPATIBLE,
    thoughtsInDetails: true,
    needsRaw: () => true,
    // It sets the marks itself, but only if it is asked to; models of others have none.
    options: (_, { modelId, cacheTtl }) =>
      modelId.startsWith('anthropic/') ? { openaiCompatible: { cache_control: ephemeral(cacheTtl) } } : {},
  },
  xai: { ...COMPATIBLE, accepts: TWO_PICTURES, needsRaw: () => true },
  mistral: { ...COMPATIBLE, callId: nineOf, answersResults: true, refusesThoughts: true, tellsUsage: true },
  groq: { ...COMPATIBLE, refusesThoughts: true },
  kimi: { ...COMPATIBLE, wantsThoughts: true },
  scripted: { systemAnywhere: true, accepts: ANYTHING, filesInResults: true },
  ollama: {
    accepts: PICTURES,
    filesInResults: false,
    oneSystemMessage: true,
    cannotForce: true,
    // The grammar of a schema leaves no room for calls.
    takesSchema: (_, __, hasTools) => !hasTools,
  },
}
/** What a provider of SEGNO_PROVIDERS can be said to be like. */
export const QUIRKS: readonly string[] = Object.keys(FEATURES).filter((name) => name !== 'scripted')
const UNKNOWN: Described = { accepts: DOCUMENTS, filesInResults: true }

/** Whether usage comes without being asked for. */
export const tellsUsage = (quirks: string): boolean => FEATURES[quirks]?.tellsUsage === true

const ACCEPTS = { none: NOTHING, pictures: PICTURES, documents: DOCUMENTS } as const

export function featuresOf(
  model: Pick<ModelEntry, 'provider' | 'modelId' | 'files' | 'cacheTtl' | 'quirks'>,
): ProviderFeatures {
  const { provider, cacheTtl = '5m', quirks = providerName(provider) } = model
  const { cacheMark: markFor, ...features } = FEATURES[quirks] ?? UNKNOWN
  const cacheMark = markFor?.(cacheTtl, model.modelId)
  return { ...features, accepts: acceptedBy({ ...model, quirks }, features), ...(cacheMark && { cacheMark }) }
}

function acceptedBy(
  { quirks, modelId, files }: Pick<ModelEntry, 'quirks' | 'modelId' | 'files'>,
  { accepts }: Pick<ProviderFeatures, 'accepts'>,
): RegExp {
  if (files !== undefined) return ACCEPTS[files]
  return quirks === 'deepseek' && modelId.includes('vision') ? PICTURES : accepts
}

/** A model given in code has its package's provider name, such as `openai.responses`. */
function providerName(provider: string): string {
  if (provider === 'openai.chat') return 'openai-chat'
  return provider.split('.', 1)[0] ?? provider
}
