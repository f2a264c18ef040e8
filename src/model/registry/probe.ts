import { connect } from 'node:net'
import type { Connections } from '../providers/connections.ts'
import type { Provider } from '../providers/provider-table.ts'

/** The models a server says it has, asked once and quickly; none if it does not answer. */
export async function probe(
  ask: (signal: AbortSignal) => Promise<readonly string[]>,
  deadlineMs: number,
): Promise<readonly string[]> {
  try {
    return await ask(AbortSignal.timeout(deadlineMs))
  } catch {
    return []
  }
}

/** `GET <base>/models`, as servers that speak Chat Completions have it. */
async function listCompatibleModels(baseURL: string, apiKey: string, signal: AbortSignal): Promise<string[]> {
  const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${baseURL.replace(/\/$/, '')}/models`, { headers, signal, redirect: 'error' })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id).filter((id) => typeof id === 'string' && id !== '')
}

/** The models a provider that needs no key has now. */
export async function offered(provider: Provider, reach: Connections, signal: AbortSignal): Promise<readonly string[]> {
  const url = reach.baseURL(provider) ?? ''
  // Nobody said that it is there: to find nothing, nothing that speaks HTTP has to be loaded.
  if (!reach.isSet(provider) && !(await listens(url, signal))) return []
  const all =
    provider.name === 'ollama'
      ? await (await import('../ollama/index.ts')).listOllamaModels(url, signal)
      : await listCompatibleModels(url, reach.apiKey(provider), signal)
  // Those that only make vectors cannot answer.
  return all.filter((name) => !/embed|bge-|minilm/i.test(name))
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
