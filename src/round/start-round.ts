import type { MessageInput } from '../contract/input.ts'
import { nextStep, startOfRound } from '../session/index.ts'
import type { Blob, Claim } from '../store/index.ts'
import { prepareTurn, type PreparedTurn } from './prepare-turn.ts'
import { notWithin } from './reserve.ts'
import { roundOf, type Work } from './work.ts'

/**
 * Stores a message, the start of its round and that of its first turn in one commit. `taken`: who was first under its
 * claim; then nothing was stored.
 */
export async function startRound(
  work: Work,
  message: MessageInput,
  files: readonly Blob[],
  claim: Claim | undefined,
): Promise<{ turn?: PreparedTurn; taken?: Claim }> {
  const { session, hands } = work
  session.append(...startOfRound(message))
  for (const file of files) session.keep(file)
  const step = nextStep(roundOf(work), hands.clock.now(), session.passed)
  const turn = step.kind === 'call-model' ? await prepareTurn(step, work) : undefined
  const { isRefused, events, aside } = turn?.intent ?? { events: [], aside: [] }
  session.append(...events)
  const refused = await session.storeStart(claim, aside)
  if (refused?.kind === 'repeated') return { taken: refused.claim }
  if (refused) session.append(notWithin(refused))
  return turn && !isRefused && !refused ? { turn } : {}
}
