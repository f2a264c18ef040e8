import type { Actor } from './contract/actor.ts'
import { Problem } from './contract/problem.ts'
import type { LaterAnswer } from './contract/tool.ts'
import type { AwaitsAnswer, Rounds } from './round/index.ts'

interface Whose {
  readonly tenant: string
  readonly userId: string
}

/** What a conversation's own parts may do for its user. */
export const asUser = ({ tenant, userId: id }: Whose): Actor => ({
  id,
  kind: 'user',
  tenant,
  permissions: ['chat:read', 'chat:write'],
})

/** Gives a call that waits its result; a conversation that is gone waits for nothing. */
export async function tellCall(
  { rounds, awaitsAnswer }: { readonly rounds: Pick<Rounds, 'answerCall'>; readonly awaitsAnswer: AwaitsAnswer },
  whose: Whose & { readonly sessionId: string; readonly callId: string },
  answer: LaterAnswer,
): Promise<void> {
  const { sessionId, callId } = whose
  try {
    if (await awaitsAnswer({ sessionId, callId })) await rounds.answerCall(asUser(whose), { sessionId, callId }, answer)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'NOT_FOUND')) throw error
  }
}
