import type { Command } from 'commander'
import { visible } from '../../../lib/visible.ts'
import { subcommand, type Answer, type Cli } from '../cli.ts'
import { modelRow, table } from '../model-rows.ts'
import type { Reached } from '../reach.ts'

export function modelsTopic(segno: Command, { looking }: Cli): void {
  subcommand(
    segno,
    'models',
    'list the models that can be used, also those that servers tell',
    'segno models --provider ollama',
  )
    .option('--provider <name>', 'only those of one provider')
    .option('--all', 'also those that cannot be used, with what is missing')
    .action(looking(listModels))
}

interface ModelsFlags {
  readonly provider?: string
  readonly all?: boolean
}

async function listModels({ client }: Reached, { provider, all = false }: ModelsFlags): Promise<Answer> {
  const models = (await client.models()).filter(
    (one) => (all || one.usable) && (provider === undefined || one.provider === provider),
  )
  // What a server calls its models is foreign text.
  const rows = models.map((one) => modelRow({ ...one, tools: one.capabilities.tools }).map(visible))
  return {
    json: models,
    text: table(rows).join('\n') || 'There are no such models. segno doctor tells what is missing.',
  }
}
