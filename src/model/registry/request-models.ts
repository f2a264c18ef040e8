import { ollamaUrl } from '../ollama/ollama-url.ts'
import type { Provider } from '../providers/provider.ts'

/** Lists are long, but none is longer. */
export const MOST_LIST_BYTES = 8_000_000

const ANTHROPIC_VERSION = '2023-06-01'

/** Asks a provider for the list of its models; a key follows no redirect. */
export function requestModels(provider: Provider, signal: AbortSignal): Promise<Response> {
  const { baseURL = '', query, fetch: send = fetch, kind } = provider
  const url = new URL(kind === 'ollama' ? ollamaUrl(baseURL, '/api/tags') : `${baseURL}/models`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return send(url, { headers: headersOf(provider), signal, redirect: 'manual' })
}

function headersOf({ kind, apiKey, headers }: Provider): Record<string, string> {
  if (apiKey === '') return headers
  if (kind === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION, ...headers }
  if (kind === 'google') return { 'x-goog-api-key': apiKey, ...headers }
  return { authorization: `Bearer ${apiKey}`, ...headers }
}
