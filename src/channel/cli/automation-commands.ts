import { Option, type Command } from 'commander'
import { automationsOf, type Client, type AutomationRoute, type AutomationWire } from '../../client/index.ts'
import { listSome, subcommand, wholeNumber, type Answer, type Cli } from './cli.ts'
import type { NameOf } from './automation-words.ts'
import { automationId, workflowNames } from './find-automation.ts'
import type { Reached } from './reach.ts'

interface Kind<Route extends AutomationRoute> {
  readonly route: Route
  /** what one of them is called */
  readonly one: string
  text(automation: AutomationWire[Route], nameOf: NameOf): string
}

/** `ls`, which all kinds have. */
export function listing<Route extends AutomationRoute>(
  topic: Command,
  { looking }: Cli,
  { route, text }: Kind<Route>,
  none: string,
): void {
  subcommand(topic, 'ls', 'list them, newest first', `segno ${route} ls --status disabled`)
    .addOption(new Option('--status <status>', 'only those').choices(['active', 'disabled']))
    .option('--limit <n>', 'how many', wholeNumber)
    .action(
      looking(async (reached: Reached, { status, limit }: ListFlags) => {
        const query = new URLSearchParams(status === undefined ? {} : { status })
        const nameOf = await workflowNames(reached.client)
        const line = (one: AutomationWire[Route]): string => text(one, nameOf)
        const words = { line, none: noneOf(none, status), narrowing: '--status' }
        return listSome<AutomationWire[Route]>(reached, `/api/${route}?${query.toString()}`, limit, words)
      }),
    )
}

/** What is said where a list is empty; nothing has to be added if only none has this status. */
export const noneOf = (none: string, status: string | undefined): string =>
  status === undefined ? none : `There is none with the status ${status}.`

interface ListFlags {
  readonly status?: string
  readonly limit?: number
}

/** `show`, which all kinds have. */
export function showing<Route extends AutomationRoute>(topic: Command, { looking }: Cli, kind: Kind<Route>): void {
  const example = `segno ${kind.route} show ${sample(kind.route)}`
  subcommand(topic, `show ${placeholder(kind.route)}`, 'one of them', example).action(
    looking(async ({ client }: Reached, given: string) =>
      shownAs(client, kind, await automationsOf(client).get(kind.route, await automationId(client, kind.route, given))),
    ),
  )
}

/** `disable` and `enable`, which all kinds have. */
export function enabling<Route extends AutomationRoute>(topic: Command, cli: Cli, kind: Kind<Route>): void {
  const place = placeholder(kind.route)
  subcommand(topic, `disable ${place}`, 'stop it for now', `segno ${kind.route} disable ${sample(kind.route)}`)
    .option('--reason <text>', 'why, for the others')
    .action(
      cli.looking((reached: Reached, given: string, { reason }: { readonly reason?: string }) =>
        setStatus(reached, kind, given, { status: 'disabled', reason }),
      ),
    )
  subcommand(topic, `enable ${place}`, 'let it go on', `segno ${kind.route} enable ${sample(kind.route)}`).action(
    cli.looking((reached: Reached, given: string) => setStatus(reached, kind, given, { status: 'active' })),
  )
}

/** `rm`, which all of these kinds have. */
export function removing<Route extends AutomationRoute>(topic: Command, { looking }: Cli, kind: Kind<Route>): void {
  const { route, one } = kind
  subcommand(topic, `rm ${placeholder(route)}`, 'remove it, for good', `segno ${route} rm ${sample(route)}`).action(
    looking(async ({ client }: Reached, given: string): Promise<Answer> => {
      const id = await automationId(client, route, given)
      await automationsOf(client).remove(route, id)
      return { json: { id, removed: true }, text: `The ${one} ${given} is removed.` }
    }),
  )
}

/** `secret`, for what signs or is signed. */
export function renewing(topic: Command, { looking }: Cli, route: 'webhooks' | 'hooks', use: string): void {
  const making = 'make a new secret to sign with; the one before stays good until the next'
  subcommand(topic, `secret ${placeholder(route)}`, making, `segno ${route} secret ${sample(route)}`).action(
    looking(async ({ client }: Reached, given: string): Promise<Answer> => {
      const made = await automationsOf(client).renewSecret(route, await automationId(client, route, given))
      return withSecret(made, made, 'The one before it stays good until the next one is made.', use)
    }),
  )
}

/** An answer with a secret that is shown once; `use`: what to do with it. */
export const withSecret = (json: object, { secret }: { secret?: string }, text: string, use: string): Answer => ({
  json,
  text: secret === undefined ? text : `${secret}\nThis secret is shown only now. ${use}\n${text}`,
})

const placeholder = (route: AutomationRoute): string => (route === 'hooks' ? '<name>' : '<id>')
const sample = (route: AutomationRoute): string => (route === 'hooks' ? 'orders' : '0199a5c1')

/** It with the names of the workflows it starts. */
export async function shownAs<Route extends AutomationRoute>(
  client: Client,
  kind: Kind<Route>,
  automation: AutomationWire[Route],
): Promise<Answer> {
  return { json: automation, text: kind.text(automation, await workflowNames(client)) }
}

interface StatusChange {
  readonly status: 'active' | 'disabled'
  readonly reason?: string | undefined
}

async function setStatus<Route extends AutomationRoute>(
  { client }: Reached,
  kind: Kind<Route>,
  given: string,
  change: StatusChange,
): Promise<Answer> {
  const id = await automationId(client, kind.route, given)
  return shownAs(client, kind, await automationsOf(client).setStatus(kind.route, id, change))
}
