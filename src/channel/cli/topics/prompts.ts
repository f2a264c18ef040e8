import { Option, type Command } from 'commander'
import type { PromptVersion } from '../../../client/index.ts'
import { PROMPT_STATUSES } from '../../../contract/governed-prompt.ts'
import { Problem } from '../../../contract/problem.ts'
import { visibleText } from '../../../lib/visible.ts'
import { listSome, subcommand, wholeNumber, type Answer, type Cli } from '../cli.ts'
import { findByStart, isWholeId } from '../find-by-start.ts'
import { promptLine, promptText, told } from '../prompt-words.ts'
import type { Reached } from '../reach.ts'
import { readWords } from '../read-text.ts'

const FILE = 'a file with its words; - reads them from standard input'
const encoded = encodeURIComponent
const pathOf = (id: string): string => `/api/prompts/${encoded(id)}`

export function promptsTopic(segno: Command, { looking }: Cli): void {
  const prompts = segno
    .command('prompts')
    .description('what assistants are told in every conversation, version by version')
    .addHelpText('after', WALK)
  subcommand(prompts, 'ls', 'list them, newest first', 'segno prompts ls --status pending_review')
    .option('--workspace <id>', 'only those of this workspace')
    .addOption(new Option('--status <status>', 'only those').choices(PROMPT_STATUSES))
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listPrompts))
  subcommand(prompts, 'show <id>', 'one of them, with its words', 'segno prompts show 0199a5c1').action(
    looking(showPrompt),
  )
  const adding = 'write a draft; a name that is there already gets its next version'
  subcommand(prompts, 'add <name>', adding, 'segno prompts add "House rules" --file rules.md')
    .option('--file <path>', FILE)
    .option('--workspace <id>', 'for this workspace (default: system, for all that have none of their own)')
    .action(looking(addPrompt))
  subcommand(prompts, 'edit <id>', 'change a draft', 'segno prompts edit 0199a5c1 --file rules.md')
    .option('--file <path>', FILE)
    .option('--name <name>', 'another name')
    .action(looking(editPrompt))
  subcommand(prompts, 'diff <id>', 'what is different in it, line by line', 'segno prompts diff 0199a5c1')
    .option('--against <id>', 'compared with this one (default: the active one of its workspace)')
    .action(looking(diffPrompt))
  for (const [name, description, example] of STEPS) {
    const step = subcommand(prompts, `${name} <id>`, description, `segno prompts ${name} 0199a5c1${example}`)
    if (name !== 'submit' && name !== 'approve') step.option('--reason <text>', 'why, for the others')
    if (name === 'approve')
      step.option('--revision <n>', 'only if nobody changed it since: show tells its number', wholeNumber)
    step.action(looking((reached, id: string, flags: StepFlags) => takeStep(reached, name, id, flags)))
  }
}

const WALK = `
A draft becomes what assistants are told in four steps, and nobody approves their own words:
  segno prompts add "House rules" --file rules.md      a draft
  segno prompts submit <id>                            it waits for a review
  segno prompts approve <id>                           by somebody else (or reject <id> --reason "…")
  segno prompts activate <id>                          it counts from the next message on

The beginning of an id is enough. A reviewer who has a key: SEGNO_KEY=segno_… segno prompts approve <id>
To see later which words a model was told: segno replay <session> --prompt`

const STEPS = [
  ['submit', 'submit a draft for review', ''],
  ['approve', 'approve what others wrote', ''],
  ['reject', 'send it back to its author, with a reason', ' --reason "too long"'],
  ['activate', 'use it from the next message on, instead of the one before; an earlier one may come back', ''],
  ['deprecate', 'do not use it any more', ''],
] as const
type Step = (typeof STEPS)[number][0]

interface ListFlags {
  readonly workspace?: string
  readonly status?: string
  readonly limit?: number
}

async function listPrompts(reached: Reached, { workspace, status, limit }: ListFlags): Promise<Answer> {
  const narrowed = new URLSearchParams({
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(status !== undefined && { status }),
  })
  const none = 'There are no such prompts. Write one with: segno prompts add <name> --file <path>'
  const words = { line: promptLine, none, narrowing: '--workspace or --status' }
  return listSome(reached, `/api/prompts?${narrowed.toString()}`, limit, words)
}

/** The whole id of a prompt whose id begins so. */
async function wholeId({ client }: Reached, start: string): Promise<string> {
  if (isWholeId(start)) return start
  return (await findByStart(start, { one: 'prompt', all: () => client.listAll<PromptVersion>('/api/prompts?') })).id
}

const promptOf = async (reached: Reached, start: string): Promise<PromptVersion> =>
  reached.client.requestJson<PromptVersion>('GET', pathOf(await wholeId(reached, start)), { fields: ['id', 'content'] })

async function showPrompt(reached: Reached, id: string): Promise<Answer> {
  const prompt = await promptOf(reached, id)
  return { json: prompt, text: promptText(prompt) }
}

interface WriteFlags {
  readonly file?: string
  readonly name?: string
  readonly workspace?: string
}

async function addPrompt({ client }: Reached, name: string, { file, workspace }: WriteFlags): Promise<Answer> {
  if (file === undefined)
    throw new Problem('VALIDATION_ERROR', 'Say where its words are: --file <path>, or --file - for standard input.')
  const body = { name, workspaceId: workspace, content: await readWords(file) }
  return told(await client.requestJson<PromptVersion>('POST', '/api/prompts', { body, fields: ['id', 'status'] }))
}

async function editPrompt(reached: Reached, start: string, { file, name }: WriteFlags): Promise<Answer> {
  if (file === undefined && name === undefined)
    throw new Problem(
      'VALIDATION_ERROR',
      'Say what to change: --file <path> for its words, --name <name> for its name.',
    )
  const body = { name, content: file === undefined ? undefined : await readWords(file) }
  const path = pathOf(await wholeId(reached, start))
  return told(await reached.client.requestJson<PromptVersion>('PATCH', path, { body, fields: ['id', 'status'] }))
}

interface StepFlags {
  readonly reason?: string
  readonly revision?: number
}

async function takeStep(reached: Reached, step: Step, start: string, flags: StepFlags): Promise<Answer> {
  const { reason, revision } = flags
  if (step === 'reject' && reason === undefined)
    throw new Problem('VALIDATION_ERROR', 'A reason is needed, so that its author knows what to change: --reason "…".')
  const path = `${pathOf(await wholeId(reached, start))}/${step}`
  const options = { body: { reason, revision }, fields: ['id', 'status'] } as const
  return told(await reached.client.requestJson<PromptVersion>('POST', path, options))
}

interface Difference {
  readonly from: string
  readonly to: string
  readonly diff: string
  readonly added: number
  readonly removed: number
}

async function diffPrompt(
  reached: Reached,
  start: string,
  { against }: { readonly against?: string },
): Promise<Answer> {
  const id = await wholeId(reached, start)
  const other = against === undefined ? await activeBeside(reached, id) : await wholeId(reached, against)
  const path = `${pathOf(id)}/diff?against=${encoded(other)}`
  const found = await reached.client.requestJson<Difference>('GET', path, { fields: ['diff'] })
  const { diff, added, removed } = found
  const text = diff === '' ? 'They say the same.' : `${visibleText(diff)}\nlines: ${added} added, ${removed} removed`
  return { json: found, text }
}

async function activeBeside(reached: Reached, id: string): Promise<string> {
  const { workspaceId } = await promptOf(reached, id)
  const [active] = await reached.client.list<PromptVersion>(
    `/api/prompts?status=active&workspaceId=${encoded(workspaceId)}`,
  )
  if (active) return active.id
  throw new Problem('NOT_FOUND', `${workspaceId} has no active prompt; say what to compare with: --against <id>.`)
}
