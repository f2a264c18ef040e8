import { Problem } from '../../contract/problem.ts'
import type { SessionView } from '../../contract/views.ts'
import { allPages, bodyOf } from './read-answer.ts'
import type { Reached } from './reach.ts'
import type { Wire } from './wire.ts'

/** A session as it is on the wire. */
export type WireSession = Wire<Omit<SessionView, 'owner'>>

const WHOLE_ID = 36
const SHORTEST = 6

/** The session with this id, or the only one whose id begins so. */
export async function findSession(reached: Reached, id: string): Promise<WireSession> {
  if (id.length >= WHOLE_ID) return get(reached, id)
  if (id.length < SHORTEST)
    throw new Problem('VALIDATION_ERROR', `Give at least ${SHORTEST} characters of the id; segno sessions ls has them.`)
  const found = (await allPages<WireSession>(reached, '/api/sessions?')).filter((one) => one.id.startsWith(id))
  const [only, another] = found
  if (another) throw new Problem('VALIDATION_ERROR', `${found.length} sessions begin with ${id}; give more of the id.`)
  if (!only) throw new Problem('NOT_FOUND', `There is no session ${id}.`)
  return only
}

async function get({ ask }: Reached, id: string): Promise<WireSession> {
  return bodyOf<WireSession>(await ask('GET', `/api/sessions/${encodeURIComponent(id)}`), 'id', 'title', 'seq')
}
