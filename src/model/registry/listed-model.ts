import { isObject, isStringArray, type UnknownRecord } from '../../lib/type-guards.ts'
import type { Prices } from '../../contract/model-facts.ts'
import { LEAST_WINDOW } from '../model.ts'
import type { Traits } from './traits.ts'

/** A model that a server lists, with what that says about it. */
export interface ListedModel extends Traits {
  readonly modelId: string
  readonly prices?: Prices
}

const ID_CHARS = 200
/** A longer answer would have more set aside of a budget than most people want. */
const MOST_OUTPUT = 16_000

/** Reads an item of `/models`; servers with the Chat Completions API say the same in different words. */
export function readListed(item: unknown, hasPrices: boolean): ListedModel | undefined {
  if (!isObject(item)) return undefined
  const { id, top_provider: top, architecture, capabilities, supported_parameters: takes } = item
  if (typeof id !== 'string' || id === '' || id.length > ID_CHARS || /\p{Cc}/u.test(id)) return undefined
  const window = firstNumber([item, top], ['context_length', 'max_model_len', 'context_window', 'max_context_length'])
  const output = firstNumber([top, item], ['max_completion_tokens', 'max_output_tokens'])
  const prices = hasPrices ? pricesIn(item['pricing']) : undefined
  return {
    modelId: id,
    ...(window !== undefined && window >= LEAST_WINDOW && { window }),
    ...(output !== undefined && { maxOutput: Math.min(output, MOST_OUTPUT) }),
    ...(isObject(capabilities) && abilitiesIn(capabilities)),
    ...(isStringArray(takes) && parametersIn(takes)),
    ...(isObject(architecture) && filesIn(architecture['input_modalities'])),
    ...(prices && { prices }),
  }
}

function firstNumber(places: readonly unknown[], names: readonly string[]): number | undefined {
  const all = places.filter(isObject).flatMap((place) => names.map((name) => place[name]))
  return all.find((value): value is number => Number.isSafeInteger(value) && (value as number) > 0)
}

/** As Mistral tells. */
function abilitiesIn({ function_calling: tools, vision }: UnknownRecord): Traits {
  return {
    ...(typeof tools === 'boolean' && { tools }),
    ...(typeof vision === 'boolean' && { files: vision ? ('pictures' as const) : ('none' as const) }),
  }
}

/** As OpenRouter tells. */
function parametersIn(takes: readonly string[]): Traits {
  return {
    tools: takes.includes('tools'),
    reasoning: takes.includes('reasoning'),
    takesTemperature: takes.includes('temperature'),
    structuredOutput: takes.includes('structured_outputs'),
  }
}

function filesIn(modalities: unknown): Traits {
  if (!isStringArray(modalities)) return {}
  return { files: modalities.includes('image') ? 'pictures' : 'none' }
}

/** Dollars a token, as texts; a price that cannot be read is none. */
function pricesIn(pricing: unknown): Prices | undefined {
  if (!isObject(pricing)) return undefined
  const price = (name: string): number | undefined => {
    const value = Number(pricing[name] ?? Number.NaN)
    return Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1e12) : undefined
  }
  const [input, output, cachedRead, cachedWrite] = [
    'prompt',
    'completion',
    'input_cache_read',
    'input_cache_write',
  ].map(price)
  if (input === undefined || output === undefined) return undefined
  // Fees that tokens do not tell would pass a budget.
  const isMore = pricing['request'] !== undefined && price('request') !== 0
  const isDearer = pricing['internal_reasoning'] !== undefined && !((price('internal_reasoning') ?? Infinity) <= output)
  if (isMore || isDearer) return undefined
  return {
    input,
    output,
    ...(cachedRead !== undefined && { cachedRead }),
    ...(cachedWrite !== undefined && { cachedWrite }),
  }
}
