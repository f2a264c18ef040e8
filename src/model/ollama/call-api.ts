import { APICallError } from '@ai-sdk/provider'
import { ollamaUrl } from './ollama-url.ts'

export interface OllamaConnection {
  /** such as http://127.0.0.1:11434 */
  readonly baseURL: string
  readonly fetch?: typeof fetch
}

const MESSAGE_CHARS = 500

/** Sends a request and returns a successful response; errors are like those of provider packages. */
export async function callApi(
  { baseURL, fetch: send = fetch }: OllamaConnection,
  path: string,
  body: object,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const url = ollamaUrl(baseURL, path)
  let response: Response
  try {
    response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
  } catch (cause) {
    // Only a broken connection needs a message of ours.
    if (signal?.aborted || !(cause instanceof TypeError)) throw cause
    throw failure(url, 'Ollama cannot be reached', { cause, isRetryable: true })
  }
  if (response.ok) return response
  const responseBody = await response.text().catch(() => '')
  const message = errorIn(responseBody)
  throw failure(url, `Ollama answered ${response.status}${message === '' ? '' : `: ${message}`}`, {
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
    // Ollama's errors have no codes, but this one must be recognized.
    ...(TOO_LONG.test(message) && { data: { error: { code: 'context_length_exceeded' } } }),
  })
}

const TOO_LONG = /context (?:size|length|window)/i

type Details = Pick<
  ConstructorParameters<typeof APICallError>[0],
  'cause' | 'isRetryable' | 'statusCode' | 'responseHeaders' | 'responseBody' | 'data'
>

/** Without the request body, because errors end up in many places. */
export function failure(url: string, message: string, details: Details): APICallError {
  return new APICallError({ url, message, requestBodyValues: {}, ...details })
}

function errorIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error.slice(0, MESSAGE_CHARS) : ''
  } catch {
    return ''
  }
}
