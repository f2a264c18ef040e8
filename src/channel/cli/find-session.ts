import type { Session } from '../../client/index.ts'
import { findByStart, isWholeId } from './find-by-start.ts'
import type { Reached } from './reach.ts'

/** Finds a session by its id or the beginning of it. */
export async function findSession({ client }: Reached, id: string): Promise<Session> {
  if (isWholeId(id)) return client.session(id)
  return findByStart(id, { one: 'session', all: () => client.listAll<Session>('/api/sessions?') })
}
