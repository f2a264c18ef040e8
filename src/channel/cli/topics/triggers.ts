import type { Command } from 'commander'
import { automationsOf, type Trigger } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import { enabling, listing, removing, shownAs, showing } from '../automation-commands.ts'
import { EVENT_HELP, triggerText } from '../automation-words.ts'
import { subcommand, type Answer, type Cli } from '../cli.ts'
import { automationId, workflowId } from '../find-automation.ts'
import type { Reached } from '../reach.ts'

const KIND = { route: 'triggers', one: 'trigger', text: triggerText } as const
const NONE = 'There are no triggers. Add one with: segno triggers add <event> --workflow <name>'

export function triggersTopic(segno: Command, cli: Cli): void {
  const { looking } = cli
  const triggers = segno
    .command('triggers')
    .description('workflows that start when something happens')
    .addHelpText('after', WALK)
  listing(triggers, cli, KIND, NONE)
  showing(triggers, cli, KIND)
  const adding = 'start a workflow whenever an event comes that fits'
  const example = 'segno triggers add knowledge.published --workflow announce --where documentId=0199a5c1'
  withTriggerFlags(subcommand(triggers, 'add <event>', adding, example)).action(looking(addTrigger))
  const changing = 'change what is named here; everything else stays'
  withTriggerFlags(subcommand(triggers, 'change <id>', changing, 'segno triggers change 0199a5c1 --where plan=pro'))
    .option('--event <type>', 'another event')
    .option('--anywhere', 'whatever its payload is')
    .action(looking(changeTrigger))
  enabling(triggers, cli, KIND)
  removing(triggers, cli, KIND)
}

const WALK = `
${EVENT_HELP}

  segno triggers add user.signup --workflow welcome --where plan=pro --where address.country=DE
  segno events report user.signup --payload '{"plan": "pro", "address": {"country": "DE"}}'
  segno workflows runs welcome                       one run, however often the same event is told

The workflow gets {"event": "user.signup", "payload": {…}, "timestamp": "…"}: its input schema has to allow that.
It runs as you, with what you are allowed when the event comes. The beginning of an id is enough.`

const withTriggerFlags = (command: Command): Command =>
  command
    .option('--workflow <name>', 'the workflow it starts')
    .option('--where <path=value...>', 'only where the payload has this value there; all of them must hold')

interface TriggerFlags {
  readonly workflow?: string
  readonly where?: readonly string[]
  readonly event?: string
  readonly anywhere?: boolean
}

async function addTrigger({ client }: Reached, event: string, { workflow, where }: TriggerFlags): Promise<Answer> {
  if (workflow === undefined)
    throw new Problem(
      'VALIDATION_ERROR',
      'Say which workflow it starts: --workflow <name>; segno workflows ls has them.',
    )
  const filter = where === undefined ? {} : { filter: filterOf(where) }
  return shownAs(
    client,
    KIND,
    await automationsOf(client).add('triggers', { event, workflowId: await workflowId(client, workflow), ...filter }),
  )
}

async function changeTrigger({ client }: Reached, given: string, flags: TriggerFlags): Promise<Answer> {
  const { workflow, where, event, anywhere } = flags
  if (where !== undefined && anywhere === true)
    throw new Problem('VALIDATION_ERROR', 'Say --where or --anywhere, not both.')
  const filter = anywhere === true ? {} : where && filterOf(where)
  const changes = {
    ...(event !== undefined && { event }),
    ...(workflow !== undefined && { workflowId: await workflowId(client, workflow) }),
    ...(filter && { filter }),
  }
  if (Object.keys(changes).length === 0)
    throw new Problem('VALIDATION_ERROR', 'Say what to change: --event, --workflow, --where or --anywhere.')
  return shownAs(
    client,
    KIND,
    await automationsOf(client).change('triggers', await automationId(client, 'triggers', given), changes),
  )
}

/** `plan=pro`, `seats=5`, `trial=true`: what is no JSON is a text, and `code="5"` is the text 5. */
function filterOf(where: readonly string[]): Trigger['filter'] {
  return Object.fromEntries(
    where.map((text) => {
      const [path = '', value] = text.split(/=(.*)/s)
      if (path === '' || value === undefined)
        throw new Problem('VALIDATION_ERROR', `"${text}" is no condition, expected path=value, such as plan=pro.`)
      return [path, filterValue(value)]
    }),
  )
}

function filterValue(text: string): Trigger['filter'][string] {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
      return value
  } catch {
    // It is a text as it stands.
  }
  return text
}
