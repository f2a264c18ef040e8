import { Problem } from '../../contract/problem.ts'
import { visible } from '../../lib/visible.ts'
import { eventWords, indented } from './event-words.ts'
import { findSession, type WireSession } from './find-session.ts'
import { itemsOf } from './read-answer.ts'
import type { Reached } from './reach.ts'
import { minute } from './sessions-commands.ts'
import { wireEvents, type WireEvent } from './wire-events.ts'

export interface ShowFlags {
  readonly at?: number
  readonly outputs?: boolean
}

/** The conversation to read, piece by piece. The numbers are those of events: a fork can begin at each. */
export async function* showSession(
  reached: Reached,
  id: string,
  { at, outputs = false }: ShowFlags,
  json: boolean,
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
  for await (const event of wireEvents(reached, session.id, { upTo }))
    if (event.type === 'message.deleted') deleted.add(event.data.target)
  for await (const event of wireEvents(reached, session.id, { outputs, upTo })) {
    const text = deleted.has(event.id) ? undefined : shown(event)
    if (text !== undefined) yield `\n${text}\n`
  }
}

async function asJson({ ask }: Reached, session: WireSession, at: number | undefined): Promise<string> {
  const path = `/api/sessions/${session.id}/messages${at === undefined ? '' : `?at=${at}`}`
  const items = await itemsOf<object>(await ask('GET', path))
  return `${JSON.stringify({ session, messages: items })}\n`
}

function heading({ id, title, createdAt, seq, parent, open }: WireSession): string {
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
