import type { Command } from 'commander'
import { automationsOf, type Delivery } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import { enabling, listing, removing, renewing, showing, withSecret } from '../automation-commands.ts'
import { deliveryLine, EVENT_HELP, webhookText } from '../automation-words.ts'
import { listSome, subcommand, wholeNumber, type Answer, type Cli } from '../cli.ts'
import { automationId } from '../find-automation.ts'
import type { Reached } from '../reach.ts'

const KIND = { route: 'webhooks', one: 'webhook', text: webhookText } as const
const USE = 'Give it to the receiver, which checks signatures with it.'
const NONE = 'There are no webhooks. Add one with: segno webhooks add <url> --event <type>'

export function webhooksTopic(segno: Command, cli: Cli): void {
  const { looking } = cli
  const webhooks = segno
    .command('webhooks')
    .description('addresses that are told when something happens here')
    .addHelpText('after', WALK)
  listing(webhooks, cli, KIND, NONE)
  showing(webhooks, cli, KIND)
  const adding = 'tell an address of events; its secret is shown once'
  const example = 'segno webhooks add https://example.org/segno --event approval.requested'
  withWebhookFlags(subcommand(webhooks, 'add <url>', adding, example)).action(looking(addWebhook))
  const changing = 'change what is named here; everything else stays'
  const another = 'segno webhooks change 0199a5c1 --event approval.requested --event approval.completed'
  withWebhookFlags(subcommand(webhooks, 'change <id>', changing, another))
    .option('--no-content', 'send ids, types and sizes only')
    .option('--url <url>', 'another address')
    .action(looking(changeWebhook))
  renewing(webhooks, cli, 'webhooks', USE)
  enabling(webhooks, cli, KIND)
  removing(webhooks, cli, KIND)
  subcommand(webhooks, 'deliveries <id>', 'what it was told, newest first', 'segno webhooks deliveries 0199a5c1')
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listDeliveries))
  const again = 'send a delivery once more, also one that arrived; ids stand in front of deliveries'
  subcommand(webhooks, 'send-again <delivery>', again).action(looking(sendAgain))
}

const WALK = `
A webhook is told of events by a signed POST, and again for a day until it takes it:
  segno webhooks add https://example.org/segno --event approval.requested
  segno webhooks deliveries <id>                     did they arrive?
  segno webhooks send-again <delivery>

${EVENT_HELP}

It is sent ids, types, sizes and a link; with --content also words and arguments, which only somebody may ask for who
may read all conversations. The beginning of an id is enough, but not of a delivery.`

const withWebhookFlags = (command: Command): Command =>
  command
    .option('--event <type...>', 'which events; given several times, several; "*" is every one')
    .option('--content', 'send words and arguments too')

interface WebhookFlags {
  readonly event?: readonly string[]
  readonly content?: boolean
  readonly url?: string
}

async function addWebhook({ client }: Reached, url: string, { event, content }: WebhookFlags): Promise<Answer> {
  if (event === undefined)
    throw new Problem(
      'VALIDATION_ERROR',
      'Say which events it is told of: --event <type>; segno webhooks --help lists them.',
    )
  const body = { url, events: event, ...(content !== undefined && { content }) }
  const added = await automationsOf(client).add('webhooks', body)
  return withSecret(added, added, webhookText(added), USE)
}

async function changeWebhook({ client }: Reached, given: string, flags: WebhookFlags): Promise<Answer> {
  const { event, content, url } = flags
  const changes = {
    ...(url !== undefined && { url }),
    ...(event !== undefined && { events: event }),
    ...(content !== undefined && { content }),
  }
  if (Object.keys(changes).length === 0)
    throw new Problem('VALIDATION_ERROR', 'Say what to change: --url, --event, --content or --no-content.')
  const webhook = await automationsOf(client).change('webhooks', await automationId(client, 'webhooks', given), changes)
  return { json: webhook, text: webhookText(webhook) }
}

async function listDeliveries(
  reached: Reached,
  given: string,
  { limit }: { readonly limit?: number },
): Promise<Answer> {
  const id = await automationId(reached.client, 'webhooks', given)
  const words = { line: deliveryLine, none: 'It was told nothing so far.', narrowing: 'a smaller one' }
  return listSome<Delivery>(reached, `/api/webhooks/${encodeURIComponent(id)}/deliveries?`, limit, words)
}

async function sendAgain({ client }: Reached, delivery: string): Promise<Answer> {
  await automationsOf(client).sendAgain(delivery)
  return { json: { id: delivery, sent: true }, text: 'It is sent once more.' }
}
