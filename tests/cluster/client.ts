import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../crash/dice.ts'
import { messageIdOf, messageOf, nextMessageOf, type Episode, type Heard } from '../crash/plan.ts'
import { ask, type Answer } from '../server/support/ask.ts'
import { followStream } from '../support/sse-client.ts'

/** A stored event as somebody was shown it. */
export interface Shown {
  readonly sessionId: string
  readonly seq: number
  readonly id: string
  readonly type: string
}

export interface Client {
  readonly urls: readonly string[]
  readonly dice: Dice
  /** how long an answer is waited for before another node is asked */
  readonly answerMs: number
  readonly signal: AbortSignal
  hear(what: Heard): void
  see(event: Shown): void
}

/** What a user does with one conversation, through whichever node the load balancer picks: it asks until it is heard. */
export async function converse(client: Client, episode: Episode): Promise<string> {
  const { hear } = client
  const session = await insist(client, 'POST', '/api/sessions', {})
  const sessionId = session.body.id ?? ''
  hear({ type: 'session', sessionId })
  const following = follow(client, sessionId)
  try {
    const requestId = await send(client, sessionId, messageOf(episode), messageIdOf(episode), episode)
    await untilEnded(client, requestId, episode)
    const next = await send(client, sessionId, nextMessageOf(episode), `${messageIdOf(episode)}-next-1`, episode)
    await untilEnded(client, next, episode)
    // Through any node, however it comes: what it says is what is stored.
    const said = await insist(client, 'GET', `/api/rounds/${next}`)
    const { finishReason = null } = said.body
    const messages = await insist(client, 'GET', `/api/sessions/${sessionId}/messages`)
    hear({ type: 'answered', requestId: next, finishReason, content: lastText(messages) })
    return sessionId
  } finally {
    following.leave()
  }
}

async function send(
  client: Client,
  sessionId: string,
  content: string,
  messageId: string,
  { protocol }: Episode,
): Promise<string> {
  const headers = { 'idempotency-key': messageId }
  const path = `/api/sessions/${sessionId}/messages`
  const { body } = await insist(client, 'POST', path, { content, protocol }, headers)
  const requestId = body.requestId ?? ''
  client.hear({ type: 'accepted', sessionId, requestId, messageId })
  return requestId
}

async function untilEnded(client: Client, requestId: string, episode: Episode): Promise<void> {
  const decided = new Set<string>()
  for (;;) {
    const { body } = await insist(client, 'GET', `/api/rounds/${requestId}`)
    if (body.state === 'ended') return
    if (body.state === 'waiting' && episode.decision) await decide(client, requestId, episode.decision, decided)
    await sleep(client.dice.between(20, 60), undefined, { signal: client.signal })
  }
}

async function decide(
  client: Client,
  requestId: string,
  decision: 'approve' | 'deny',
  decided: Set<string>,
): Promise<void> {
  const { body } = await insist(client, 'GET', '/api/approvals?status=pending&limit=100')
  for (const { id, sessionId, requestId: asking } of body.items ?? []) {
    if (asking !== requestId || decided.has(id)) continue
    const { status } = await insist(client, 'POST', `/api/approvals/${id}`, { decision })
    decided.add(id)
    if (status < 300) client.hear({ type: 'decided', sessionId, approvalId: id, decision })
  }
}

/** Goes on behind the last number it has, through another node each time. */
function follow({ urls, dice, see, signal }: Client, sessionId: string) {
  const client = followStream({
    get url() {
      return `${dice.oneOf(urls)}/api/sessions/${sessionId}/events`
    },
    ends: () => false,
    onFrame({ id, data }) {
      if (id !== undefined) see({ sessionId, ...(data as unknown as Omit<Shown, 'sessionId'>) })
    },
  })
  signal.addEventListener('abort', () => client.leave())
  return client
}

/** Asks one node after the other until one has taken it, or says that it is wrong. */
async function insist(
  client: Client,
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  for (;;) {
    client.signal.throwIfAborted()
    const answer = await within(client.answerMs, ask(client.dice.oneOf(client.urls), method, path, body, headers))
    if (answer && answer.status < 500 && answer.status !== 429) return answer
    await sleep(client.dice.between(10, 50))
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  work.catch(() => {})
  return Promise.race([work.catch(() => undefined), sleep(ms).then(() => undefined)])
}

function lastText({ body }: Answer): string {
  const last = (body.items ?? []).at(-1) as { content?: unknown } | undefined
  if (typeof last?.content === 'string') return last.content
  const parts = (last?.content ?? []) as readonly { type: string; text?: string }[]
  return parts.map(({ text = '' }) => text).join('')
}
