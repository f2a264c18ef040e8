import { expect } from 'vitest'
import { problemSchema } from '../../../src/channel/http/schemas.ts'
import type { Segno } from '../../../src/segno.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Asking {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One request to its end, as a program on this machine would send it. */
export async function ask(segno: Segno, method: string, path: string, asking: Asking = {}): Promise<Answer> {
  const { key, body, headers } = asking
  const response = await segno.fetch(
    new Request(`http://127.0.0.1:4747${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The problem document an answer must be. */
export function readProblem({ status, headers, text }: Answer) {
  expect(headers.get('content-type'), text).toBe('application/problem+json')
  const document = problemSchema.strict().parse(JSON.parse(text))
  expect(document.status).toBe(status)
  expect(headers.get('x-request-id')).toBe(document.requestId)
  return document
}
