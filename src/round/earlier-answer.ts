import { Problem } from '../contract/problem.ts'
import type { Claim, InboxStore } from '../store/index.ts'
import type { Accepted } from './sending.ts'

/** What the sender of a message under this key was answered before. The same key with another message is a mistake. */
export async function earlierAnswer(
  store: InboxStore,
  claim: Claim,
  key: { readonly hash: string },
  workspaceId: string,
): Promise<Accepted> {
  if (claim.hash !== key.hash) {
    throw new Problem(
      'IDEMPOTENCY_MISMATCH',
      'This id was already used for another message. Give every message its own id.',
    )
  }
  const known = claim.result as { requestId: string; sessionId: string }
  return { ...known, workspaceId, state: (await store.queuedMessage(known.requestId)) ? 'queued' : 'running' }
}
