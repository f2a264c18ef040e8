import { Problem, type ProblemCode } from '../contract/problem.ts'
import { withoutSlashes } from '../lib/without-slashes.ts'
import { ApiProblem, unreachable, notSegno } from './problem.ts'
import type { Page } from './wire.ts'

export interface ClientOptions {
  /** such as http://127.0.0.1:4747; default: the server of the page */
  readonly baseUrl?: string
  readonly key?: string | (() => string) | undefined
  /** instead of the global one */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface RequestOptions {
  readonly body?: object
  /** instead of `body`: fields and files */
  readonly form?: FormData
  /** repeated requests with this key happen once */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export type Request = (method: string, path: string, options?: RequestOptions) => Promise<Response>

export function createRequest({ baseUrl = '', key, fetch: given }: ClientOptions): Request {
  const base = withoutSlashes(baseUrl)
  return async (method, path, { body, form, idempotencyKey, signal, headers } = {}) => {
    const secret = typeof key === 'function' ? key() : key
    const init: RequestInit = {
      method,
      headers: {
        ...headers,
        ...(secret && { authorization: `Bearer ${secret}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(form && { body: form }),
      ...(signal && { signal }),
    }
    const response = await (given ?? fetch)(base + path, init).catch((cause: unknown) => {
      throw signal?.aborted || cause instanceof Problem ? cause : unreachable('Segno cannot be reached.', cause)
    })
    if (response.ok) return response
    throw await problemIn(response)
  }
}

async function problemIn(response: Response): Promise<ApiProblem> {
  const { code, detail, errors } = await parseObject<{
    code: ProblemCode
    detail: string
    errors?: ApiProblem['errors']
  }>(response)
  if (typeof code !== 'string' || typeof detail !== 'string') return notSegno(response)
  const seconds = Number(response.headers.get('retry-after'))
  const known = Array.isArray(errors) ? errors : []
  const more = seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}
  return new ApiProblem(response.status, code, detail, { errors: known, ...more })
}

/** Throws if one of these fields is missing. */
export async function parseObject<T extends object>(response: Response, ...fields: (keyof T)[]): Promise<T> {
  const body = (await response.json().catch((cause: unknown) => {
    throw cause instanceof SyntaxError
      ? notSegno(response)
      : unreachable('The answer broke off. Is Segno still running?', cause)
  })) as T | null
  if (typeof body !== 'object' || body === null || fields.some((name) => body[name] === undefined))
    throw notSegno(response)
  return body
}

export async function pageIn<T, Next = string>(response: Response): Promise<Page<T, Next>> {
  const page = await parseObject<Page<T, Next>>(response, 'items')
  if (!Array.isArray(page.items)) throw notSegno(response)
  return page
}

/** The response must be empty. */
export function nothingIn(response: Response): void {
  if (response.headers.has('content-type')) throw notSegno(response)
}
