import { Option, type Command } from 'commander'
import type { Session } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import { visible } from '../../../lib/visible.ts'
import { minute } from '../chat/words.ts'
import {
  eventNumber,
  listSome,
  subcommand,
  wholeNumber,
  type Answer,
  type Cli,
  type Flags,
  type Pieces,
  type World,
} from '../cli.ts'
import { exportedSession, saveTo, type ExportForm } from '../export-session.ts'
import { findSession } from '../find-session.ts'
import type { Reached } from '../reach.ts'
import { readText } from '../read-text.ts'
import { showSession, type ShowFlags } from '../show-session.ts'

const WHICH = 'its id, or the beginning of it'

export function sessionsTopic(segno: Command, { world, looking }: Cli): void {
  const sessions = segno.command('sessions').description('conversations')
  subcommand(sessions, 'ls', 'list them, the last used first', 'segno sessions ls --search "tax return"')
    .option('--search <words>', 'only those with all these words in the title')
    .option('--archived', 'only those that were put away')
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listSessions))
  const show = 'the conversation to read, with numbers to fork at'
  subcommand(sessions, 'show', show, 'segno sessions show 0199a5c1')
    .argument('<id>', WHICH)
    .option('--at <seq>', 'as it was at this event', eventNumber)
    .option('--outputs', 'with what the tools put out')
    .action(looking((reached, id: string, flags: ShowFlags) => ({ pieces: showSession(reached, id, flags) })))
  const fork = 'go on from an earlier event in a new conversation'
  subcommand(sessions, 'fork', fork, 'segno sessions fork 0199a5c1 12 --title "Another way"')
    .argument('<id>', WHICH)
    .argument('<seq>', 'the last event both share', eventNumber)
    .option('--title <text>', 'of the new one')
    .action(looking(forkSession))
  const importing = 'go on with a conversation from elsewhere; nothing of it is executed'
  subcommand(sessions, 'import', importing, 'segno sessions import old-session.jsonl --title "Where we were"')
    .argument('<file>', 'an event log of another system, a JSON object on each line')
    .option('--title <text>', 'of the new one')
    .action(looking(importSession))
  const exporting = 'a whole conversation, to read or for programs'
  const form = 'a document, or every event on a line (--json is the same as jsonl)'
  subcommand(sessions, 'export', exporting, 'segno sessions export 0199a5c1 --out talk.md')
    .argument('<id>', WHICH)
    .addOption(new Option('--as <form>', form).choices(['markdown', 'jsonl']))
    .option('--out <file>', 'into this file instead of the terminal')
    .option('--force', 'also where that file is there already')
    .action(looking(exportSession))
  const remove = 'delete a conversation and its content, for good'
  subcommand(sessions, 'rm', remove, 'segno sessions rm 0199a5c1 --yes')
    .argument('<id>', WHICH)
    .option('--yes', 'do not ask')
    .action(
      looking((reached, id: string, { yes }: { yes?: boolean }) =>
        removeSession(reached, id, yes === true, world.confirm),
      ),
    )
}

interface ListFlags {
  readonly search?: string
  readonly archived?: boolean
  readonly limit?: number
}

export async function listSessions(reached: Reached, flags: ListFlags): Promise<Answer> {
  const { search, archived = false, limit } = flags
  const narrowed = search === undefined ? '' : `&search=${encodeURIComponent(search)}`
  const none = search === undefined ? 'There are no conversations.' : 'No title has all these words.'
  const words = { line: sessionLine, none, narrowing: '--search' }
  return listSome(reached, `/api/sessions?archived=${archived}${narrowed}`, limit, words)
}

function sessionLine({ id, title, usedAt, open, parent }: Session): string {
  const state = open ? `  [${open.state}]` : ''
  // The default title of a fork says so already.
  const fork = parent && !title.endsWith('(fork)') ? '  (fork)' : ''
  return `${id}  ${minute(usedAt)}  ${visible(title)}${fork}${state}`
}

async function importSession({ client }: Reached, file: string, { title }: { title?: string }): Promise<Answer> {
  const log = await readText(file)
  const made = await client.importSession({ log, title })
  const words = `${visible(made.title)}: nothing of it was executed. Go on with: segno chat --session ${made.id}`
  return { json: made, text: `${made.id}\n${words}` }
}

async function forkSession(reached: Reached, id: string, seq: number, { title }: { title?: string }): Promise<Answer> {
  const made = await reached.client.forkSession((await findSession(reached, id)).id, { seq, title })
  const words = `This session shares everything up to event ${seq} and goes its own way from there`
  return { json: made, text: `${made.id}\n${words}: ${visible(made.title)}` }
}

interface ExportFlags extends Flags {
  readonly as?: ExportForm
  readonly out?: string
  readonly force?: boolean
}

async function exportSession(reached: Reached, id: string, flags: ExportFlags): Promise<Answer | Pieces> {
  const { json, as = json ? 'jsonl' : 'markdown', out, force = false } = flags
  const pieces = exportedSession(reached, id, as)
  if (out === undefined) return { pieces, isJson: as === 'jsonl' }
  await saveTo(out, pieces, force)
  return { json: { file: out, as }, text: `It is in ${out}.` }
}

/** Deletes a session after a confirmation. */
async function removeSession(reached: Reached, id: string, yes: boolean, confirm: World['confirm']): Promise<Answer> {
  const session = await findSession(reached, id)
  const what = `"${visible(session.title)}", ${session.seq} events and their files`
  if (!yes) {
    if (!confirm)
      throw new Problem('VALIDATION_ERROR', `This would delete ${what}. Nobody can be asked here: say --yes.`)
    const forks = await forksOf(reached, session)
    const stays = forks === 0 ? '' : ` What ${forks === 1 ? 'its fork shares' : `its ${forks} forks share`} stays.`
    if (!(await confirm(`This deletes ${what}, for good.${stays} Delete? (yes/no) `)))
      return { json: { id: session.id, deleted: false }, text: 'Nothing was deleted.' }
  }
  await reached.client.deleteSession(session.id)
  return { json: { id: session.id, deleted: true }, text: `Deleted: ${what}.` }
}

async function forksOf({ client }: Reached, { id }: Session): Promise<number> {
  const items = await client.list<Session>(`/api/sessions/${id}/tree`)
  return items.filter(({ parent }) => parent?.sessionId === id).length
}
