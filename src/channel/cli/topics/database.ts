import type { Command } from 'commander'
import { safeOutput } from '../safe-output.ts'
import { common, type Cli, type Common } from '../cli.ts'
import { checkDatabase, compactDatabase, migrateDatabase } from '../database-commands.ts'

const tell = (line: string): void => console.error(safeOutput(line))

export function databaseTopic(segno: Command, { world, print, looking, fail }: Cli): void {
  const db = segno.command('db').description('the database itself')
  common(
    db.command('check').description('is it sound, and does everything in it agree with the logs? exit code 1 if not'),
    'segno db check --json',
  ).action((flags: Common) =>
    looking(flags, async (reached) => {
      const { text, ok } = await checkDatabase(reached, flags.json === true, tell)
      if (!ok) fail()
      return text
    }),
  )
  common(
    db.command('compact').description('give the room of what was deleted back to the disk, beside everything else'),
    'segno db compact',
  ).action((flags: Common) => looking(flags, (reached) => compactDatabase(reached, flags.json === true, tell)))
  common(
    db.command('migrate').description('bring it up to date without starting Segno (every start does so too)'),
    'SEGNO_HOME=/var/lib/segno segno db migrate',
  ).action(async (flags: Common) => print(await migrateDatabase(world, flags.server, flags.json === true), flags))
}
