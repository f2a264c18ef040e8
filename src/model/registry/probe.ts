import { connect } from 'node:net'
import type { Connections } from '../providers/connections.ts'
import type { Provider } from '../providers/provider-table.ts'

/** The models a server lists; none if it does not answer in time. */
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

/** `GET <base>/models` of servers with the Chat Completions API. */
async function listCompatibleModels(baseURL: string, apiKey: string, signal: AbortSignal): Promise<string[]> {
  const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${baseURL.replace(/\/$/, '')}/models`, { headers, signal, redirect: 'error' })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id).filter((id) => typeof id === 'string' && id !== '')
}

/** The current models of a provider without a key. */
export async function offered(provider: Provider, reach: Connections, signal: AbortSignal): Promise<readonly string[]> {
  const url = reach.baseURL(provider) ?? ''
  // A server nobody configured is first tested with a plain socket, which loads no HTTP code.
  if (!reach.isSet(provider) && !(await listens(url, signal))) return []
  const all =
    provider.name === 'ollama'
      ? await (await import('../ollama/create-ollama.ts')).listOllamaModels(url, signal)
      : await listCompatibleModels(url, reach.apiKey(provider), signal)
  // Embedding models cannot answer.
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
