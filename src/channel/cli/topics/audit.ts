import type { Command } from 'commander'
import { exportedLines, fileLines, verifyCommand } from '../audit-command.ts'
import { common, type Cli, type Common } from '../cli.ts'

export function auditTopic(segno: Command, { print, write, looking, fail }: Cli): void {
  const audit = segno.command('audit').description('the sealed record of what was done')
  common(audit.command('verify').description('check every seal; exit code 1 if anything was changed'))
    .option('--head <seq:hash>', 'the head of an earlier verification: shows if the end was cut off')
    .option('--file <export>', 'check an export instead of the log itself')
    .action(async (flags: Common & { head?: string; file?: string }) => {
      const verify = async (lines: AsyncIterable<string>): Promise<string> => {
        const { text, ok } = await verifyCommand(lines, flags.head, flags.json === true)
        if (!ok) fail()
        return text
      }
      if (flags.file !== undefined) print(await verify(fileLines(flags.file)), flags)
      else await looking(flags, (reached) => verify(exportedLines(reached)))
    })
  common(audit.command('export').description('print all of it as JSON lines, with its seals and its head')).action(
    (flags: Common) =>
      looking(flags, async (reached) => {
        await write(linesOf(exportedLines(reached)), { json: true })
        return ''
      }),
  )
}

async function* linesOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}
