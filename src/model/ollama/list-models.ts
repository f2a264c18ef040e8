import { readJson } from '../../lib/read-json.ts'
import { isObject, isStringArray } from '../../lib/type-guards.ts'
import { LEAST_WINDOW } from '../model.ts'
import { MOST_LIST_BYTES } from '../registry/request-models.ts'
import type { Traits } from '../registry/traits.ts'
import { ollamaUrl } from './ollama-url.ts'

/** The models of an Ollama; throws if none answers. */
export async function listOllamaModels(baseURL: string, signal: AbortSignal, send = fetch): Promise<string[]> {
  const response = await send(ollamaUrl(baseURL, '/api/tags'), { signal, redirect: 'error' })
  if (!response.ok) throw new Error(`Ollama answered ${response.status}`)
  const listed = await readJson(response, MOST_LIST_BYTES)
  if (!isObject(listed) || !Array.isArray(listed['models'])) throw new Error('what answers there is not Ollama')
  return listed['models'].flatMap((model: { name?: unknown } | null) =>
    typeof model?.name === 'string' ? [model.name] : [],
  )
}

/** What Ollama says about a model; undefined for one that cannot answer, such as one for embeddings. */
export async function showOllamaModel(
  baseURL: string,
  model: string,
  signal: AbortSignal,
  send = fetch,
): Promise<Traits | undefined> {
  const response = await send(ollamaUrl(baseURL, '/api/show'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model }),
    signal,
    redirect: 'error',
  })
  const shown = response.ok ? await readJson(response, MOST_LIST_BYTES) : {}
  if (!isObject(shown)) return {}
  const { capabilities, model_info: info } = shown
  const window = isObject(info)
    ? Object.entries(info).find(([name, value]) => name.endsWith('.context_length') && Number.isSafeInteger(value))?.[1]
    : undefined
  const told: Traits = typeof window === 'number' && window >= LEAST_WINDOW ? { window } : {}
  if (!isStringArray(capabilities)) return told
  if (!capabilities.includes('completion')) return undefined
  return {
    ...told,
    tools: capabilities.includes('tools'),
    reasoning: capabilities.includes('thinking'),
    files: capabilities.includes('vision') ? 'pictures' : 'none',
  }
}
