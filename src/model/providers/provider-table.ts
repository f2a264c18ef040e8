import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'

export interface Connection {
  /** '' where none is needed */
  readonly apiKey: string
  readonly baseURL: string
  readonly fetch: typeof fetch
}

/** Makes the models of a provider. */
export type Connect = (
  connection: Connection,
) => (modelId: string, entry: { readonly window: number }) => LanguageModelV4

export type ConnectEmbeddings = (connection: Connection) => (modelId: string) => EmbeddingModelV4

export interface Provider {
  readonly name: string
  /** the settings it is reached with */
  readonly keySetting: string | undefined
  readonly urlSetting: string
  readonly baseURL: string | undefined
  /** what must be set before it is used */
  readonly needs: 'key' | 'url' | 'nothing'
  /** the registry key used when only this provider is set up; one that needs no key is asked what it has */
  readonly standard?: string
  /** Loads its code, which nothing else does. */
  load(): Promise<{ connect: Connect; connectEmbeddings?: ConnectEmbeddings }>
}

/** Every provider Segno can reach, in the order in which one is chosen when nobody chose. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'anthropic',
    keySetting: 'ANTHROPIC_API_KEY',
    urlSetting: 'ANTHROPIC_BASE_URL',
    baseURL: 'https://api.anthropic.com/v1',
    needs: 'key',
    standard: 'claude-sonnet',
    load: () => import('./anthropic.ts'),
  },
  {
    name: 'openai',
    keySetting: 'OPENAI_API_KEY',
    urlSetting: 'OPENAI_BASE_URL',
    baseURL: 'https://api.openai.com/v1',
    needs: 'key',
    standard: 'gpt-5.4',
    load: () => import('./openai.ts'),
  },
  {
    name: 'openai-chat',
    keySetting: 'OPENAI_API_KEY',
    urlSetting: 'OPENAI_BASE_URL',
    baseURL: 'https://api.openai.com/v1',
    needs: 'key',
    load: () => import('./openai-chat.ts'),
  },
  {
    name: 'deepseek',
    keySetting: 'DEEPSEEK_API_KEY',
    urlSetting: 'DEEPSEEK_BASE_URL',
    baseURL: 'https://api.deepseek.com',
    needs: 'key',
    standard: 'deepseek-chat',
    load: () => import('./deepseek.ts'),
  },
  {
    name: 'google',
    keySetting: 'GOOGLE_GENERATIVE_AI_API_KEY',
    urlSetting: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    needs: 'key',
    standard: 'gemini-flash',
    load: () => import('./google.ts'),
  },
  {
    name: 'openai-compatible',
    keySetting: 'OPENAI_COMPATIBLE_API_KEY',
    urlSetting: 'OPENAI_COMPATIBLE_BASE_URL',
    baseURL: undefined,
    needs: 'url',
    load: () => import('./openai-compatible.ts'),
  },
  {
    name: 'ollama',
    keySetting: undefined,
    urlSetting: 'OLLAMA_BASE_URL',
    baseURL: 'http://127.0.0.1:11434',
    needs: 'nothing',
    load: () => import('./ollama.ts'),
  },
]
