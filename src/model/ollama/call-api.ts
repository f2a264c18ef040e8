import { APICallError } from '@ai-sdk/provider'
import { ollamaUrl } from './ollama-url.ts'

export interface OllamaConnection {
  /** such as http://127.0.0.1:11434 */
  readonly baseURL: string
  readonly fetch?: typeof fetch
}

export interface Call {
  readonly path: string
  readonly body: unknown
  readonly signal: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

const MESSAGE_CHARS = 500

/** Sends a request and gives the answer of a success; anything else is thrown as providers' packages do. */
export async function callApi({ baseURL, fetch: send = fetch }: OllamaConnection, call: Call): Promise<Response> {
  const url = ollamaUrl(baseURL, call.path)
  let response: Response
  try {
    response = await send(url, {
      method: 'POST',
      headers: { ...withoutGaps(call.headers), 'content-type': 'application/json' },
      body: JSON.stringify(call.body),
      signal: call.signal ?? null,
    })
  } catch (cause) {
    // Anything but a broken connection has been made into words by whoever threw it.
    if (call.signal?.aborted || !(cause instanceof TypeError)) throw cause
    throw failure(url, 'Ollama cannot be reached', { cause, isRetryable: true })
  }
  if (response.ok) return response
  const told = await response.text().then(errorIn, () => '')
  throw failure(url, `Ollama answered ${response.status}${told === '' ? '' : `: ${told}`}`, {
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    // Its errors have no codes; this one needs to be told from other bad requests.
    ...(TOO_LONG.test(told) && { data: { error: { code: 'context_length_exceeded' } } }),
  })
}

const TOO_LONG = /context (?:size|length|window)/i

type Details = Pick<
  ConstructorParameters<typeof APICallError>[0],
  'cause' | 'isRetryable' | 'statusCode' | 'responseHeaders' | 'data'
>

/** Without what was asked: that is the conversation, and errors end up in many places. */
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

function withoutGaps(headers: Call['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined))
}
