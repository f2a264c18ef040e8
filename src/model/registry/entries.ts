import { DEFAULTS, type ModelEntry, type Prices } from '../model.ts'

/** Published prices in dollars per million tokens, as of November 2026. */
function dollars(input: number, output: number, cachedRead?: number, cachedWrite?: number): Prices {
  const micro = (price: number): number => Math.round(price * 1_000_000)
  return {
    input: micro(input),
    output: micro(output),
    ...(cachedRead !== undefined && { cachedRead: micro(cachedRead) }),
    ...(cachedWrite !== undefined && { cachedWrite: micro(cachedWrite) }),
  }
}

function entry(
  key: string,
  provider: string,
  modelId: string,
  window: number,
  prices: Prices,
  more: Partial<ModelEntry> = {},
): ModelEntry {
  return { key, provider, modelId, ...DEFAULTS, window, prices, ...more }
}

/** Reasoning counts towards the answer. */
const THINKS = { maxOutput: 16_000 }

/** Built-in models; SEGNO_MODELS adds and changes entries. */
export const ENTRIES: readonly ModelEntry[] = [
  entry('claude-opus', 'anthropic', 'claude-opus-5-5', 1_000_000, dollars(4, 20, 0.4, 5), THINKS),
  entry('claude-sonnet', 'anthropic', 'claude-sonnet-5-5', 1_000_000, dollars(2, 10, 0.2, 2.5), THINKS),
  entry('claude-haiku', 'anthropic', 'claude-haiku-4-5', 200_000, dollars(1, 5, 0.1, 1.25)),
  entry('gpt-5.4', 'openai', 'gpt-5.4', 400_000, dollars(2.5, 15, 0.25), THINKS),
  entry('gpt-5.4-mini', 'openai', 'gpt-5.4-mini', 400_000, dollars(0.75, 4.5, 0.075), THINKS),
  entry('gpt-4.1', 'openai', 'gpt-4.1', 1_047_576, dollars(2, 8, 0.5)),
  entry('gpt-4o', 'openai', 'gpt-4o', 128_000, dollars(2.5, 10, 1.25)),
  entry('gpt-4o-mini', 'openai', 'gpt-4o-mini', 128_000, dollars(0.15, 0.6, 0.075)),
  entry('deepseek-chat', 'deepseek', 'deepseek-v4-flash', 1_000_000, dollars(0.14, 0.28, 0.0028), { effort: 'none' }),
  entry('deepseek-reasoner', 'deepseek', 'deepseek-v4-flash', 1_000_000, dollars(0.14, 0.28, 0.0028), THINKS),
  entry('deepseek-pro', 'deepseek', 'deepseek-v4-pro', 1_000_000, dollars(0.435, 0.87, 0.003625), THINKS),
  entry('gemini-pro', 'google', 'gemini-3.1-pro-preview', 1_048_576, dollars(2, 12, 0.2), THINKS),
  entry('gemini-flash', 'google', 'gemini-3.8-flash', 1_000_000, dollars(0.75, 3.75), THINKS),
]
