import type { Command } from 'commander'
import { common, factor, type Cli, type Common } from '../cli.ts'
import { replay, type ReplayFlags } from '../replay-command.ts'

export function replayTopic(segno: Command, { looking, write }: Cli): void {
  common(
    segno
      .command('replay')
      .argument('<session>', 'its id, or the beginning of it')
      .description('play what is stored as it happened; no model and no tool is ever called'),
    'segno replay 0199a5c1 --speed 10',
  )
    .option('--round <id>', 'only this round')
    .option('--speed <n>', 'with the pauses there were, n times as fast (default: without pauses)', factor)
    .option('--outputs', 'with what the tools put out')
    .action((id: string, flags: ReplayFlags & Common) =>
      looking(flags, async (reached) => {
        await write(replay(reached, id, flags, flags.json === true), flags)
        return ''
      }),
    )
}
