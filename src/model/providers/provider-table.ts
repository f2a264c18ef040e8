import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelEntry } from '../model.ts'
import { tellsUsage } from '../render/provider-features.ts'

export interface Connection {
  /** empty if none is needed */
  readonly apiKey: string
  readonly baseURL: string
  readonly headers?: Readonly<Record<string, string>>
  /** sent with every request; only compatible servers want any */
  readonly queryParams?: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  /** whose peculiarities its models have */
  readonly quirks?: string
}

/** What of an entry a model is made with. */
export type MadeWith = Pick<ModelEntry, 'window' | 'outputField'>

type MakeModel = (modelId: string, entry: MadeWith) => LanguageModelV4

type Connect = (connection: Connection) => MakeModel

type ConnectEmbeddings = (connection: Connection) => (modelId: string) => EmbeddingModelV4

export interface Loaded {
  readonly connect: Connect
  readonly connectEmbeddings?: ConnectEmbeddings
}

/** A provider that Segno knows by itself. */
export interface KnownProvider {
  readonly name: string
  /** any of them will do; people are told the first */
  readonly keySettings: readonly string[]
  readonly urlSetting: string
  readonly baseURL: string | undefined
  /** what must be set before it can be used */
  readonly needs: 'key' | 'url' | 'nothing'
  /** the model to use if only this provider is set up; one without it is asked for its models */
  readonly standard?: string
  /** how its models are listed without a model call */
  readonly lists?: 'ollama' | 'compatible'
  /** The address for packages, where people write it in several ways. */
  address?(url: string): string
  load(): Promise<Loaded>
}

/** Servers with the API of Chat Completions; most report usage only when asked, and some refuse to be. */
async function loadCompatible(): Promise<Loaded> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const create = (
    { apiKey, quirks = '', ...connection }: Connection,
    { outputField = 'max_tokens' }: Partial<MadeWith> = {},
  ) =>
    createOpenAICompatible({
      name: 'openai-compatible',
      includeUsage: !tellsUsage(quirks),
      // Whether a model is given schemas is said in its entry.
      supportsStructuredOutputs: true,
      ...connection,
      ...(apiKey !== '' && { apiKey }),
      transformRequestBody: ({ max_tokens: most, ...body }) => ({ ...body, [outputField]: most as number }),
    })
  return {
    connect: (connection) => (modelId, entry) => create(connection, entry)(modelId),
    connectEmbeddings: (connection) => create(connection).embeddingModel,
  }
}

/** A compatible service with a key of its own. */
function service(name: string, setting: string, baseURL: string, standard: string): KnownProvider {
  return {
    name,
    keySettings: [`${setting}_API_KEY`],
    urlSetting: `${setting}_BASE_URL`,
    baseURL,
    needs: 'key',
    standard: `${name}:${standard}`,
    lists: 'compatible',
    load: loadCompatible,
  }
}

/** Anthropic's own tools want the address without its version, packages with it. */
const withVersion = (url: string): string => (/\/v\d$/.test(url) ? url : `${url}/v1`)

const OPENAI = {
  keySettings: ['OPENAI_API_KEY'],
  urlSetting: 'OPENAI_BASE_URL',
  baseURL: 'https://api.openai.com/v1',
  needs: 'key',
} as const

/** All known providers, in the order in which the default is chosen. */
export const PROVIDERS: readonly KnownProvider[] = [
  {
    name: 'anthropic',
    keySettings: ['ANTHROPIC_API_KEY'],
    urlSetting: 'ANTHROPIC_BASE_URL',
    baseURL: 'https://api.anthropic.com/v1',
    needs: 'key',
    standard: 'claude-sonnet',
    address: withVersion,
    async load() {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return { connect: createAnthropic }
    },
  },
  {
    ...OPENAI,
    name: 'openai',
    standard: 'gpt-6.1-sol',
    /** The Responses API. */
    async load() {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return {
        connect: (settings) => createOpenAI(settings).responses,
        connectEmbeddings: (settings) => createOpenAI(settings).embeddingModel,
      }
    },
  },
  {
    ...OPENAI,
    name: 'openai-chat',
    /** The older Chat Completions API, with the same key. */
    async load() {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return { connect: (settings) => createOpenAI(settings).chat }
    },
  },
  {
    name: 'deepseek',
    keySettings: ['DEEPSEEK_API_KEY'],
    urlSetting: 'DEEPSEEK_BASE_URL',
    baseURL: 'https://api.deepseek.com',
    needs: 'key',
    standard: 'deepseek-chat',
    async load() {
      const { createDeepSeek } = await import('@ai-sdk/deepseek')
      return { connect: createDeepSeek }
    },
  },
  {
    name: 'google',
    keySettings: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    urlSetting: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    needs: 'key',
    standard: 'gemini-flash',
    async load() {
      const { createGoogle } = await import('@ai-sdk/google')
      return { connect: createGoogle, connectEmbeddings: (settings) => createGoogle(settings).embeddingModel }
    },
  },
  service('openrouter', 'OPENROUTER', 'https://openrouter.ai/api/v1', 'openrouter/auto'),
  service('xai', 'XAI', 'https://api.x.ai/v1', 'grok-4.7'),
  service('mistral', 'MISTRAL', 'https://api.mistral.ai/v1', 'mistral-large-latest'),
  service('groq', 'GROQ', 'https://api.groq.com/openai/v1', 'openai/gpt-oss-120b'),
  {
    name: 'openai-compatible',
    keySettings: ['OPENAI_COMPATIBLE_API_KEY'],
    urlSetting: 'OPENAI_COMPATIBLE_BASE_URL',
    baseURL: undefined,
    needs: 'url',
    lists: 'compatible',
    load: loadCompatible,
  },
  {
    name: 'ollama',
    keySettings: [],
    urlSetting: 'OLLAMA_BASE_URL',
    baseURL: 'http://127.0.0.1:11434',
    needs: 'nothing',
    lists: 'ollama',
    async load() {
      const { createOllama, createOllamaEmbedding } = await import('../ollama/create-ollama.ts')
      return { connect: createOllama, connectEmbeddings: createOllamaEmbedding }
    },
  },
]
