import type { Session, WireEvent } from '../../client/index.ts'
import { Problem } from '../../contract/problem.ts'
import { visible } from '../../lib/visible.ts'
import { minute } from './chat/words.ts'
import type { Flags } from './cli.ts'
import { eventWords, indented } from './event-words.ts'
import { findSession } from './find-session.ts'
import type { Reached } from './reach.ts'

export interface ShowFlags extends Flags {
  readonly at?: number
  readonly outputs?: boolean
}

/** The conversation as text, with the numbers of its events. */
export async function* showSession(
  reached: Reached,
  id: string,
  { at, outputs = false, json }: ShowFlags,
): AsyncGenerator<string> {
  const session = await findSession(reached, id)
  if (at !== undefined && at > session.seq)
    throw new Problem('VALIDATION_ERROR', `--at: the last event of this session is ${session.seq}.`)
  if (json) {
    yield await asJson(reached, session, at)
    return
  }
  yield `${heading(session)}\n`
  const upTo = at ?? session.seq
  const deleted = new Set<string>()
  for await (const event of reached.client.events(session.id, { upTo }))
    if (event.type === 'message.deleted') deleted.add(event.data.target)
  for await (const event of reached.client.events(session.id, { outputs, upTo })) {
    const text = deleted.has(event.id) ? undefined : shown(event)
    if (text !== undefined) yield `\n${text}\n`
  }
}

async function asJson({ client }: Reached, session: Session, at: number | undefined): Promise<string> {
  const path = `/api/sessions/${session.id}/messages${at === undefined ? '' : `?at=${at}`}`
  const items = await client.list<object>(path)
  return `${JSON.stringify({ session, messages: items })}\n`
}

function heading({ id, title, createdAt, seq, parent, open }: Session): string {
  return [
    visible(title),
    `session ${id}, begun ${minute(createdAt)}, ${seq} events`,
    ...(parent ? [`forked from ${parent.sessionId} at event ${parent.seq}`] : []),
    ...(open ? [`round ${open.requestId} is ${open.state}`] : []),
  ].join('\n')
}

function shown(event: WireEvent): string | undefined {
  const words = eventWords(event)
  if (!words || !(words.isSaid || event.type === 'tool.call')) return undefined
  return `[${event.seq}] ${words.line}${words.text ? `\n${indented(words.text)}` : ''}`
}
