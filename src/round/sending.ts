import type { MessageInput } from '../contract/input.ts'
import { Problem } from '../contract/problem.ts'
import type { Blob, Claim, InboxStore } from '../store/index.ts'

export type OnBusy = 'queue' | 'reject' | 'interrupt'

/** What a sender is told once the message is stored. */
export interface Accepted {
  readonly requestId: string
  readonly sessionId: string
  readonly state: 'running' | 'queued'
  /** of the session */
  readonly workspaceId: string
  /** the number of the event before the round, if it is known */
  readonly after?: number
}

/** A message on its way to its session. */
export interface Sending {
  readonly message: MessageInput
  /** of the session */
  readonly workspaceId: string
  /** the bytes of the files it names */
  readonly files: readonly Blob[]
  readonly onBusy: OnBusy
  /** under which it happens only once */
  readonly key?: { readonly key: string; readonly hash: string }
}

export interface CoordinatorLimits {
  readonly maxCoordinators: number
  readonly maxRounds: number
  readonly queueLength: number
  /** how many inputs may wait for one session */
  readonly waitingInputs?: number
  readonly idleMs: number
  /** why no new round may begin now, if it may not */
  pressure?(): string | undefined
}

export function claimOf(sessionId: string, { key, message: { requestId } }: Sending): Claim | undefined {
  return key && { ...key, result: { requestId, sessionId } }
}

/** The answer to an earlier message with this key; throws a Problem if that was another message. */
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

/** For a round that cannot be continued any more. */
export function notLast(cause?: Problem): Problem {
  const why = 'Something came after this round, so it cannot be continued. Send a message instead.'
  return new Problem('CONFLICT', why, cause && { cause })
}
