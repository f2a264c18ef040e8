import { visible } from '../../lib/visible.ts'
import { findSession, type WireSession } from './find-session.ts'
import { allPages, bodyOf } from './read-answer.ts'
import type { Reached } from './reach.ts'

export interface ListFlags {
  readonly search?: string
  readonly archived?: boolean
  readonly limit?: number
}

const USUALLY = 20

/** The last used first. */
export async function listSessions(reached: Reached, flags: ListFlags, json: boolean): Promise<string> {
  const { search, archived = false, limit = USUALLY } = flags
  const narrowed = search === undefined ? '' : `&search=${encodeURIComponent(search)}`
  // One more than is shown tells whether there are more.
  const found = await allPages<WireSession>(reached, `/api/sessions?archived=${archived}${narrowed}`, limit + 1)
  const items = found.slice(0, limit)
  if (json) return JSON.stringify(items)
  if (items.length === 0) return search === undefined ? 'There are no conversations.' : 'No title has all these words.'
  const more = found.length > limit ? [`There are more: --limit ${limit * 5} shows them, --search fewer.`] : []
  return [...items.map(sessionLine), ...more].join('\n')
}

function sessionLine({ id, title, usedAt, open, parent }: WireSession): string {
  const state = open ? `  [${open.state}]` : ''
  // A fork that nobody gave a name says so in its title.
  const fork = parent && !title.endsWith('(fork)') ? '  (fork)' : ''
  return `${id}  ${minute(usedAt)}  ${visible(title)}${fork}${state}`
}

export async function forkSession(
  reached: Reached,
  id: string,
  seq: number,
  { title }: { readonly title?: string },
  json: boolean,
): Promise<string> {
  const { id: whole } = await findSession(reached, id)
  const body = { seq, ...(title !== undefined && { title }) }
  const made = await bodyOf<WireSession>(await reached.ask('POST', `/api/sessions/${whole}/fork`, body), 'id', 'title')
  if (json) return JSON.stringify(made)
  return `${made.id}\nThis session shares everything up to event ${seq} and goes its own way from there: ${visible(made.title)}`
}

export const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ')
