import { Problem } from '../../contract/problem.ts'
import type { ShownApproval, UnknownCallView } from '../../contract/views.ts'
import { jsonObject } from './json-object.ts'
import { allPages, nothingIn } from './read-answer.ts'
import type { Reached } from './reach.ts'
import type { Wire } from './wire.ts'

type Approval = Wire<ShownApproval>

/** What waits for a decision, whole: nothing is shortened, nothing hidden. */
export async function listApprovals(reached: Reached, json: boolean): Promise<string> {
  const items = await allPages<Approval>(reached, '/api/approvals?status=pending')
  if (json) return JSON.stringify(items)
  return items.length === 0 ? 'Nothing waits for a decision.' : items.map(approvalText).join('\n\n')
}

function approvalText({ id, tool, sessionId, reason, expiresAt, rememberable, isQuestion, display }: Approval): string {
  const more = isQuestion ? "   (--content '{…}': what it asks for)" : ''
  return [
    `${tool}  ${display.target}`,
    `  because    ${reason}`,
    `  arguments  ${display.args.replaceAll('\n', '\n             ')}`,
    ...display.warnings.map((warning) => `  careful    ${warning}`),
    `  session    ${sessionId}, until ${expiresAt}`,
    `  segno approvals approve ${id}${rememberable ? '   (--session: for the rest of the session)' : more}`,
    ...(display.remembers === undefined ? [] : [`             --session covers ${display.remembers}`]),
    `  segno approvals deny ${id}`,
  ].join('\n')
}

export async function decideApproval(
  { ask }: Reached,
  id: string,
  decision: 'approve' | 'deny',
  { session, reason, content }: { readonly session?: boolean; readonly reason?: string; readonly content?: string },
  json: boolean,
): Promise<string> {
  const answer = await ask('POST', `/api/approvals/${encodeURIComponent(id)}`, {
    decision,
    ...(session === true && { remember: 'session' }),
    ...(reason !== undefined && { reason }),
    ...(content !== undefined && { content: jsonObject(content, 'The content') }),
  })
  nothingIn(answer)
  if (json) return JSON.stringify({ id, decision })
  return decision === 'approve' ? 'Approved: it is done now.' : 'Denied: the model is told.'
}

/** Calls that were started, and whose effect nobody knows. */
export async function listDoubtful(reached: Reached, json: boolean): Promise<string> {
  const items = await allPages<Wire<UnknownCallView>>(reached, '/api/calls?outcome=unknown')
  if (json) return JSON.stringify(items)
  if (items.length === 0) return 'There is no call whose effect is unknown.'
  return items
    .map(
      ({ callId, tool, sessionId, outcome, endedAt }) =>
        `${callId}  ${tool}  ${outcome} at ${endedAt}, session ${sessionId}\n` +
        `  segno calls reconcile ${callId} --happened yes   (or no)`,
    )
    .join('\n')
}

export async function reconcileCall(
  { ask }: Reached,
  callId: string,
  { happened, note, session }: { readonly happened?: string; readonly note?: string; readonly session?: string },
  json: boolean,
): Promise<string> {
  if (happened !== 'yes' && happened !== 'no')
    throw new Problem('VALIDATION_ERROR', 'Say whether it did happen: --happened yes or --happened no.')
  const where = session !== undefined && { sessionId: session }
  const body = { happened: happened === 'yes', ...(note !== undefined && { note }), ...where }
  nothingIn(await ask('POST', `/api/calls/${encodeURIComponent(callId)}/reconcile`, body))
  return json
    ? JSON.stringify({ callId, ...body })
    : `Settled: ${callId} did ${happened === 'yes' ? '' : 'not '}happen.`
}
