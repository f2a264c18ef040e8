export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Of all that answers say, what tests look at. */
export interface Body {
  readonly id?: string
  readonly requestId?: string
  readonly sessionId?: string
  readonly state?: string
  readonly content?: string
  readonly finishReason?: string | null
  readonly waitingFor?: string
  readonly code?: string
  readonly detail?: string
  readonly reason?: string
  readonly items?: readonly Item[]
  readonly [more: string]: unknown
}

/** An event, an approval or a session in a list. */
export interface Item {
  readonly id: string
  readonly seq: number
  readonly type: string
  readonly requestId: string | null
  readonly sessionId: string
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** One request over the wire. A body that is a text is sent as it is. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as Body) : { text } }
}

export async function newSession(url: string): Promise<string> {
  return (await ask(url, 'POST', '/api/sessions', {})).body.id ?? ''
}

/** The log of a session, as anybody can read it. */
export async function logOf(url: string, sessionId: string, more = ''): Promise<readonly Item[]> {
  return (await ask(url, 'GET', `/api/sessions/${sessionId}/events?limit=1000${more}`)).body.items ?? []
}
