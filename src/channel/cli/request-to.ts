/** Something that is asked of a Segno. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object | undefined
  /** a key under which it happens once */
  readonly once?: string | undefined
  /** events, as they happen */
  readonly isStream?: boolean
}

export interface Sending extends Asked {
  readonly key?: string | undefined
  readonly signal?: AbortSignal
}

export function requestTo(server: string, { method, path, body, once, isStream, key, signal }: Sending): Request {
  return new Request(new URL(path, server), {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(once !== undefined && { 'idempotency-key': once }),
      ...(body && { 'content-type': 'application/json' }),
      ...(isStream && { accept: 'text/event-stream' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}
