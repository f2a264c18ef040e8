import { Option, type Command } from 'commander'
import {
  automationsOf,
  type Client,
  type RunReport,
  type Workflow,
  type WorkflowInput,
  type WorkflowRun,
} from '../../../client/index.ts'
import { AUTOMATION_STATUSES } from '../../../contract/automation.ts'
import { INVOCATION_STATUSES } from '../../../contract/invocation.ts'
import { Problem } from '../../../contract/problem.ts'
import { noneOf, withSecret } from '../automation-commands.ts'
import { runLine, runListLine, runText, workflowLine, workflowText } from '../automation-words.ts'
import { jsonObject, listSome, subcommand, wholeNumber, type Answer, type Cli, type World } from '../cli.ts'
import { runId, workflowId } from '../find-automation.ts'
import type { Reached } from '../reach.ts'
import { jsonFile, withWorkflowFlags, workflowIn, type WorkflowFlags } from '../workflow-flags.ts'

export function workflowsTopic(segno: Command, { looking, reaching, world }: Cli): void {
  const workflows = segno
    .command('workflows')
    .description('processes outside, in n8n, in Temporal or behind a URL, each started once')
    .addHelpText('after', WALK)
  subcommand(workflows, 'ls', 'list them', 'segno workflows ls --status active')
    .addOption(new Option('--status <status>', 'only those').choices(AUTOMATION_STATUSES))
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listWorkflows))
  subcommand(workflows, 'show <name>', 'one of them, without what is secret', 'segno workflows show resize').action(
    looking(showWorkflow),
  )
  const adding = 'register one; the secret to sign with is shown once'
  withWorkflowFlags(subcommand(workflows, 'add <name>', adding))
    .addHelpText('after', ADD)
    .action(looking(addWorkflow))
  withWorkflowFlags(subcommand(workflows, 'change <name>', 'change what is named here; everything else stays'))
    .option('--rename <name>', 'another name')
    .addOption(new Option('--status <status>', 'deprecated: no longer offered to models').choices(STATUSES))
    .option('--revision <n>', 'only if nobody changed it since: show tells its number', wholeNumber)
    .action(looking(changeWorkflow))
  subcommand(workflows, 'disable <name>', 'start it no more; what runs goes on')
    .requiredOption('--reason <text>', 'why, for whoever would use it; needed')
    .action(looking(disableWorkflow))
  subcommand(workflows, 'enable <name>', 'let it be started again').action(looking(enableWorkflow))
  subcommand(workflows, 'secret <name>', 'make a new secret to sign with; the one before stays good').action(
    looking(renewSecret),
  )
  const invoking = 'start it and wait; exit code 1 if it did not succeed'
  subcommand(workflows, 'invoke <name>', invoking, `segno workflows invoke resize --input '{"file": "a.png"}'`)
    .option('--input <json>', 'what it is given (default: {})')
    .option('--input-file <path>', 'the same from a file; - reads from standard input')
    .option('--key <key>', 'with the same key it is started once, however often you ask')
    .option('--no-wait', 'do not wait for its result')
    .action(reaching(invoke))
  subcommand(workflows, 'runs [name]', 'what was started, newest first', 'segno workflows runs resize --status unknown')
    .addOption(new Option('--status <status>', 'only those').choices(INVOCATION_STATUSES))
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listRuns))
  subcommand(workflows, 'run <id>', 'one of them, with what came of it').action(looking(showRun))
  subcommand(workflows, 'cancel <id>', 'stop one, where its engine can').action(looking(cancelRun))
  const settling = 'say what became of one, where its engine cannot: success or failure'
  subcommand(workflows, 'settle <id> <outcome>', settling, `segno workflows settle 0199a5c1 success --output '{}'`)
    .option('--output <json>', 'of a success: its result')
    .option('--error <text>', 'of a failure: why')
    .action(looking(settleRun))
  subcommand(workflows, 'forget', 'erase what your runs were given and returned; the runs stay listed')
    .option('--user <id>', 'of somebody else')
    .option('--yes', 'without asking')
    .action(looking((reached, flags: ForgetFlags) => forgetRuns(reached, flags, world.confirm)))
}

const STATUSES = ['active', 'deprecated'] as const

const WALK = `
A workflow is registered once and then started by models, people, events, the clock or a hook:
  segno workflows add resize --file resize.json     (--help tells the flags)
  segno workflows invoke resize --input '{"file": "a.png"}'
  segno workflows runs resize                       what came of it

Models see it as the tool workflow_resize. Each start has a key, which is sent along: nothing is started twice.
The beginning of an id is enough. Who starts it otherwise: segno triggers, segno schedules, segno hooks.`

const ADD = `
For example:
  segno workflows add resize --engine n8n --url https://n8n.example.org/webhook/resize \\
    --auth-header x-segno --auth-env N8N_SECRET --input input.schema.json --effect keyed \\
    --description "Makes an image smaller"
  segno workflows add report --engine http --url https://example.org/report --input in.json --description "…"
  segno workflows add invoice --engine temporal --connection main --type Invoice --queue billing --input in.json \\
    --description "…"

What is secret is never given on the command line, where others on this machine could see it.`

interface ListFlags {
  readonly status?: string
  readonly limit?: number
}

async function listWorkflows(reached: Reached, { status, limit }: ListFlags): Promise<Answer> {
  const query = new URLSearchParams(status === undefined ? {} : { status })
  const none = 'There are no workflows. Register one with: segno workflows add <name> (--help tells how)'
  const words = { line: workflowLine, none: noneOf(none, status), narrowing: '--status' }
  return listSome<Workflow>(reached, `/api/workflows?${query.toString()}`, limit, words)
}

async function showWorkflow({ client }: Reached, given: string): Promise<Answer> {
  return shown(await automationsOf(client).workflow(await workflowId(client, given)))
}

const shown = (workflow: Workflow): Answer => ({ json: workflow, text: workflowText(workflow) })

async function addWorkflow({ client }: Reached, name: string, flags: WorkflowFlags): Promise<Answer> {
  const said = await workflowIn(flags)
  const missing = NEEDED.filter(([field]) => said[field] === undefined).map(([, flags]) => flags)
  if (missing.length > 0)
    throw new Problem(
      'VALIDATION_ERROR',
      `Say also ${missing.join(', ')}, or all of it in a --file; --help has examples.`,
    )
  const added = await automationsOf(client).addWorkflow({ ...(said as WorkflowInput), name })
  const text = `${workflowText(added)}\nTry it: segno workflows invoke ${name} --input '{…}'`
  return withSecret(added, added, text, USE)
}

const NEEDED = [
  ['description', '--description'],
  ['engine', '--engine'],
  ['target', '--url (of Temporal --connection, --type and --queue)'],
  ['input', '--input'],
] as const

const USE = 'Give it to the other side: it checks what we send with it, and signs what it reports back.'

interface ChangeFlags extends WorkflowFlags {
  readonly rename?: string
  readonly status?: (typeof STATUSES)[number]
  readonly revision?: number
}

async function changeWorkflow({ client }: Reached, given: string, flags: ChangeFlags): Promise<Answer> {
  const { rename, status, revision } = flags
  const said = await workflowIn(flags)
  const id = await workflowId(client, given)
  const body = {
    ...said,
    ...(said.target && { target: await wholeTarget(client, id, said) }),
    ...(rename !== undefined && { name: rename }),
    ...(status !== undefined && { status }),
  }
  if (Object.keys(body).length === 0)
    throw new Problem('VALIDATION_ERROR', 'Say what to change, such as --timeout 60; --help lists all.')
  return shown(await automationsOf(client).changeWorkflow(id, { ...body, ...(revision !== undefined && { revision }) }))
}

/** A target is changed as a whole; what is secret stays by itself. */
async function wholeTarget(client: Client, id: string, { engine, target }: Partial<WorkflowInput>): Promise<object> {
  const before = await automationsOf(client).workflow(id)
  if (engine !== undefined && engine !== before.engine) return { ...target }
  const { url, connection, workflowType, taskQueue } = before.target
  const kept = { url, connection, workflowType, taskQueue }
  return { ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)), ...target }
}

async function disableWorkflow({ client }: Reached, given: string, { reason }: { reason: string }): Promise<Answer> {
  return shown(await automationsOf(client).disableWorkflow(await workflowId(client, given), reason))
}

async function enableWorkflow({ client }: Reached, given: string): Promise<Answer> {
  return shown(await automationsOf(client).enableWorkflow(await workflowId(client, given)))
}

async function renewSecret({ client }: Reached, given: string): Promise<Answer> {
  const made = await automationsOf(client).renewWorkflowSecret(await workflowId(client, given))
  return withSecret(made, made, 'The one before it stays good until the next one is made.', USE)
}

interface InvokeFlags {
  readonly input?: string
  readonly inputFile?: string
  readonly key?: string
  readonly wait: boolean
}

async function invoke({ client, server }: Reached, given: string, flags: InvokeFlags): Promise<Answer> {
  const { input: text, inputFile, key, wait } = flags
  if (text !== undefined && inputFile !== undefined)
    throw new Problem('VALIDATION_ERROR', 'Say the input once: --input or --input-file.')
  const input = inputFile === undefined ? jsonObject(text ?? '{}', 'The input') : await jsonFile(inputFile)
  const id = await workflowId(client, given)
  const run = await automationsOf(client).invoke(id, { input, wait, idempotencyKey: key })
  const isOpen = run.status === 'pending' || run.status === 'running'
  const when = server === undefined ? 'It goes on while Segno runs (segno serve)' : 'It goes on without this command'
  const later = `${when}: segno workflows run ${run.id}`
  const told = [
    ...(isOpen ? [runLine(run), later] : [runText(run)]),
    ...(key === undefined ? ['The same input within five minutes is this run again; a new --key starts another.'] : []),
  ].join('\n')
  return { json: run, text: told, ok: isOpen || run.status === 'success' }
}

const told = (run: WorkflowRun): Answer => ({ json: run, text: runText(run) })

async function listRuns(reached: Reached, given: string | undefined, { status, limit }: ListFlags): Promise<Answer> {
  const query = new URLSearchParams({
    ...(given !== undefined && { workflowId: await workflowId(reached.client, given) }),
    ...(status !== undefined && { status }),
  })
  const none = noneOf('Nothing was started.', status)
  const words = { line: runListLine, none, narrowing: 'a workflow or --status' }
  return listSome<WorkflowRun>(reached, `/api/invocations?${query.toString()}`, limit, words)
}

async function showRun({ client }: Reached, given: string): Promise<Answer> {
  return told(await automationsOf(client).run(await runId(client, given)))
}

async function cancelRun({ client }: Reached, given: string): Promise<Answer> {
  const id = await runId(client, given)
  const before = await automationsOf(client).run(id)
  if (before.endedAt !== undefined)
    return { json: before, text: `It had ended already; nothing was stopped.\n${runText(before)}` }
  return told(await automationsOf(client).cancelRun(id))
}

async function settleRun(
  { client }: Reached,
  given: string,
  outcome: string,
  { output, error }: { readonly output?: string; readonly error?: string },
): Promise<Answer> {
  if (outcome !== 'success' && outcome !== 'failure')
    throw new Problem('VALIDATION_ERROR', 'Say success or failure after its id.')
  const report: RunReport = {
    status: outcome,
    ...(output !== undefined && { output: jsonValue(output) }),
    ...(error !== undefined && { error }),
  }
  return told(await automationsOf(client).reportRun(await runId(client, given), report))
}

interface ForgetFlags {
  readonly user?: string
  readonly yes?: boolean
}

async function forgetRuns(
  { client }: Reached,
  { user, yes = false }: ForgetFlags,
  confirm: World['confirm'],
): Promise<Answer> {
  const whose = user === undefined ? 'your runs' : `the runs of ${user}`
  if (!yes) {
    if (!confirm)
      throw new Problem(
        'VALIDATION_ERROR',
        `This would erase what ${whose} were given and returned. Nobody can be asked here: say --yes.`,
      )
    const asked = `This erases what ${whose} were given and returned, for good. Erase? (yes/no) `
    if (!(await confirm(asked))) return { json: { erased: false }, text: 'Nothing was erased.' }
  }
  await automationsOf(client).eraseRuns(user)
  return { json: { erased: true }, text: `What ${whose} were given and returned is erased.` }
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Problem('VALIDATION_ERROR', `The output must be JSON, such as '{"done": true}' or '"done"'.`, { cause })
  }
}
