import type { Command } from 'commander'
import { Problem } from '../../../contract/problem.ts'
import type { WorkView } from '../../../job/index.ts'
import type { CheckReport, Compacted, CopyReport } from '../../../store/index.ts'
import { subcommand, type Answer, type Cli, type Flags, type World } from '../cli.ts'
import type { Reached } from '../reach.ts'
import { safeOutput } from '../safe-output.ts'

const COPY_HELP = `
From segno.db in SEGNO_HOME into the database of SEGNO_DATABASE_URL, which must be empty. Stop Segno first.
All of it is one transaction: if it is interrupted nothing was copied, and it can simply be run again.
The file stays as it is.

For example:
  createdb segno
  SEGNO_HOME=/var/lib/segno SEGNO_DATABASE_URL=postgres://segno:password@db:5432/segno segno db copy`

export function databaseTopic(segno: Command, { world, print, looking }: Cli): void {
  const db = segno.command('db').description('the database itself')
  const check = 'is it sound, and does everything in it agree with the logs? exit code 1 if not'
  subcommand(db, 'check', check, 'segno db check --json').action(looking(checkDatabase))
  const compact = 'give the room of what was deleted back to the disk, beside everything else'
  subcommand(db, 'compact', compact, 'segno db compact').action(looking(compactDatabase))
  const migrate = 'bring it up to date without starting Segno (every start does so too)'
  subcommand(db, 'migrate', migrate, 'SEGNO_HOME=/var/lib/segno segno db migrate').action(async (flags: Flags) =>
    print(await migrateDatabase(world, flags.server), flags),
  )
  db.command('copy')
    .description('copy everything from SQLite into an empty PostgreSQL database, read it back and compare')
    .option('--json', 'for programs')
    .addHelpText('after', COPY_HELP)
    .action(async (flags: Flags) => print(await copyDatabase(world), flags))
}

const tell = (line: string): void => console.error(safeOutput(line))

export async function checkDatabase(reached: Reached): Promise<Answer> {
  const report = await telling(reached, () =>
    reached.client.requestJson<CheckReport>('GET', '/api/db/check', { fields: ['ok', 'findings'] }),
  )
  const { ok, sessions, events, findings } = report
  const sum = `${sessions} sessions, ${events} events`
  const found = findings.map((finding) => `  ${finding}`).join('\n')
  const text = ok ? `The database is sound: ${sum}.` : `The database is damaged: ${sum}.\n${found}`
  return { json: report, text, ok }
}

async function compactDatabase(reached: Reached): Promise<Answer> {
  const sizes = await telling(reached, () =>
    reached.client.requestJson<Compacted>('POST', '/api/db/compact', { fields: ['before', 'after', 'freed'] }),
  )
  const sum = `${bytes(sizes.freed)} given back: ${bytes(sizes.before)} before, ${bytes(sizes.after)} now.`
  return { json: sizes, text: sizes.needsRewrite ? `${sum}\n${REWRITE}` : sum }
}

/** A server that has the database open has migrated it already. */
async function migrateDatabase(world: World, server: string | undefined): Promise<Answer> {
  if (server === undefined) {
    try {
      const { file, found, now } = await world.migrate()
      const changed =
        found === now ? `is up to date: version ${now}` : `was brought from version ${found} to version ${now}`
      return {
        json: { file, found, now },
        text: `${file} ${found === 0 ? `was made, with version ${now}` : changed}.`,
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'STORE_BUSY') throw error
    }
  }
  const reached = await world.reach(server)
  try {
    await reached.client.requestJson<{ status: string }>('GET', '/health', { fields: ['status'] })
    const where = reached.server ?? 'this machine'
    const text = `Segno at ${where} has the database open, and brought it up to date when it started.`
    return { json: { server: reached.server }, text }
  } finally {
    await reached.close()
  }
}

export interface Copied extends CopyReport {
  readonly from: string
  readonly to: string
}

async function copyDatabase(world: World): Promise<Answer> {
  let toldAt = performance.now()
  const copied = await world.copy(({ doing, done, total }) => {
    if (performance.now() - toldAt < TELL_MS) return
    toldAt = performance.now()
    tell(`${doing === 'copying' ? 'Copying' : 'Reading back and comparing'}: ${percent(done, total)} …`)
  })
  const { from, to, sessions, events, files, sealed, rows, tables } = copied
  const lines = [
    `${from} was copied to ${to}.`,
    `Compared: ${sessions} sessions with ${events} events and ${files} files, in all ${rows} rows of ${tables} tables. Every value was read back and is the same.`,
    sealed.seq === 0
      ? 'The audit log is empty.'
      : `The audit log has ${sealed.seq} rows. All seals hold; the last one is ${sealed.hash}, as before.`,
    'The copy was checked as segno db check does, and is sound.',
    '',
    `Start every node with this SEGNO_DATABASE_URL. ${from} is as it was; do not start Segno with it again, or there are two.`,
    'Files of workspaces are not in the database: they must lie in a folder that all nodes share.',
  ]
  return { json: copied, text: lines.join('\n') }
}

const TELL_MS = 2000

const DOING: Readonly<Record<WorkView['doing'], (done: number, total: number) => string>> = {
  waiting: () => 'Waiting for other work on the database …',
  copying: (done, total) => `Making a copy to check: ${percent(done, total)} …`,
  checking: (done, total) => `Checking: ${done} of ${total} sessions …`,
  compacting: (done, total) => `Giving back room: ${percent(done, total)} …`,
}

/** Reports the progress of long work. */
async function telling<T>({ client }: Reached, work: () => Promise<T>): Promise<T> {
  let told = ''
  const timer = setInterval(() => {
    client
      .requestJson<{ work: WorkView | null }>('GET', '/api/db/work', { fields: ['work'] })
      .then(({ work: going }) => {
        const line = going ? DOING[going.doing](going.done, going.total) : told
        if (line !== told) tell(line)
        told = line
      })
      .catch(() => {})
  }, TELL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

const percent = (done: number, total: number): string => `${total === 0 ? 0 : Math.floor((100 * done) / total)} %`

const REWRITE =
  'This database is from before Segno could give back room while it runs; it must be written anew once.\n' +
  'That is done in the hours of SEGNO_QUIET_HOURS when nothing runs, or by segno db compact while Segno is stopped.'

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

function bytes(count: number): string {
  let unit = 0
  let size = count
  for (; size >= 1000 && unit < UNITS.length - 1; unit++) size /= 1000
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}
