import { Option, type Command } from 'commander'
import type { WorkflowInput } from '../../client/index.ts'
import { ENGINE_NAMES, type EngineName } from '../../contract/automation.ts'
import { EFFECT_CLASSES, type EffectClass } from '../../contract/outcome.ts'
import { Problem } from '../../contract/problem.ts'
import type { ApprovalNeed } from '../../contract/tool.ts'
import { dollars, jsonObject, seconds, wholeNumber } from './cli.ts'
import { readText } from './read-text.ts'
import { readVariable } from './read-variable.ts'

export interface WorkflowFlags {
  readonly file?: string
  readonly description?: string
  readonly engine?: EngineName
  readonly url?: string
  readonly authHeader?: string
  readonly authEnv?: string
  readonly apiUrl?: string
  readonly apiKeyEnv?: string
  readonly connection?: string
  readonly type?: string
  readonly queue?: string
  readonly input?: string
  readonly output?: string
  readonly effect?: EffectClass
  readonly approval?: ApprovalNeed
  readonly cost?: number
  readonly perHour?: number
  readonly concurrent?: number
  readonly attempts?: number
  readonly timeout?: number
  readonly wait?: number
}

/** The flags that describe a workflow, for `add` and `change`. */
export const withWorkflowFlags = (command: Command): Command =>
  command
    .option('--file <path>', 'a JSON file with what is not said by other flags, as in POST /api/workflows')
    .option('--description <text>', 'what it does, for models and people')
    .addOption(new Option('--engine <name>', 'what runs it').choices(ENGINE_NAMES))
    .option('--url <url>', 'n8n, http: where it is; public, unless SEGNO_WORKFLOW_ORIGINS names its origin')
    .option('--auth-header <name>', "n8n: the header that its webhook's Header Auth checks")
    .option('--auth-env <variable>', 'n8n: read the value of that header from this variable; it is stored encrypted')
    .option('--api-url <url>', 'n8n: its public API, which tells how far an execution is; such as https://…/api/v1')
    .option('--api-key-env <variable>', 'n8n: read the key of that API from this variable; it is stored encrypted')
    .option('--connection <name>', 'temporal: one that SEGNO_TEMPORAL names')
    .option('--type <name>', 'temporal: the type of the workflow')
    .option('--queue <name>', 'temporal: its task queue')
    .option('--input <schema>', 'a file with the JSON Schema of its input, or the schema itself')
    .option('--output <schema>', 'the same of its output')
    .addOption(
      new Option('--effect <class>', 'what running it twice would do (default: unsafe)').choices(EFFECT_CLASSES),
    )
    .addOption(new Option('--approval <need>', 'who decides about a call of a model').choices(APPROVALS))
    .option('--cost <dollars>', 'what it costs each time, for budgets; 0 is nothing', dollars)
    .option('--per-hour <n>', 'how often it may be started in an hour', wholeNumber)
    .option('--concurrent <n>', 'how many may run at a time', wholeNumber)
    .option('--attempts <n>', 'how often handing over is tried, where that does no harm', wholeNumber)
    .option('--timeout <seconds>', 'how long handing over may take', seconds)
    .option('--wait <seconds>', 'how long to wait for a result that comes later', seconds)

const APPROVALS: readonly ApprovalNeed[] = ['auto', 'ask', 'always']

/** What the flags say, the file first. */
export async function workflowIn(flags: WorkflowFlags): Promise<Partial<WorkflowInput>> {
  const { file, description, engine, input, output, effect, approval, cost, attempts, timeout, wait } = flags
  const { perHour, concurrent } = flags
  const read: Partial<WorkflowInput> = file === undefined ? {} : await jsonFile(file)
  const target = targetIn(flags)
  const quota = { ...(perHour !== undefined && { perHour }), ...(concurrent !== undefined && { concurrent }) }
  return {
    ...read,
    ...(description !== undefined && { description }),
    ...(engine !== undefined && { engine }),
    ...(Object.keys(target).length > 0 && { target: { ...read.target, ...target } }),
    ...(input !== undefined && { input: await schemaIn(input) }),
    ...(output !== undefined && { output: await schemaIn(output) }),
    ...(effect !== undefined && { effect }),
    ...(approval !== undefined && { approval }),
    ...(cost !== undefined && { cost: Math.round(cost * 1_000_000) }),
    ...(Object.keys(quota).length > 0 && { quota: { ...read.quota, ...quota } }),
    ...(attempts !== undefined && { retry: { ...read.retry, attempts } }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
    ...(wait !== undefined && { waitMs: wait * 1000 }),
  }
}

const schemaIn = async (given: string): Promise<object> =>
  given.trimStart().startsWith('{') ? jsonObject(given, 'The schema') : jsonFile(given)

function targetIn({ url, authHeader, authEnv, apiUrl, apiKeyEnv, connection, type, queue }: WorkflowFlags): object {
  if ((authHeader === undefined) !== (authEnv === undefined))
    throw new Problem('VALIDATION_ERROR', 'Give --auth-header and --auth-env together.')
  if ((apiUrl === undefined) !== (apiKeyEnv === undefined))
    throw new Problem('VALIDATION_ERROR', 'Give --api-url and --api-key-env together.')
  return {
    ...(url !== undefined && { url }),
    ...(authHeader !== undefined &&
      authEnv !== undefined && { auth: { header: authHeader, value: readVariable(authEnv) } }),
    ...(apiUrl !== undefined && apiKeyEnv !== undefined && { api: { url: apiUrl, key: readVariable(apiKeyEnv) } }),
    ...(connection !== undefined && { connection }),
    ...(type !== undefined && { workflowType: type }),
    ...(queue !== undefined && { taskQueue: queue }),
  }
}

export const jsonFile = async (file: string): Promise<object> => jsonObject(await readText(file), `What is in ${file}`)
