import { connect } from 'node:net'
import { readJson } from '../../lib/read-json.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { Provider } from '../providers/provider.ts'
import { readListed, type ListedModel } from './listed-model.ts'
import { MOST_LIST_BYTES, requestModels } from './request-models.ts'

/** The models a server lists; none if it does not answer in time. */
export async function probe(
  ask: (signal: AbortSignal) => Promise<readonly ListedModel[]>,
  deadlineMs: number,
): Promise<readonly ListedModel[]> {
  try {
    return await ask(AbortSignal.timeout(deadlineMs))
  } catch {
    return []
  }
}

/** `GET <base>/models` of servers with the Chat Completions API. */
async function listCompatibleModels(provider: Provider, signal: AbortSignal): Promise<ListedModel[]> {
  const listed = await readJson(await requestModels(provider, signal), MOST_LIST_BYTES)
  const items = isObject(listed) && Array.isArray(listed['data']) ? listed['data'] : []
  // A price is believed only of who is known to tell it.
  return items.flatMap((item) => readListed(item, provider.kind === 'openrouter') ?? [])
}

async function listOllama({ baseURL = '', fetch: send }: Provider, signal: AbortSignal): Promise<ListedModel[]> {
  const { listOllamaModels } = await import('../ollama/list-models.ts')
  return (await listOllamaModels(baseURL, signal, send)).map((modelId) => ({ modelId }))
}

/** The current models of a provider that lists them. */
export async function offered(provider: Provider, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const { baseURL = '', isSet, lists } = provider
  // A server nobody configured is first tested with a plain socket, which loads no HTTP code.
  if (!isSet && !(await listens(baseURL, signal))) return []
  const all = lists === 'ollama' ? await listOllama(provider, signal) : await listCompatibleModels(provider, signal)
  // Embedding models cannot answer.
  return all.filter(({ modelId }) => !/embed|bge-|minilm/i.test(modelId))
}

const AT_ONCE = 4

/** Adds what Ollama tells of each model only when asked; what comes too late is left out. */
export async function describeListed(
  { lists, baseURL = '', fetch: send }: Provider,
  models: readonly ListedModel[],
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  if (lists !== 'ollama') return models
  const { showOllamaModel } = await import('../ollama/list-models.ts')
  const described: (ListedModel | undefined)[] = [...models]
  const waiting = models.entries()
  const describeSome = async (): Promise<void> => {
    for (const [at, model] of waiting) {
      const told = await showOllamaModel(baseURL, model.modelId, signal, send).catch(() => ({}))
      described[at] = told && { ...model, ...told }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, describeSome))
  return described.filter((model) => model !== undefined)
}

function listens(url: string, signal: AbortSignal): Promise<boolean> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), signal })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
