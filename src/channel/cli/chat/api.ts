import type { Usage } from '../../../contract/message.ts'
import type { Protocol } from '../../../contract/outcome.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Reached } from '../reach.ts'
import type { Asked } from './approval-text.ts'
import type { WireEvent } from './frames.ts'

export interface Me {
  readonly version: string
  readonly model: string
  readonly modelChosenBecause: string
  readonly protocol: Protocol
}

export interface Session {
  readonly id: string
  readonly title: string
  readonly model?: string
  readonly protocol?: Protocol
  readonly seq: number
  readonly archived: boolean
  readonly usedAt: string
  readonly open?: { readonly requestId: string; readonly state: string }
}

export interface Model {
  readonly key: string
  readonly missing?: string
}

export interface UsageOfModel {
  readonly model: string
  readonly rounds: number
  readonly usage: Usage
  readonly cost: number
}

interface Prompt {
  readonly layers: readonly { readonly name: string; readonly text: string; readonly tokens: number }[]
  readonly messages: number
}

interface Page<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/** A round begins within its first events. */
const START_EVENTS = 10

export type Api = ReturnType<typeof createApi>

/** What the chat asks of Segno. */
export function createApi({ ask }: Reached) {
  const get = async <T>(path: string): Promise<T> => (await (await ask('GET', path)).json()) as T
  const of = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`

  async function pending(): Promise<Asked[]> {
    const found: Asked[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: Page<Asked> = await get(`/api/approvals?status=pending&limit=200${more}`)
      found.push(...page.items)
      cursor = page.next
    }
    return found
  }

  return {
    me: () => get<Me>('/api/me'),
    session: (id: string) => get<Session>(of(id)),
    sessions: async (words: string) =>
      (await get<Page<Session>>(`/api/sessions?archived=false&limit=20&search=${encodeURIComponent(words)}`)).items,
    models: async () => (await get<Page<Model>>('/api/models')).items,
    tools: async () => (await get<Page<{ name: string; effect: string }>>('/api/tools')).items,
    usage: async (id: string) => (await get<Page<UsageOfModel>>(`/api/usage?session=${encodeURIComponent(id)}`)).items,
    prompt: (id: string) => get<Prompt>(`${of(id)}/prompt`),
    events: async (id: string, after: number) =>
      (await get<Page<WireEvent>>(`${of(id)}/events?after=${after}&limit=1000`)).items,
    /** How a round began; undefined while it waits for its turn. */
    startOf: async (id: string, requestId: string) =>
      (
        await get<Page<WireEvent>>(`${of(id)}/events?round=${encodeURIComponent(requestId)}&limit=${START_EVENTS}`)
      ).items.find(({ type }) => type === 'round.started'),
    exported: async (id: string) => (await ask('GET', `${of(id)}/export?as=markdown`)).text(),
    pending,

    create: async (wanted: object) => (await (await ask('POST', '/api/sessions', wanted)).json()) as Session,
    change: async (id: string, changes: object) => (await (await ask('PATCH', of(id), changes)).json()) as Session,
    clear: async (id: string) => void (await ask('POST', `${of(id)}/clear`)),
    fork: async (id: string, seq: number) => (await (await ask('POST', `${of(id)}/fork`, { seq })).json()) as Session,
    send: async (id: string, content: string, once: string) =>
      (await (await ask('POST', `${of(id)}/messages`, { content }, once)).json()) as { requestId: string },
    cancel: async (requestId: string) =>
      void (await ask('POST', `/api/rounds/${encodeURIComponent(requestId)}/cancel`)),
    resume: async (requestId: string) =>
      void (await ask('POST', `/api/rounds/${encodeURIComponent(requestId)}/resume`)),
    reconcile: async (callId: string, happened: boolean) =>
      void (await ask('POST', `/api/calls/${encodeURIComponent(callId)}/reconcile`, { happened })),
    remove: async (id: string) => void (await ask('DELETE', of(id))),
    decide: async (id: string, decision: object) =>
      void (await ask('POST', `/api/approvals/${encodeURIComponent(id)}`, decision)),
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
