import { ollamaUrl } from './ollama-url.ts'

/** What a local Ollama has. Throws when none answers; the caller bounds the wait. */
export async function listOllamaModels(
  baseURL: string,
  signal: AbortSignal,
  send: typeof fetch = fetch,
): Promise<string[]> {
  const response = await send(ollamaUrl(baseURL, '/api/tags'), { signal })
  if (!response.ok) throw new Error(`Ollama answered ${response.status}`)
  const { models } = (await response.json()) as { models?: unknown }
  if (!Array.isArray(models)) throw new Error('what answers there is not Ollama')
  return models.flatMap((model: { name?: unknown } | null) => (typeof model?.name === 'string' ? [model.name] : []))
}
