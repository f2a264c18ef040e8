import type { Command } from 'commander'
import { common, wholeNumber, type Cli, type Common } from '../cli.ts'
import { listRounds, showRound, tellRound, type RoundFlags } from '../rounds-commands.ts'

export function roundsTopic(segno: Command, { reaching, looking }: Cli): void {
  const rounds = segno.command('rounds').description('from a message to its answer')
  common(rounds.command('ls').description('list them, newest first'), 'segno rounds ls --state running,waiting')
    .option('--state <states>', 'some of queued,running,waiting,paused,ended')
    .option('--session <id>', 'only of this conversation')
    .option('--all', 'of everybody (needs user:read)')
    .option('--limit <n>', 'how many', wholeNumber)
    .action((flags: RoundFlags & Common) => looking(flags, (reached, json) => listRounds(reached, flags, json)))
  common(
    rounds.command('show <requestId>').description('how it stands or why it ended, its turns and calls, time and cost'),
    'segno rounds show 0199a5c1-7a30-7e07-8d5f-3a1d7d8c9b2e',
  ).action((id: string, flags: Common) => looking(flags, (reached, json) => showRound(reached, id, json)))
  common(rounds.command('cancel <requestId>').description('end it now')).action((id: string, flags: Common) =>
    looking(flags, (reached, json) => tellRound(reached, id, 'cancel', json)),
  )
  common(rounds.command('resume <requestId>').description('let a paused one go on')).action(
    (id: string, flags: Common) => reaching(flags, (reached, json) => tellRound(reached, id, 'resume', json)),
  )
}
