import { ApiProblem } from './problem.ts'
import { keyState } from './key.ts'

export interface AskOptions {
  readonly signal?: AbortSignal
  /** makes a request that is repeated happen once */
  readonly once?: string
}

/** Asks the server that served this page. What it refuses is thrown as an `ApiProblem`. */
export async function ask<T>(method: string, path: string, body?: object, options: AskOptions = {}): Promise<T> {
  const response = await request(method, path, body, options)
  if (response.status === 204 || response.headers.get('content-type') === null) return undefined as T
  return (await response.json().catch(() => {
    throw new ApiProblem(0, 'CUT', 'The connection to Segno broke.')
  })) as T
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  ask<T>('GET', path, undefined, signal ? { signal } : {})

/** A response to read as it comes: a stream, a file. */
export async function request(
  method: string,
  path: string,
  body?: object,
  { signal, once, accept }: AskOptions & { readonly accept?: string } = {},
): Promise<Response> {
  const { key } = keyState.get()
  const response = await fetch(path, {
    method,
    headers: {
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(once !== undefined && { 'idempotency-key': once }),
      ...(accept !== undefined && { accept }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiProblem(0, 'OFFLINE', 'Segno cannot be reached. What you see is what was stored when it last could.')
  })
  if (response.ok) return response
  throw await problemOf(response)
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const told = (await response.json().catch(() => ({}))) as { code?: string; detail?: string }
  const code = told.code ?? 'UNREADABLE'
  if (code === 'KEY_REQUIRED' || code === 'KEY_INVALID') keyState.set({ ...keyState.get(), wanted: code })
  const seconds = Number(response.headers.get('retry-after'))
  return new ApiProblem(
    response.status,
    code,
    told.detail ?? `What answered is not Segno (status ${response.status}).`,
    seconds > 0 ? seconds * 1000 : undefined,
  )
}
