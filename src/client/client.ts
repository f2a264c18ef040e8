import type { Preferences } from '../contract/preferences.ts'
import type { ProviderInput, ProviderTest } from '../contract/provider.ts'
import type { ListedModel, MeView, PromptView, UsageView } from '../contract/views.ts'
import { follow, type FollowOptions } from './follow.ts'
import { createRequest, nothingIn, parseObject, pageIn, type RequestOptions, type ClientOptions } from './request.ts'
import type {
  Approval,
  Decision,
  NewMessage,
  NewSession,
  Page,
  Provider,
  Rotated,
  Round,
  RoundSummary,
  Session,
  SessionChanges,
  TraceItem,
  WireEvent,
} from './wire.ts'

export type Client = ReturnType<typeof createClient>

export interface EventQuery {
  readonly after?: number
  /** the last event to read */
  readonly upTo?: number
  readonly round?: string
  /** include tool outputs */
  readonly outputs?: boolean
  /** events per request */
  readonly limit?: number
  readonly signal?: AbortSignal
}

const encoded = encodeURIComponent
const sessionPath = (id: string): string => `/api/sessions/${encoded(id)}`
const providerPath = (name: string): string => `/api/providers/${encoded(name)}`
const roundPath = (id: string): string => `/api/rounds/${encoded(id)}`

/** The client of the HTTP API, for browsers and Node. Failures are thrown as `ApiProblem`. */
export function createClient(clientOptions: ClientOptions = {}) {
  const request = createRequest(clientOptions)

  /** A response without these fields is not from Segno. */
  async function requestJson<T extends object>(
    method: string,
    path: string,
    { fields = [], ...options }: RequestOptions & { readonly fields?: readonly (keyof T)[] } = {},
  ): Promise<T> {
    return parseObject<T>(await request(method, path, options), ...fields)
  }

  async function requestEmpty(method: string, path: string, options?: RequestOptions): Promise<void> {
    nothingIn(await request(method, path, options))
  }

  /** The first page of a list. */
  async function list<T>(path: string): Promise<readonly T[]> {
    return (await pageIn<T>(await request('GET', path))).items
  }

  /** All pages, up to `most` items. The path must contain a question mark. */
  async function listAll<T>(path: string, most = Infinity): Promise<T[]> {
    const items: T[] = []
    for (let cursor: string | null = ''; cursor !== null && items.length < most;) {
      const more = cursor === '' ? '' : `&cursor=${encoded(cursor)}`
      const limit = Math.min(200, most - items.length)
      const page: Page<T> = await pageIn(await request('GET', `${path}&limit=${limit}${more}`))
      items.push(...page.items)
      cursor = page.next ?? null
    }
    return items
  }

  async function* events(sessionId: string, query: EventQuery = {}): AsyncGenerator<WireEvent> {
    const { after = 0, upTo = Infinity, round, outputs = false, limit = 100, signal } = query
    const narrowed = `${round === undefined ? '' : `&round=${encoded(round)}`}${outputs ? '&outputs=1' : ''}`
    for (let from: number | null = after; from !== null && from < upTo;) {
      const path: string = `${sessionPath(sessionId)}/events?after=${from}&limit=${Math.min(limit, upTo - from)}${narrowed}`
      const page: Page<WireEvent, number> = await pageIn(await request('GET', path, { signal }))
      for (const event of page.items) if (event.seq <= upTo) yield event
      from = page.next
    }
  }

  const session = { fields: ['id', 'title', 'seq'] } as const

  return {
    request,
    requestJson,
    requestEmpty,
    list,
    listAll,
    events,
    follow: (sessionId: string, how?: FollowOptions) => follow(request, sessionId, how),

    me: () => requestJson<MeView>('GET', '/api/me', { fields: ['id', 'version', 'model'] }),
    models: () => list<ListedModel>('/api/models'),
    tools: () => list<{ readonly name: string; readonly effect: string }>('/api/tools'),
    preferences: () => requestJson<Preferences>('GET', '/api/preferences'),
    providers: () => list<Provider>('/api/providers'),
    /** The key is sent and never comes back. */
    setProvider: (name: string, body: ProviderInput) =>
      requestJson<Provider>('PUT', providerPath(name), { body, fields: ['name', 'kind', 'hasKey'] }),
    removeProvider: (name: string) => requestEmpty('DELETE', providerPath(name)),
    /** `model` is for servers that do not list theirs. */
    testProvider: (name: string, model?: string) =>
      requestJson<ProviderTest>('POST', `${providerPath(name)}/test`, { body: { model }, fields: ['ok', 'message'] }),
    /** Those whose key is lost; returns their names. */
    forgetLostSecrets: () =>
      requestJson<{ readonly forgotten: readonly string[] }>('POST', '/api/secrets/forget-lost', {
        fields: ['forgotten'],
      }),
    rotateSecrets: () => requestJson<Rotated>('POST', '/api/secrets/rotate', { fields: ['key', 'secrets'] }),
    usage: (sessionId: string) => list<UsageView>(`/api/usage?session=${encoded(sessionId)}`),

    session: (id: string, signal?: AbortSignal) => requestJson<Session>('GET', sessionPath(id), { ...session, signal }),
    sessions: (search: string, limit = 20) =>
      list<Session>(`/api/sessions?archived=false&limit=${limit}&search=${encoded(search)}`),
    createSession: (body: NewSession, idempotencyKey?: string) =>
      requestJson<Session>('POST', '/api/sessions', { ...session, body, idempotencyKey }),
    changeSession: (id: string, body: SessionChanges) =>
      requestJson<Session>('PATCH', sessionPath(id), { ...session, body }),
    importSession: (body: { log: string; title?: string | undefined }) =>
      requestJson<Session>('POST', '/api/import', { ...session, body }),
    forkSession: (id: string, body: { seq: number; title?: string | undefined }, idempotencyKey?: string) =>
      requestJson<Session>('POST', `${sessionPath(id)}/fork`, { ...session, body, idempotencyKey }),
    /** The model forgets what was said so far. */
    clearSession: (id: string) => requestJson<Session>('POST', `${sessionPath(id)}/clear`, session),
    /** Has what was said so far summarised, between two answers. */
    compactSession: (id: string) => request('POST', `${sessionPath(id)}/compact`),
    deleteSession: (id: string) => requestEmpty('DELETE', sessionPath(id)),
    exportSession: (id: string, as: 'markdown' | 'jsonl') => request('GET', `${sessionPath(id)}/export?as=${as}`),
    prompt: (id: string) => requestJson<PromptView>('GET', `${sessionPath(id)}/prompt`, { fields: ['layers'] }),

    /** Resolves once the message is stored. */
    send: (sessionId: string, body: NewMessage, idempotencyKey?: string) =>
      requestJson<{ readonly requestId: string }>('POST', `${sessionPath(sessionId)}/messages`, {
        fields: ['requestId'],
        body,
        idempotencyKey,
      }),
    round: (requestId: string) =>
      requestJson<Round>('GET', roundPath(requestId), { fields: ['requestId', 'state', 'usage'] }),
    /** Needs trace:read. */
    trace: (requestId: string) => list<TraceItem>(`${roundPath(requestId)}/trace`),
    cancel: (requestId: string) =>
      requestJson<Round>('POST', `${roundPath(requestId)}/cancel`, { fields: ['requestId', 'state'] }),
    resume: (requestId: string) =>
      requestJson<Round>('POST', `${roundPath(requestId)}/resume`, { fields: ['requestId', 'state'] }),
    /** A new round that goes on from one that used up its turns or calls. */
    continueRound: (requestId: string) =>
      requestJson<Round>('POST', `${roundPath(requestId)}/continue`, { fields: ['requestId', 'state'] }),
    /** Newest first. */
    rounds: (sessionId: string, limit = 20) =>
      list<RoundSummary>(`/api/rounds?session=${encoded(sessionId)}&limit=${limit}`),

    pendingApprovals: () => listAll<Approval>('/api/approvals?status=pending'),
    decide: (approvalId: string, body: Decision) =>
      requestEmpty('POST', `/api/approvals/${encoded(approvalId)}`, { body }),
    reconcile: (
      callId: string,
      body: { readonly happened: boolean; readonly note?: string | undefined; readonly sessionId?: string | undefined },
    ) => requestEmpty('POST', `/api/calls/${encoded(callId)}/reconcile`, { body }),
  }
}
