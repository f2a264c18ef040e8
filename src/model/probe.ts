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
export async function listCompatibleModels(baseURL: string, apiKey: string, signal: AbortSignal): Promise<string[]> {
  const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${baseURL.replace(/\/$/, '')}/models`, { headers, signal, redirect: 'error' })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id).filter((id) => typeof id === 'string' && id !== '')
}
