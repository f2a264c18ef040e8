import type { SegnoUnderTest } from '../../support/segno-under-test.ts'

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Record<string, unknown>
}

export const BASE = 'http://127.0.0.1:4747'

/** One request through `segno.fetch`, as a client on this machine would send it. */
export async function ask(
  it: SegnoUnderTest,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await it.segno.fetch(
    new Request(BASE + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    type,
    body: type.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : { text },
  }
}

export interface SseFrame {
  readonly id: number | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

/** The frames of a server-sent stream, to its end. */
export function framesOf(text: string): SseFrame[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      const id = fields.get('id')
      return {
        id: id === undefined ? undefined : Number(id),
        event: fields.get('event') ?? '',
        data: JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>,
      }
    })
}
