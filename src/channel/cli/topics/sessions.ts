import { Option, type Command } from 'commander'
import { common, eventNumber, wholeNumber, type Cli, type Common } from '../cli.ts'
import { exportedSession, saveTo, type ExportForm } from '../export-session.ts'
import { removeSession } from '../remove-session.ts'
import { forkSession, listSessions, type ListFlags } from '../sessions-commands.ts'
import { showSession, type ShowFlags } from '../show-session.ts'

interface ExportFlags extends Common {
  readonly as?: ExportForm
  readonly out?: string
  readonly force?: boolean
}

const WHICH = 'its id, or the beginning of it'

export function sessionsTopic(segno: Command, { world, looking, write }: Cli): void {
  const sessions = segno.command('sessions').description('conversations')

  common(
    sessions.command('ls').description('list them, the last used first'),
    'segno sessions ls --search "tax return"',
  )
    .option('--search <words>', 'only those with all these words in the title')
    .option('--archived', 'only those that were put away')
    .option('--limit <n>', 'how many', wholeNumber)
    .action((flags: ListFlags & Common) => looking(flags, (reached, json) => listSessions(reached, flags, json)))
  common(
    sessions.command('show').argument('<id>', WHICH).description('the conversation to read, with numbers to fork at'),
    'segno sessions show 0199a5c1',
  )
    .option('--at <seq>', 'as it was at this event', eventNumber)
    .option('--outputs', 'with what the tools put out')
    .action((id: string, flags: ShowFlags & Common) =>
      looking(flags, async (reached) => {
        await write(showSession(reached, id, flags, flags.json === true), flags)
        return ''
      }),
    )
  common(
    sessions
      .command('fork')
      .argument('<id>', WHICH)
      .argument('<seq>', 'the last event both share', eventNumber)
      .description('go on from an earlier event in a new conversation'),
    'segno sessions fork 0199a5c1 12 --title "Another way"',
  )
    .option('--title <text>', 'of the new one')
    .action((id: string, seq: number, flags: Common & { title?: string }) =>
      looking(flags, (reached, json) => forkSession(reached, id, seq, flags, json)),
    )
  common(
    sessions.command('export').argument('<id>', WHICH).description('a whole conversation, to read or for programs'),
    'segno sessions export 0199a5c1 --out talk.md',
  )
    .addOption(
      new Option('--as <form>', 'a document, or every event on a line (--json is the same as jsonl)').choices([
        'markdown',
        'jsonl',
      ]),
    )
    .option('--out <file>', 'into this file instead of the terminal')
    .option('--force', 'also where that file is there already')
    .action((id: string, { out, force = false, ...flags }: ExportFlags) =>
      looking(flags, async (reached) => {
        const as = flags.as ?? (flags.json ? 'jsonl' : 'markdown')
        const texts = exportedSession(reached, id, as)
        if (out === undefined) {
          await write(texts, { json: as === 'jsonl' })
          return ''
        }
        await saveTo(out, texts, force)
        return flags.json ? JSON.stringify({ file: out, as }) : `It is in ${out}.`
      }),
    )
  common(
    sessions.command('rm').argument('<id>', WHICH).description('delete a conversation and its content, for good'),
    'segno sessions rm 0199a5c1 --yes',
  )
    .option('--yes', 'do not ask')
    .action((id: string, flags: Common & { yes?: boolean }) =>
      looking(flags, (reached) =>
        removeSession(reached, id, {
          yes: flags.yes === true,
          confirm: world.confirm,
          json: flags.json === true,
        }),
      ),
    )
}
