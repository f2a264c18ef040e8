import type { Protocol } from '../../../contract/outcome.ts'
import { Problem } from '../../../contract/problem.ts'
import type { UsageView } from '../../../contract/views.ts'
import type { WireSession } from '../find-session.ts'
import type { Reached } from '../reach.ts'
import { allPages, bodyOf, itemsOf } from '../read-answer.ts'
import type { Asked } from './approval-text.ts'
import type { WireEvent } from '../wire-events.ts'

export interface Me {
  readonly version: string
  readonly model: string
  readonly modelChosenBecause: string
  readonly protocol: Protocol
}

export type Session = WireSession

export interface Model {
  readonly key: string
  readonly missing?: string
}

interface Prompt {
  readonly layers: readonly { readonly name: string; readonly text: string; readonly tokens: number }[]
  readonly messages: number
}

/** A round begins within its first events. */
const START_EVENTS = 10

export type Api = ReturnType<typeof createApi>

/** What the chat asks of Segno. */
export function createApi(reached: Reached) {
  const { ask } = reached
  const get = async <T extends object>(path: string, ...fields: (keyof T & string)[]): Promise<T> =>
    bodyOf<T>(await ask('GET', path), ...fields)
  const list = async <T>(path: string): Promise<readonly T[]> => itemsOf<T>(await ask('GET', path))
  const post = async (path: string, body?: object): Promise<void> => void (await ask('POST', path, body))
  const of = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`

  return {
    me: () => get<Me>('/api/me', 'version', 'model'),
    session: (id: string) => get<Session>(of(id), 'id', 'seq'),
    sessions: (words: string) =>
      list<Session>(`/api/sessions?archived=false&limit=20&search=${encodeURIComponent(words)}`),
    models: () => list<Model>('/api/models'),
    tools: () => list<{ name: string; effect: string }>('/api/tools'),
    usage: (id: string) => list<UsageView>(`/api/usage?session=${encodeURIComponent(id)}`),
    prompt: (id: string) => get<Prompt>(`${of(id)}/prompt`, 'layers'),
    events: (id: string, after: number) => list<WireEvent>(`${of(id)}/events?after=${after}&limit=1000`),
    /** How a round began; undefined while it waits for its turn. */
    startOf: async (id: string, requestId: string) =>
      (await list<WireEvent>(`${of(id)}/events?round=${encodeURIComponent(requestId)}&limit=${START_EVENTS}`)).find(
        ({ type }) => type === 'round.started',
      ),
    exported: async (id: string) => (await ask('GET', `${of(id)}/export?as=markdown`)).text(),
    pending: () => allPages<Asked>(reached, '/api/approvals?status=pending'),

    create: async (wanted: object) => bodyOf<Session>(await ask('POST', '/api/sessions', wanted), 'id', 'seq'),
    change: async (id: string, changes: object) => bodyOf<Session>(await ask('PATCH', of(id), changes), 'id', 'seq'),
    clear: (id: string) => post(`${of(id)}/clear`),
    fork: async (id: string, seq: number) => bodyOf<Session>(await ask('POST', `${of(id)}/fork`, { seq }), 'id', 'seq'),
    send: async (id: string, content: string, once: string) =>
      bodyOf<{ requestId: string }>(await ask('POST', `${of(id)}/messages`, { content }, once), 'requestId'),
    cancel: (requestId: string) => post(`/api/rounds/${encodeURIComponent(requestId)}/cancel`),
    resume: (requestId: string) => post(`/api/rounds/${encodeURIComponent(requestId)}/resume`),
    reconcile: (callId: string, happened: boolean, sessionId: string | undefined) =>
      post(`/api/calls/${encodeURIComponent(callId)}/reconcile`, { happened, sessionId }),
    remove: async (id: string) => void (await ask('DELETE', of(id))),
    decide: (id: string, decision: object) => post(`/api/approvals/${encodeURIComponent(id)}`, decision),
  }
}

/** The first words of a message, as the title of what begins with it. */
export function titleOf(message: string): string {
  const line = message.trim().replaceAll(/\s+/g, ' ')
  if (line.length <= 60) return line
  const start = Array.from(line.slice(0, 120)).slice(0, 59).join('')
  return `${start.replace(/ \S*$/, '')}…`
}

/** No other try would help: the message itself is not taken. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'VALIDATION_ERROR' || error.code === 'TOO_LARGE')
