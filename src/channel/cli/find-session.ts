import type { Session } from '../../client/index.ts'
import { Problem } from '../../contract/problem.ts'
import type { Reached } from './reach.ts'

const WHOLE_ID = 36
const SHORTEST = 6

/** Finds a session by its id or the beginning of it. */
export async function findSession({ client }: Reached, id: string): Promise<Session> {
  if (id.length >= WHOLE_ID) return client.session(id)
  if (id.length < SHORTEST)
    throw new Problem('VALIDATION_ERROR', `Give at least ${SHORTEST} characters of the id; segno sessions ls has them.`)
  const found = (await client.listAll<Session>('/api/sessions?')).filter((one) => one.id.startsWith(id))
  const [only, another] = found
  if (another) throw new Problem('VALIDATION_ERROR', `${found.length} sessions begin with ${id}; give more of the id.`)
  if (!only) throw new Problem('NOT_FOUND', `There is no session ${id}.`)
  return only
}
