import type { ApprovalDisplay } from '../../../src/contract/views.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import { segnoUnderTest, said, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { ask, type Answer } from './ask.ts'

/** An approval as it is on the wire. */
interface WireApproval {
  readonly id: string
  readonly sessionId: string
  readonly requestId: string
  readonly callId: string
  readonly tool: string
  readonly args: JsonObject
  readonly target: string
  readonly status: string
  readonly rememberable: boolean
  readonly isQuestion: boolean
  readonly requestedAt: string
  readonly expiresAt: string
  readonly display: ApprovalDisplay
}

/** A Segno that is asked, watched and answered over HTTP only. */
export interface Asking extends SegnoUnderTest {
  http(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  /** Sends a message and waits until its round asks a person. */
  sendUntilWaiting(content?: string, more?: object): Promise<WireApproval[]>
  open(): Promise<WireApproval[]>
  all(): Promise<WireApproval[]>
  decideOverHttp(id: string | undefined, body: object, key?: string): Promise<Answer>
  /** what came of the calls, in the order asked */
  outcomes(): Promise<string[]>
  /** a key of the owner of the session, or of somebody else, that may do only this */
  keyFor(scopes: readonly string[], who?: { userId?: string; tenant?: string }): Promise<string>
}

export async function asking(opening: Opening): Promise<Asking> {
  const it = await segnoUnderTest(opening)
  const http: Asking['http'] = (method, path, body, key) =>
    ask(it, method, path, body, key === undefined ? {} : { authorization: `Bearer ${key}` })
  const items = async (path: string): Promise<WireApproval[]> =>
    (await http('GET', path)).body['items'] as WireApproval[]
  const more: Omit<Asking, keyof SegnoUnderTest> = {
    http,
    open: () => items('/api/approvals?status=pending'),
    all: () => items('/api/approvals'),
    async sendUntilWaiting(content = 'Go.', options = {}) {
      const sent = await http('POST', `/api/sessions/${it.sessionId}/messages?wait=1`, { content, ...options })
      if (sent.body['state'] !== 'waiting') throw new Error(`not waiting: ${JSON.stringify(sent.body)}`)
      return more.open()
    },
    decideOverHttp: (id, body, key) => http('POST', `/api/approvals/${id}`, body, key),
    outcomes: async () => said(await it.events(), 'tool.result').map(({ outcome, code }) => code ?? outcome),
    async keyFor(scopes, { userId = LOCAL_OWNER.id, tenant = LOCAL_OWNER.tenant } = {}) {
      const wanted = { name: 'a key', role: 'super_admin', scopes, userId, tenant } as const
      return (await it.segno.keys.add(LOCAL_OWNER, wanted)).secret ?? ''
    },
  }
  // Segno may be opened again: what is read from it is read when it is needed.
  return Object.assign(Object.create(it) as SegnoUnderTest, more)
}
