import { answerLost, close, takeOver } from '../session/index.ts'
import type { Mailbox } from './mailbox.ts'
import { overBudgetWords } from './over-budget-words.ts'
import type { OwnedSession } from './owned-session.ts'

/** Goes on with a round that another owner left running, or gives it up: in one commit, and with no step before it. */
export async function takeOverRound(session: OwnedSession, mailbox: Mailbox, stopping: AbortSignal): Promise<void> {
  const waited = mailbox.all
  session.append(...takeOver(session.state.round))
  mailbox.fold()
  session.append(...answerLost(session.state.round))
  // A model call that starts again sets aside anew what it may use: that can be too much by now.
  const over = await session.flushWithin(stopping)
  if (!over) return
  mailbox.restore(waited)
  const text = `(Stopped. ${overBudgetWords(over, 'The answer').message})`
  session.append(...close(session.state.round, 'budget', { text }))
  await session.flush(stopping)
}
