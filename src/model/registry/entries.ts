import type { PriceStep, Prices, Rates } from '../../contract/model-facts.ts'
import { DEFAULTS, type ModelEntry } from '../model.ts'
import { traitsOf } from './traits.ts'

/** Published prices in dollars per million tokens; see LOOKED_AT for the day. */
function dollars(input: number, output: number, cachedRead?: number, cachedWrite?: number): Rates {
  const micro = (price: number): number => Math.round(price * 1_000_000)
  return {
    input: micro(input),
    output: micro(output),
    ...(cachedRead !== undefined && { cachedRead: micro(cachedRead) }),
    ...(cachedWrite !== undefined && { cachedWrite: micro(cachedWrite) }),
  }
}

const above = (tokens: number, rates: Rates): PriceStep => ({ above: tokens, ...rates })

/** OpenAI takes double for input and half as much again for output. */
function openai(input: number, output: number, cachedRead: number, cachedWrite?: number): Prices {
  const long = dollars(2 * input, 1.5 * output, 2 * cachedRead, cachedWrite === undefined ? undefined : 2 * cachedWrite)
  return { ...dollars(input, output, cachedRead, cachedWrite), steps: [above(272_000, long)] }
}

function entry(
  key: string,
  provider: string,
  modelId: string,
  window: number,
  prices: Prices,
  more: Partial<ModelEntry> = {},
): ModelEntry {
  const { maxOutput } = DEFAULTS
  return { key, provider, modelId, maxOutput, ...traitsOf(modelId), window, prices, ...more }
}

const HAIKU: Prices = { ...dollars(0.1, 0.5, 0.01, 0.125), steps: [above(100_000, dollars(0.5, 2.5, 0.05, 0.625))] }
const GEMINI_PRO: Prices = { ...dollars(2, 12, 0.2), steps: [above(200_000, dollars(4, 18, 0.4))] }
/** From December 2026 on; until then it is half of that. */
const GEMINI_4 = dollars(4, 20, 0.2)

/** Built-in models; SEGNO_MODELS adds and changes entries. */
export const ENTRIES: readonly ModelEntry[] = [
  entry('claude-fable', 'anthropic', 'claude-fable-5-1', 1_000_000, dollars(10, 50, 0.25, 12.5)),
  entry('claude-opus', 'anthropic', 'claude-opus-5-5', 1_000_000, dollars(4, 20, 0.2, 5)),
  entry('claude-sonnet', 'anthropic', 'claude-sonnet-5-5', 1_000_000, dollars(2, 10, 0.1, 2.5)),
  entry('claude-haiku', 'anthropic', 'claude-haiku-5-5', 1_000_000, HAIKU),
  entry('claude-haiku-4.5', 'anthropic', 'claude-haiku-4-5', 200_000, dollars(1, 5, 0.1, 1.25)),
  entry('gpt-6-astra', 'openai', 'gpt-6-astra', 1_050_000, openai(10, 50, 1, 12.5)),
  entry('gpt-6.1-sol', 'openai', 'gpt-6.1-sol', 1_050_000, openai(2, 10, 0.1, 2.5)),
  entry('gpt-6.1-terra', 'openai', 'gpt-6.1-terra', 1_050_000, openai(1, 5, 0.05, 1.25)),
  entry('gpt-6-luna', 'openai', 'gpt-6-luna', 1_050_000, openai(0.1, 0.5, 0.01, 0.125)),
  entry('gpt-5.4', 'openai', 'gpt-5.4', 1_050_000, openai(2.5, 15, 0.25)),
  entry('gpt-5.4-mini', 'openai', 'gpt-5.4-mini', 400_000, dollars(0.75, 4.5, 0.075)),
  entry('gpt-4.1', 'openai', 'gpt-4.1', 1_047_576, dollars(2, 8, 0.5)),
  entry('gpt-4o', 'openai', 'gpt-4o', 128_000, dollars(2.5, 10, 1.25)),
  entry('gpt-4o-mini', 'openai', 'gpt-4o-mini', 128_000, dollars(0.15, 0.6, 0.075)),
  entry('deepseek-chat', 'deepseek', 'deepseek-v4-flash', 1_000_000, dollars(0.14, 0.28, 0.0028), { effort: 'none' }),
  entry('deepseek-reasoner', 'deepseek', 'deepseek-v4-flash', 1_000_000, dollars(0.14, 0.28, 0.0028)),
  entry('deepseek-pro', 'deepseek', 'deepseek-v4-pro', 1_000_000, dollars(0.435, 0.87, 0.003625)),
  entry('gemini-4-argon', 'google', 'gemini-4-argon', 1_048_576, GEMINI_4),
  entry('gemini-4-carbon', 'google', 'gemini-4-carbon', 1_048_576, GEMINI_4),
  entry('gemini-pro', 'google', 'gemini-3.1-pro-preview', 1_048_576, GEMINI_PRO),
  entry('gemini-flash', 'google', 'gemini-3.8-flash', 1_000_000, dollars(0.75, 3.75)),
]
