import { Command, InvalidArgumentError, Option } from 'commander'
import { ROLES } from '../../contract/actor.ts'
import { exportedLines, fileLines, verifyCommand } from './audit-command.ts'
import { noticeClosedOutput } from './closed-output.ts'
import { addKey, listKeys, removeKey, type NewKeyFlags } from './keys-command.ts'
import { doctorCommand, type Diagnosis, type DoctorFlags } from './doctor-command.ts'
import { approveTool, listServers } from './mcp-command.ts'
import { decideApproval, listApprovals, listDoubtful, reconcileCall } from './people-commands.ts'
import { explainPolicy, type ExplainFlags } from './policy-command.ts'
import type { Reached } from './reach.ts'

/** What the commands need of the world. */
export interface World {
  readonly version: string
  serve(): Promise<void>
  /** Segno, running elsewhere or opened for this command. */
  reach(server: string | undefined): Promise<Reached>
  /** `ask`: also ask the standard model something */
  diagnose(ask: boolean): Promise<Diagnosis>
  print(text: string): void
}

const SETTINGS = `
Settings come from the environment, or from segno.config.json or segno.config.ts in this folder:
  SEGNO_HOST, SEGNO_PORT   where to listen (127.0.0.1, 4747; port 0 picks one)
  SEGNO_HOME               folder of the database (~/.segno)
  SEGNO_REQUIRE_KEY        on: everybody needs a key, also on this machine
  ANTHROPIC_API_KEY, OPENAI_API_KEY, DEEPSEEK_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY
                           one of them is enough; or OPENAI_COMPATIBLE_BASE_URL, or a local Ollama
  SEGNO_MODEL              the model to use, such as claude-sonnet or openai:gpt-4o (segno doctor lists them)
  SEGNO_SCRIPT             scenarios for the scripted model
  SEGNO_PROTOCOL           unified or triggered
  SEGNO_DURABILITY         full or normal
  SEGNO_LIMITS_...         see docs/settings.md`

/** The command line. The exit code is 0 when all went well, 1 when something did not, 2 when it was not understood. */
export function program(world: World): Command {
  let exitCode = 0
  const unread = noticeClosedOutput()
  const segno = new Command('segno')
    .description('A self-hosted AI orchestrator.')
    .version(world.version)
    .showHelpAfterError('(segno --help tells what there is)')
    .exitOverride()
    .hook('postAction', () => {
      process.exitCode = exitCode
    })

  async function reaching(flags: { server?: string }, use: (reached: Reached) => Promise<string>): Promise<void> {
    const reached = await world.reach(flags.server)
    try {
      const text = await use(reached)
      if (text !== '') world.print(text)
    } finally {
      await reached.close()
    }
  }

  segno
    .command('serve')
    .description('run the server')
    .addHelpText('after', SETTINGS)
    .action(() => world.serve())

  segno
    .command('doctor')
    .description(
      'tell how things stand: the model in use and why, which providers and models are usable, what is missing',
    )
    .option('--settings', 'every setting with its value, default and origin')
    .option('--ask', 'ask the standard model something, to see that its key works (this may cost a little)')
    .option('--json', 'for programs')
    .action(async (flags: DoctorFlags & { ask?: boolean }) => {
      const { text, ok } = doctorCommand(await world.diagnose(flags.ask === true), flags)
      if (!ok) exitCode = 1
      world.print(text)
    })

  const keys = segno.command('keys').description('keys that let others in')
  common(keys.command('add <name>').description('make a key; it is shown once'))
    .option('--user <id>', 'who asks with this key (default: the owner of this machine)')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).default('user'))
    .option('--scope <permission...>', 'only these of what the role may, e.g. chat:read')
    .option('--tenant <name>', 'of which tenant (default: local)')
    .option('--days <n>', 'after how many days it ends (default: never)', wholeNumber)
    .action((name: string, flags: NewKeyFlags & Common) =>
      reaching(flags, (reached) => addKey(reached, name, flags, flags.json === true)),
    )
  common(keys.command('ls').description('list the keys, without their secrets')).action((flags: Common) =>
    reaching(flags, (reached) => listKeys(reached, flags.json === true)),
  )
  common(keys.command('rm <id>').description('revoke a key; streams open under it end, rounds go on')).action(
    (id: string, flags: Common) => reaching(flags, (reached) => removeKey(reached, id, flags.json === true)),
  )

  const approvals = segno.command('approvals').description('calls that wait for a person')
  common(approvals.command('ls').description('what waits, with its exact arguments')).action((flags: Common) =>
    reaching(flags, (reached) => listApprovals(reached, flags.json === true)),
  )
  common(approvals.command('approve <id>').description('let a call run'))
    .option('--session', 'and the same target for the rest of its session')
    .option('--content <json>', 'what a running call asks for')
    .action((id: string, flags: Common & { session?: boolean; content?: string }) =>
      reaching(flags, (reached) => decideApproval(reached, id, 'approve', flags, flags.json === true)),
    )
  common(approvals.command('deny <id>').description('do not let a call run'))
    .option('--reason <text>', 'what the model is told')
    .action((id: string, flags: Common & { reason?: string }) =>
      reaching(flags, (reached) => decideApproval(reached, id, 'deny', flags, flags.json === true)),
    )

  const calls = segno.command('calls').description('calls whose effect nobody knows')
  common(calls.command('ls').description('those that nobody has settled')).action((flags: Common) =>
    reaching(flags, (reached) => listDoubtful(reached, flags.json === true)),
  )
  common(calls.command('reconcile <callId>').description('say whether a call did happen'))
    .option('--happened <yes|no>', 'whether it did')
    .option('--note <text>', 'how you know')
    .action((callId: string, flags: Common & { happened?: string; note?: string }) =>
      reaching(flags, (reached) => reconcileCall(reached, callId, flags, flags.json === true)),
    )

  const policy = segno.command('policy').description('what tools may do')
  common(
    policy
      .command('explain <tool> [args]')
      .description('say what would be decided about a call, by which rule and why; nothing is called'),
  )
    .addOption(new Option('--mode <mode>', 'in which kind of round').choices(['plan', 'act']))
    .option('--workspace <id>', 'in which workspace')
    .option('--tainted', 'suppose that the conversation holds text from outside')
    .addHelpText('after', '\nFor example:\n  segno policy explain web_fetch \'{"url": "https://example.org"}\'')
    .action((tool: string, args: string | undefined, flags: ExplainFlags & Common) =>
      reaching(flags, (reached) => explainPolicy(reached, tool, args, flags, flags.json === true)),
    )

  const mcp = segno.command('mcp').description('servers of tools that others wrote')
  common(mcp.command('ls').description('how they are, with their tools')).action((flags: Common) =>
    reaching(flags, (reached) => listServers(reached, flags.json === true)),
  )
  common(
    mcp
      .command('approve <server> <tool> [hash]')
      .description('show what changed in a tool that is held back, or trust exactly the definition with this hash'),
  ).action((server: string, tool: string, hash: string | undefined, flags: Common) =>
    reaching(flags, (reached) => approveTool(reached, server, tool, hash, flags.json === true)),
  )

  const audit = segno.command('audit').description('the sealed record of what was done')
  common(audit.command('verify').description('check every seal; exit code 1 if anything was changed'))
    .option('--head <seq:hash>', 'the head of an earlier verification: shows if the end was cut off')
    .option('--file <export>', 'check an export instead of the log itself')
    .action(async (flags: Common & { head?: string; file?: string }) => {
      const verify = async (lines: AsyncIterable<string>): Promise<string> => {
        const { text, ok } = await verifyCommand(lines, flags.head, flags.json === true)
        if (!ok) exitCode = 1
        return text
      }
      if (flags.file !== undefined) world.print(await verify(fileLines(flags.file)))
      else await reaching(flags, (reached) => verify(exportedLines(reached)))
    })
  common(audit.command('export').description('print all of it as JSON lines, with its seals and its head')).action(
    (flags: Common) =>
      reaching(flags, async (reached) => {
        for await (const line of exportedLines(reached)) {
          if (unread()) break
          world.print(line)
        }
        return ''
      }),
  )
  return segno
}

interface Common {
  readonly json?: boolean
  readonly server?: string
}

function common(command: Command): Command {
  return command
    .option('--json', 'for programs')
    .option('--server <url>', 'a Segno that runs elsewhere (its key in SEGNO_KEY)')
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('expected a whole number from 1 up.')
  return Number(text)
}
