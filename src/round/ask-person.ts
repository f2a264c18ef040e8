import { happened } from '../contract/event.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Answer, Question } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { findCall, type Call } from '../session/index.ts'
import { roundOf, type Work } from './work.ts'

const NOBODY: Answer = { action: 'cancel' }
const inTurn = oneAtATime<Answer>()

/**
 * A question of a running call, as an approval of its own: stored, shown, decided where all others are. It lives as
 * long as the call does; what waits longer than it may has no answer.
 */
export function askPerson(call: Call, question: Question, work: Work): Promise<Answer> {
  return inTurn(work.session.id, () => ask(call.callId, question, work))
}

async function ask(callId: string, question: Question, work: Work): Promise<Answer> {
  const { session, mailbox, hands, signal } = work
  const { message, schema } = JSON.parse(hands.redact(JSON.stringify(question))) as Question
  const round = roundOf(work)
  if (!round.started.attended || signal.aborted) return NOBODY
  const approvalId = newId()
  const expiresAt = hands.clock.now() + hands.settings.questionMs
  const { name } = findCall(round, callId) as Call
  const args: JsonObject = { message, ...(schema && { schema: schema as JsonObject }) }
  session.append(
    happened('approval.requested', {
      approvalId,
      callId,
      tool: name,
      args,
      argsHash: sha256(canonicalJson(args)),
      definitionHash: '',
      target: message,
      reason: `${name} asks while it runs`,
      rememberable: false,
      expiresAt,
      question: { message, ...(schema && { schema: schema as JsonObject }) },
    }),
  )
  await session.flush(signal)
  for (;;) {
    mailbox.fold()
    const asked = findCall(roundOf(work), callId)
    if (asked?.question?.approvalId !== approvalId) return answerOf(asked)
    const left = expiresAt - hands.clock.now()
    if (left <= 0 || signal.aborted) {
      session.append(happened('approval.decided', { approvalId, callId, decision: 'expired', by: 'system' }))
      return NOBODY
    }
    await mailbox.arrival(AbortSignal.any([signal, AbortSignal.timeout(Math.min(left, LOOK_MS))]))
  }
}

/** Time may be a test's: it is looked at again now and then. */
const LOOK_MS = 1000

function answerOf(call: Call | undefined): Answer {
  const answer = call?.answer
  if (answer?.decision === 'approve') return { action: 'accept', content: answer.content ?? {} }
  return answer?.decision === 'deny' ? { action: 'decline' } : NOBODY
}
