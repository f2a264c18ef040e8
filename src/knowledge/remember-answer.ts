import type { JobData } from '../contract/job.ts'
import { Problem } from '../contract/problem.ts'
import { idFrom } from '../lib/id.ts'
import type { ListStore, LogStore } from '../store/index.ts'
import type { Memories } from './memories.ts'

type Payload = JobData['remember']

/**
 * Makes memories of what the tags of an answer want remembered, each once however often this is done. Nothing of a
 * session that is gone.
 */
export function rememberAnswer(
  store: Pick<LogStore, 'read'> & Pick<ListStore, 'session'>,
  memories: Pick<Memories, 'suggest'>,
): (payload: Payload) => Promise<void> {
  return async ({ sessionId, seq, messageId }) => {
    const session = await store.session(sessionId)
    const [event] = session ? await store.read(sessionId, { after: seq - 1, upTo: seq }) : []
    if (!session || event?.type !== 'message.assistant') return
    const { tenant, id: userId } = session.owner
    const about = { tenant, userId, method: 'tag', sessionId, at: event.at } as const
    const origin = messageId === undefined ? about : { ...about, eventId: messageId }
    for (const [at, { content, proposed = false }] of (event.data.remembers ?? []).entries()) {
      try {
        await memories.suggest({ ...origin, id: idFrom(`${event.id} ${at}`), content, isTainted: proposed })
      } catch (error) {
        // What is refused now is refused later too.
        if (!(error instanceof Problem) || !FINAL.has(error.code)) throw error
      }
    }
  }
}

const FINAL: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'CONFLICT'])
