import type { Command } from 'commander'
import { common, type Cli, type Common } from '../cli.ts'
import { chatCommand, type ChatFlags } from './chat-command.ts'

export function chatTopic(segno: Command, { world, fail }: Cli): void {
  common(
    segno
      .command('chat [message]')
      .description('talk with it at this terminal, or send one message (also over a pipe) and print the answer'),
    'segno chat "What is 17 * 23?"\n  git diff | segno chat --json',
  )
    .option('--new', 'begin a new conversation instead of going on with the last one')
    .option('--session <id>', 'go on with this conversation')
    .action(async (message: string | undefined, flags: Common & ChatFlags) => {
      const reached = await world.converse(flags.server)
      try {
        if (!(await chatCommand(reached, message, flags))) fail()
      } finally {
        await reached.close()
      }
    })
}
