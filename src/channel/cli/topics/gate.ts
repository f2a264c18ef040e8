import { Option, type Command } from 'commander'
import { MODES } from '../../../contract/outcome.ts'
import { common, type Cli, type Common } from '../cli.ts'
import { approveTool, listServers } from '../mcp-command.ts'
import { explainPolicy, type ExplainFlags } from '../policy-command.ts'

/** What tools may do, and where those of others come from. */
export function gateTopic(segno: Command, { looking }: Cli): void {
  const policy = segno.command('policy').description('what tools may do')
  common(
    policy
      .command('explain <tool> [args]')
      .description('say what would be decided about a call, by which rule and why; nothing is called'),
    'segno policy explain web_fetch \'{"url": "https://example.org"}\'',
  )
    .addOption(new Option('--mode <mode>', 'in which kind of round').choices(MODES))
    .option('--workspace <id>', 'in which workspace')
    .option('--tainted', 'suppose that the conversation holds text from outside')
    .action((tool: string, args: string | undefined, flags: ExplainFlags & Common) =>
      looking(flags, (reached, json) => explainPolicy(reached, tool, args, flags, json)),
    )

  const mcp = segno.command('mcp').description('servers of tools that others wrote')
  common(mcp.command('ls').description('how they are, with their tools')).action((flags: Common) =>
    looking(flags, listServers),
  )
  common(
    mcp
      .command('approve <server> <tool> [hash]')
      .description('show what changed in a tool that is held back, or trust exactly the definition with this hash'),
  ).action((server: string, tool: string, hash: string | undefined, flags: Common) =>
    looking(flags, (reached, json) => approveTool(reached, server, tool, hash, json)),
  )
}
