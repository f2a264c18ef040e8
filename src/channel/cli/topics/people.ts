import type { Command } from 'commander'
import { common, type Cli, type Common } from '../cli.ts'
import { decideApproval, listApprovals, listDoubtful, reconcileCall } from '../people-commands.ts'

/** What rounds need people for. */
export function peopleTopic(segno: Command, { reaching, looking }: Cli): void {
  const approvals = segno.command('approvals').description('calls that wait for a person')
  common(approvals.command('ls').description('what waits, with its exact arguments')).action((flags: Common) =>
    looking(flags, listApprovals),
  )
  common(approvals.command('approve <id>').description('let a call run'))
    .option('--session', 'and the same target for the rest of its session')
    .option('--content <json>', 'what a running call asks for')
    .action((id: string, flags: Common & { session?: boolean; content?: string }) =>
      reaching(flags, (reached, json) => decideApproval(reached, id, 'approve', flags, json)),
    )
  common(approvals.command('deny <id>').description('do not let a call run'))
    .option('--reason <text>', 'what the model is told')
    .action((id: string, flags: Common & { reason?: string }) =>
      reaching(flags, (reached, json) => decideApproval(reached, id, 'deny', flags, json)),
    )

  const calls = segno.command('calls').description('calls whose effect nobody knows')
  common(calls.command('ls').description('those that nobody has settled')).action((flags: Common) =>
    looking(flags, listDoubtful),
  )
  common(calls.command('reconcile <callId>').description('say whether a call did happen'))
    .option('--happened <yes|no>', 'whether it did')
    .option('--note <text>', 'how you know')
    .option('--session <id>', 'in a fork that inherited the call; otherwise where it was made')
    .action((callId: string, flags: Common & { happened?: string; note?: string; session?: string }) =>
      reaching(flags, (reached, json) => reconcileCall(reached, callId, flags, json)),
    )
}
