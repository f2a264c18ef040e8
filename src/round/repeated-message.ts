import type { Actor } from '../contract/actor.ts'
import { filesOf } from '../contract/event.ts'
import { textOf } from '../contract/message.ts'
import type { SessionView } from '../contract/views.ts'
import type { InboxStore, ListStore, LogStore } from '../store/index.ts'
import type { Accepted } from './sending.ts'

const JOIN_MS = 60_000
const JOIN_ROUNDS = 5

/** A message of this actor with the same text that waits, runs, or was answered less than a minute ago. */
export async function repeatedMessage(
  store: LogStore & InboxStore & ListStore,
  actor: Actor,
  { id: sessionId, workspaceId }: Pick<SessionView, 'id' | 'workspaceId'>,
  content: string,
  now: number,
): Promise<Accepted | undefined> {
  for (const { body } of await store.pendingInputs(sessionId)) {
    if (body.kind === 'message' && !body.origin && body.content === content && body.actor.id === actor.id)
      return { requestId: body.requestId, sessionId, workspaceId, state: 'queued' }
  }
  const since = now - JOIN_MS
  for (const round of await store.rounds(sessionId, JOIN_ROUNDS)) {
    if (round.endedAt !== undefined && round.endedAt < since) continue
    const [started, said] = await store.read(sessionId, { after: round.startSeq - 1, limit: 2 })
    if (started?.type !== 'round.started' || started.data.actor.id !== actor.id || started.data.origin) continue
    if (said?.type !== 'message.user' || said.data.own || filesOf(said).length > 0) continue
    if (textOf(said.data.content) === content)
      return { requestId: round.requestId, sessionId, workspaceId, state: 'running' }
  }
  return undefined
}
