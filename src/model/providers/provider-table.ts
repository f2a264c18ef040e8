import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'

export interface Connection {
  /** empty if none is needed */
  readonly apiKey: string
  readonly baseURL: string
  readonly fetch: typeof fetch
}

type Connect = (connection: Connection) => (modelId: string, entry: { readonly window: number }) => LanguageModelV4

type ConnectEmbeddings = (connection: Connection) => (modelId: string) => EmbeddingModelV4

export interface Provider {
  readonly name: string
  readonly keySetting: string | undefined
  readonly urlSetting: string
  readonly baseURL: string | undefined
  /** what must be set before it can be used */
  readonly needs: 'key' | 'url' | 'nothing'
  /** the model to use if only this provider is set up; one without a key is asked for its models */
  readonly standard?: string
  load(): Promise<{ connect: Connect; connectEmbeddings?: ConnectEmbeddings }>
}

/** Most servers report usage only when asked. */
async function compatible() {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return ({ apiKey, baseURL, fetch }: Connection) =>
    createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      fetch,
      includeUsage: true,
      ...(apiKey !== '' && { apiKey }),
    })
}

const OPENAI = {
  keySetting: 'OPENAI_API_KEY',
  urlSetting: 'OPENAI_BASE_URL',
  baseURL: 'https://api.openai.com/v1',
  needs: 'key',
} as const

/** All providers, in the order in which the default is chosen. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'anthropic',
    keySetting: 'ANTHROPIC_API_KEY',
    urlSetting: 'ANTHROPIC_BASE_URL',
    baseURL: 'https://api.anthropic.com/v1',
    needs: 'key',
    standard: 'claude-sonnet',
    async load() {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return { connect: createAnthropic }
    },
  },
  {
    ...OPENAI,
    name: 'openai',
    standard: 'gpt-5.4',
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
    keySetting: 'DEEPSEEK_API_KEY',
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
    keySetting: 'GOOGLE_GENERATIVE_AI_API_KEY',
    urlSetting: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    needs: 'key',
    standard: 'gemini-flash',
    async load() {
      const { createGoogle } = await import('@ai-sdk/google')
      return { connect: createGoogle, connectEmbeddings: (settings) => createGoogle(settings).embeddingModel }
    },
  },
  {
    name: 'openai-compatible',
    keySetting: 'OPENAI_COMPATIBLE_API_KEY',
    urlSetting: 'OPENAI_COMPATIBLE_BASE_URL',
    baseURL: undefined,
    needs: 'url',
    async load() {
      const connect = await compatible()
      return { connect, connectEmbeddings: (settings) => connect(settings).embeddingModel }
    },
  },
  {
    name: 'ollama',
    keySetting: undefined,
    urlSetting: 'OLLAMA_BASE_URL',
    baseURL: 'http://127.0.0.1:11434',
    needs: 'nothing',
    async load() {
      const { createOllama, createOllamaEmbedding } = await import('../ollama/create-ollama.ts')
      return { connect: createOllama, connectEmbeddings: createOllamaEmbedding }
    },
  },
]
