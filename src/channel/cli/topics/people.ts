import type { Command } from 'commander'
import type { Approval, DoubtfulCall } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import { askedLines } from '../chat/approval-text.ts'
import { plain } from '../chat/paint.ts'
import { widthOf } from '../chat/screen.ts'
import { jsonObject, listed, subcommand, type Answer, type Cli } from '../cli.ts'
import type { Reached } from '../reach.ts'

/** Approvals, and calls with an unknown effect. */
export function peopleTopic(segno: Command, { reaching, looking }: Cli): void {
  const approvals = segno.command('approvals').description('calls that wait for a person')
  subcommand(approvals, 'ls', 'what waits, with its exact arguments').action(looking(listApprovals))
  subcommand(approvals, 'approve <id>', 'let a call run')
    .option('--session', 'and the same target for the rest of its session')
    .option('--content <json>', 'what a running call asks for')
    .action(reaching(approve))
  subcommand(approvals, 'deny <id>', 'do not let a call run')
    .option('--reason <text>', 'what the model is told')
    .action(reaching(deny))

  const calls = segno.command('calls').description('calls whose effect nobody knows')
  subcommand(calls, 'ls', 'those that nobody has settled').action(looking(listDoubtful))
  subcommand(calls, 'reconcile <callId>', 'say whether a call did happen')
    .option('--happened <yes|no>', 'whether it did')
    .option('--note <text>', 'how you know')
    .option('--session <id>', 'in a fork that inherited the call; otherwise where it was made')
    .action(reaching(reconcileCall))
}

/** Shows everything: nothing is shortened. */
async function listApprovals({ client }: Reached): Promise<Answer> {
  const items = await client.pendingApprovals()
  return { json: items, text: items.map(approvalText).join('\n\n') || 'Nothing waits for a decision.' }
}

function approvalText(approval: Approval): string {
  const { id, sessionId, expiresAt, rememberable, isQuestion, display } = approval
  const more = isQuestion ? "   (--content '{…}': what it asks for)" : ''
  return [
    ...askedLines(approval, { width: widthOf(process.stdout), paint: plain, isListed: true }),
    `  arguments  ${display.args.replaceAll('\n', '\n             ')}`,
    `  session    ${sessionId}, until ${expiresAt}`,
    `  segno approvals approve ${id}${rememberable ? '   (--session: for the rest of the session)' : more}`,
    ...(display.remembers === undefined ? [] : [`             --session covers ${display.remembers}`]),
    `  segno approvals deny ${id}`,
  ].join('\n')
}

export async function approve(
  { client }: Reached,
  id: string,
  { session, content }: { readonly session?: boolean; readonly content?: string },
): Promise<Answer> {
  await client.decide(id, {
    decision: 'approve',
    ...(session === true && { remember: 'session' }),
    ...(content !== undefined && { content: jsonObject(content, 'The content') }),
  })
  return { json: { id, decision: 'approve' }, text: 'Approved: it is done now.' }
}

async function deny({ client }: Reached, id: string, { reason }: { readonly reason?: string }): Promise<Answer> {
  await client.decide(id, { decision: 'deny', reason })
  return { json: { id, decision: 'deny' }, text: 'Denied: the model is told.' }
}

async function listDoubtful({ client }: Reached): Promise<Answer> {
  const items = await client.listAll<DoubtfulCall>('/api/calls?outcome=unknown')
  return listed(items, doubtfulText, 'There is no call whose effect is unknown.')
}

const doubtfulText = ({ callId, tool, sessionId, outcome, endedAt }: DoubtfulCall): string =>
  `${callId}  ${tool}  ${outcome} at ${endedAt}, session ${sessionId}\n` +
  `  segno calls reconcile ${callId} --happened yes   (or no)`

async function reconcileCall(
  { client }: Reached,
  callId: string,
  { happened, note, session }: { readonly happened?: string; readonly note?: string; readonly session?: string },
): Promise<Answer> {
  if (happened !== 'yes' && happened !== 'no')
    throw new Problem('VALIDATION_ERROR', 'Say whether it did happen: --happened yes or --happened no.')
  const body = { happened: happened === 'yes', note, sessionId: session }
  await client.reconcile(callId, body)
  return { json: { callId, ...body }, text: `Settled: ${callId} did ${body.happened ? '' : 'not '}happen.` }
}
