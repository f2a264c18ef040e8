import type { Command } from 'commander'
import { automationsOf } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import { visible } from '../../../lib/visible.ts'
import { jsonObject, subcommand, type Answer, type Cli } from '../cli.ts'
import type { Reached } from '../reach.ts'
import { readText } from '../read-text.ts'

export function eventsTopic(segno: Command, { looking }: Cli): void {
  const events = segno.command('events').description('tell Segno what happened outside').addHelpText('after', WALK)
  const reporting = 'report an event, for triggers and webhooks'
  const example = `segno events report user.signup --payload '{"plan": "pro"}' --id signup-4711`
  subcommand(events, 'report <type>', reporting, example)
    .option('--payload <json>', 'what happened (default: {})')
    .option('--payload-file <path>', 'the same from a file; - reads from standard input')
    .option('--id <id>', 'its own id: with the same id it counts once, however often you report it')
    .action(looking(report))
}

const WALK = `
Triggers start workflows for events (segno triggers), webhooks tell others of them (segno webhooks).
The type is user.signup, user.subscription.changed, or a name of your own such as order.paid.
What is in a payload is data: no model takes it for an order. It needs workflow:manage.`

interface ReportFlags {
  readonly payload?: string
  readonly payloadFile?: string
  readonly id?: string
}

async function report({ client }: Reached, type: string, { payload, payloadFile, id }: ReportFlags): Promise<Answer> {
  if (payload !== undefined && payloadFile !== undefined)
    throw new Problem('VALIDATION_ERROR', 'Say the payload once: --payload or --payload-file.')
  const text = payloadFile === undefined ? (payload ?? '{}') : await readText(payloadFile)
  const reported = await automationsOf(client).report({ id, type, payload: jsonObject(text, 'The payload') })
  return {
    json: reported,
    text: `Reported as ${visible(reported.id)}. A Segno that runs tells triggers and webhooks of it.`,
  }
}
