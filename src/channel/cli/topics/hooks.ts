import type { Command } from 'commander'
import { automationsOf } from '../../../client/index.ts'
import type { Action } from '../../../contract/automation.ts'
import { Problem } from '../../../contract/problem.ts'
import { actionIn, withActionFlags, type ActionFlags } from '../action-flags.ts'
import { enabling, listing, removing, renewing, shownAs, showing, withSecret } from '../automation-commands.ts'
import { hookText } from '../automation-words.ts'
import { subcommand, type Answer, type Cli } from '../cli.ts'
import { automationId } from '../find-automation.ts'
import type { Reached } from '../reach.ts'

const KIND = { route: 'hooks', one: 'hook', text: hookText } as const
const USE = 'Give it to whoever calls the hook: they sign with it.'
const NONE = 'There are no hooks. Add one with: segno hooks add <name> --event <type>'

export function hooksTopic(segno: Command, cli: Cli): void {
  const { looking } = cli
  const hooks = segno
    .command('hooks')
    .description('addresses that others call, signed, to start something here')
    .addHelpText('after', WALK)
  listing(hooks, cli, KIND, NONE)
  showing(hooks, cli, KIND)
  const adding = 'make one; its secret is shown once'
  withHookFlags(subcommand(hooks, 'add <name>', adding, 'segno hooks add orders --event order.paid')).action(
    looking(addHook),
  )
  const changing = 'change what is named here; everything else stays'
  withHookFlags(subcommand(hooks, 'change <name>', changing, 'segno hooks change orders --workflow ship'))
    .option('--rename <name>', 'another name, and so another address')
    .action(looking(changeHook))
  renewing(hooks, cli, 'hooks', USE)
  enabling(hooks, cli, KIND)
  removing(hooks, cli, KIND)
}

const WALK = `
A hook is the address POST /api/hooks/<name>. Whoever calls it signs as Standard Webhooks says; it does one of these:
  segno hooks add orders --event order.paid             tells triggers of what came (segno triggers)
  segno hooks add ship --workflow ship                  runs a workflow with what came
  segno hooks add alarms --session 0199a5c1 --say "An alarm came in: {{payload}}"
                                                        says something, with what came as data: {{payload.host}}

It runs as you, with what you are allowed when it is called. What comes from outside is never an order to the model.
The same message id counts once. Others wanting to hear of Segno instead: segno webhooks.`

const withHookFlags = (command: Command): Command =>
  withActionFlags(command, {
    input: 'what the workflow is given, with {{payload.a.b}} for a field (default: all that came)',
    say: 'the message, with {{payload}} or {{payload.a.b}} for what came',
  }).option('--event <type>', 'or report this event, which triggers can wait for')

interface HookFlags extends ActionFlags {
  readonly event?: string
  readonly rename?: string
}

/** What the flags name, undefined if nothing. */
async function hookAction(reached: Reached, { event, ...others }: HookFlags): Promise<Action | undefined> {
  const action = await actionIn(reached, others)
  if (event === undefined) return action
  if (action)
    throw new Problem('VALIDATION_ERROR', 'Say one thing to do: --event, --workflow, or --session with --say.')
  return { does: 'event', type: event }
}

async function addHook(reached: Reached, name: string, flags: HookFlags): Promise<Answer> {
  const action = await hookAction(reached, flags)
  if (action === undefined)
    throw new Problem(
      'VALIDATION_ERROR',
      'Say what it does: --event <type>, --workflow <name>, or --session <id> --say "…".',
    )
  const added = await automationsOf(reached.client).add('hooks', { name, action })
  return withSecret(added, added, (await shownAs(reached.client, KIND, added)).text, USE)
}

async function changeHook(reached: Reached, given: string, flags: HookFlags): Promise<Answer> {
  const action = await hookAction(reached, flags)
  const { rename } = flags
  const changes = { ...(rename !== undefined && { name: rename }), ...(action && { action }) }
  if (Object.keys(changes).length === 0)
    throw new Problem('VALIDATION_ERROR', 'Say what to change, such as --event order.paid; --help lists all.')
  const { client } = reached
  const hook = await automationsOf(client).change('hooks', await automationId(client, 'hooks', given), changes)
  return shownAs(client, KIND, hook)
}
