import { parseObject } from '../lib/parse-object.ts'
import { isObject } from '../lib/type-guards.ts'
import { isWebAddress } from '../lib/is-web-address.ts'
import type { Settings } from './config.ts'

const KEYED = [
  'ANTHROPIC',
  'OPENAI',
  'DEEPSEEK',
  'GOOGLE_GENERATIVE_AI',
  'OPENROUTER',
  'XAI',
  'MISTRAL',
  'GROQ',
  'OPENAI_COMPATIBLE',
]

export const PROVIDER_SETTINGS = [
  ...KEYED.flatMap((name) => [`${name}_API_KEY`, `${name}_BASE_URL`]),
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OLLAMA_BASE_URL',
]

/**
 * Keys and addresses of providers, and the variables that SEGNO_PROVIDERS names. Empty ones are ignored; faults never
 * quote values, because one may contain a key by mistake.
 */
export function providerSettings(env: Settings, faults: string[]): Settings {
  const names = new Set([...PROVIDER_SETTINGS, ...variablesIn(env['SEGNO_PROVIDERS'] ?? '', faults)])
  const set = [...names].flatMap((name): [string, string][] => {
    const value = Object.hasOwn(env, name) ? env[name]?.trim() : undefined
    if (value === undefined || value === '') return []
    if (!PROVIDER_SETTINGS.includes(name)) {
      if (!/^[\x20-\x7e]+$/.test(value)) faults.push(`${name} holds a character that no header can have`)
    } else if (name.endsWith('_BASE_URL') && !isWebAddress(value))
      faults.push(
        `${name} is not an address without a name, password or query, expected one such as https://api.example.org/v1`,
      )
    else if (name.endsWith('_API_KEY') && !/^[\x21-\x7e]+$/.test(value))
      faults.push(`${name} holds a space or another character that no key has`)
    return [[name, value]]
  })
  return Object.fromEntries(set)
}

/** Variables named as `keyEnv`, or as `${NAME}` in any text; those of Segno itself are no provider's business. */
function variablesIn(text: string, faults: string[]): string[] {
  const names = [...text.matchAll(/\$\{(\w{1,100})\}/g)].map(([, name = '']) => name)
  for (const provider of Object.values(parseObject(text) ?? {}))
    if (isObject(provider) && typeof provider['keyEnv'] === 'string') names.push(provider['keyEnv'])
  const own = names.filter((name) => name.startsWith('SEGNO_'))
  for (const name of own) faults.push(`SEGNO_PROVIDERS names ${name}, which is a setting of Segno and goes nowhere`)
  return names.filter((name) => !own.includes(name))
}

/** Only the names: addresses, headers and options may contain secrets. */
export function shownProviders(text: string): string {
  return Object.keys(parseObject(text) ?? {}).join(', ') || '(set)'
}
