import type { Manner } from './chat.ts'

export const OPENAI: Manner = {
  showsReasoning: false,
  usage: 'own chunk',
  keepAlive: '',
  usageOf: ({ input, output, cachedRead, cachedWrite, reasoning }) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedRead, cache_write_tokens: cachedWrite },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }),
}

export const DEEPSEEK: Manner = {
  showsReasoning: true,
  usage: 'last chunk',
  keepAlive: ': keep-alive\n\n',
  usageOf: ({ input, output, cachedRead, reasoning }) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
    prompt_cache_hit_tokens: cachedRead,
    prompt_cache_miss_tokens: input - cachedRead,
  }),
}
