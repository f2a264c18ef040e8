import type { Actor } from '../../contract/actor.ts'
import type { MessageContent } from '../../contract/message.ts'
import { Problem } from '../../contract/problem.ts'
import type { Completion, Turn } from '../../contract/turn.ts'
import { newId } from '../../lib/id.ts'
import { delay } from '../../lib/delay.ts'
import type { Rounds, SendOptions } from '../../round/index.ts'
import { pictureRound, type Frame, type FollowOptions } from '../../stream/index.ts'

export interface RequestOptions extends Omit<SendOptions, 'requestId'> {
  /** aborting cancels the round */
  readonly signal?: AbortSignal
  /** the same, under the name that other systems use */
  readonly abortSignal?: AbortSignal
  /** running time of this round, at most the configured one */
  readonly timeoutMs?: number
}

export interface StreamedRequest {
  readonly requestId: string
  /** the same id, under the name that other systems use */
  readonly responseId: string
  readonly sessionId: string
  readonly state: 'running' | 'queued'
  /** every turn at its start, at most every 50 ms while it runs, and at its end; each reader gets all turns */
  readonly turns: AsyncIterable<Turn>
  /** the same as `turns` */
  readonly stream: AsyncIterable<Turn>
  /** how the round ended; it always resolves */
  readonly completion: Promise<Completion>
  /** the same as `completion` */
  readonly completionPromise: Promise<Completion>
  cancel(): Promise<void>
}

export interface Following {
  /** A round from its start. */
  round(sessionId: string, requestId: string, options?: Omit<FollowOptions, 'requestId'>): AsyncIterable<Frame>
  /** Resolves when the round has ended; `fresh` if it has not started yet and cannot be looked up. */
  completion(sessionId: string, requestId: string, fresh?: boolean): Promise<Completion>
  /** The round will never start, so its completions resolve. */
  drop(requestId: string): void
}

const PAUSE_MS = 50

export async function streamRequest(
  rounds: Rounds,
  following: Following,
  actor: Actor,
  sessionId: string,
  content: MessageContent,
  options: RequestOptions = {},
): Promise<StreamedRequest> {
  const { signal: given, abortSignal, timeoutMs, ...sending } = options
  const signal = given && abortSignal ? AbortSignal.any([given, abortSignal]) : (given ?? abortSignal)
  signal?.throwIfAborted()
  const wanted = newId()
  const listening = following.completion(sessionId, wanted, true)
  // If this fails, so does sending, whose error the caller gets.
  listening.catch(() => {})
  const limits = timeoutMs === undefined ? sending.limits : { ...sending.limits, totalMs: timeoutMs }
  const accepted = await rounds
    .send(actor, sessionId, content, { ...sending, requestId: wanted, ...(limits && { limits }) })
    .catch((error: unknown) => {
      following.drop(wanted)
      throw error
    })
  const { requestId } = accepted
  if (requestId !== wanted) following.drop(wanted)
  const cancel = (): Promise<void> => rounds.cancel(actor, accepted.sessionId, requestId)
  const completion = requestId === wanted ? listening : following.completion(accepted.sessionId, requestId)
  if (signal) {
    const stop = (): void => void cancel().catch(() => {})
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const leave = (): void => signal.removeEventListener('abort', stop)
    completion.then(leave, leave)
  }
  const turns = { [Symbol.asyncIterator]: () => turnsOf(following, accepted.sessionId, requestId) }
  return {
    requestId,
    responseId: requestId,
    sessionId: accepted.sessionId,
    state: accepted.state,
    turns,
    stream: turns,
    completion,
    completionPromise: completion,
    cancel,
  }
}

async function* turnsOf(following: Following, sessionId: string, requestId: string): AsyncGenerator<Turn, void> {
  const picture = pictureRound(sessionId, requestId)
  let lastShown = 0
  for await (const frame of following.round(sessionId, requestId)) {
    const index = picture.see(frame)
    if (frame.kind === 'event' && frame.event.type === 'round.ended') {
      const { error } = frame.event.data
      if (frame.event.data.finishReason === 'error')
        throw new Problem('MODEL_ERROR', error ?? 'The round ended with an error.')
      return
    }
    if (index === undefined) continue
    // While this waits, deltas are joined in the queue.
    if (frame.kind === 'pulse') await delay(lastShown + PAUSE_MS - performance.now())
    lastShown = performance.now()
    const turn = picture.turn(index)
    if (turn) yield turn
  }
}
