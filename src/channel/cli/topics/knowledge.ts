import { Option, type Command } from 'commander'
import { readFile } from 'node:fs/promises'
import type { Client, KnowledgeDocument } from '../../../client/index.ts'
import { DOCUMENT_STATUSES, type Chunk, type Found } from '../../../contract/knowledge.ts'
import { Problem } from '../../../contract/problem.ts'
import type { VectorView } from '../../../contract/views.ts'
import { visible, visibleText } from '../../../lib/visible.ts'
import { listSome, subcommand, wholeNumber, type Answer, type Cli } from '../cli.ts'
import { pathOf, removeDocuments, STEP_NAMES, STEPS, takeSteps, wholeIds, type StepFlags } from '../document-steps.ts'
import { documentLine, documentText, documentTold } from '../document-words.ts'
import { workspaceId } from '../find-workspace.ts'
import { addDocument, formOf, type FileToAdd } from '../import-folder.ts'
import { importWithProgress, type ImportFlags } from '../import-report.ts'
import type { Reached } from '../reach.ts'

const PATH = '/api/knowledge'
const SYSTEM = 'system'

export function knowledgeTopic(segno: Command, { looking, world }: Cli): void {
  const knowledge = segno
    .command('knowledge')
    .description('documents that answers are given from, version by version')
    .addHelpText('after', WALK)
  const forWorkspace = 'for this workspace only (default: system, found in every conversation)'
  subcommand(knowledge, 'ls', 'list them, newest first', 'segno knowledge ls --status pending_review')
    .option('--workspace <id>', 'only those of this workspace')
    .addOption(new Option('--status <status>', 'only those').choices(DOCUMENT_STATUSES))
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listDocuments))
  subcommand(knowledge, 'show <id>', 'one of them', 'segno knowledge show 0199a5c1').action(looking(showDocument))
  subcommand(knowledge, 'chunks <id>', 'its words, piece by piece', 'segno knowledge chunks 0199a5c1')
    .option('--of <version>', 'of this version (default: the newest)', wholeNumber)
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(showChunks))
  subcommand(knowledge, 'add <file>', 'add a file as a draft', 'segno knowledge add leave.pdf')
    .option('--title <title>', 'default: the name of the file')
    .option('--workspace <id>', forWorkspace)
    .action(looking(addFile))
  const editing = 'give one other content, as a draft of its next version'
  subcommand(knowledge, 'edit <id>', editing, 'segno knowledge edit 0199a5c1 --file leave.pdf')
    .option('--file <path>', 'the new content')
    .option('--title <title>', 'another title')
    .action(looking(editDocument))
  const importing = 'add the files of a folder as drafts; files that did not change are left alone'
  subcommand(knowledge, 'import <folder>', importing, 'segno knowledge import ./handbook')
    .option('--workspace <id>', forWorkspace)
    .option('--publish', 'submit, approve and publish what is new, as far as you may')
    .action(looking((reached, folder: string, flags: ImportFlags) => importWithProgress(reached, folder, flags)))
  for (const name of STEP_NAMES) {
    const { means, example, all } = STEPS[name]
    const ids = all === undefined ? '<id...>' : '[id...]'
    const step = subcommand(knowledge, `${name} ${ids}`, means, `segno knowledge ${example}`)
    if (all !== undefined)
      step.option('--all', `all that are ${all}`).option('--workspace <id>', 'with --all: only those of this workspace')
    if (name !== 'submit' && name !== 'approve') step.option('--reason <text>', 'why, for the others')
    if (name === 'approve')
      step.option('--revision <n>', 'only if nobody changed it since: show tells its number', wholeNumber)
    step.action(looking((reached, given: string[], flags: StepFlags) => takeSteps(reached, name, given, flags)))
  }
  subcommand(knowledge, 'rm <id...>', 'delete them with all their versions, for good', 'segno knowledge rm 0199a5c1')
    .option('--yes', 'do not ask')
    .action(
      looking((reached, given: string[], { yes = false }: { yes?: boolean }) =>
        removeDocuments(reached, given, yes, world.confirm),
      ),
    )
  const searching = 'what a conversation would find'
  subcommand(knowledge, 'search <words...>', searching, 'segno knowledge search days of parental leave')
    .option('--workspace <id>', 'in a conversation of this workspace')
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(searchDocuments))
  subcommand(knowledge, 'status', 'how far finding by meaning is', 'segno knowledge status').action(looking(showIndex))
}

const WALK = `
A document is found in four steps, and nobody approves their own words:
  segno knowledge add leave.pdf        a draft (or import <folder>: all of a folder)
  segno knowledge submit <id>          it waits for a review
  segno knowledge approve <id>         by somebody else (or reject <id> --reason "…")
  segno knowledge publish <id>         it is found from now on

Each step takes several ids; submit, approve and publish take --all instead.
Markdown, text, HTML, PDF and DOCX can be read. The beginning of an id is enough.`

interface ListFlags {
  readonly workspace?: string
  readonly status?: string
  readonly limit?: number
}

async function listDocuments(reached: Reached, { workspace: start, status, limit }: ListFlags): Promise<Answer> {
  const workspace = start && (await workspaceId(reached.client, start))
  const narrowed = new URLSearchParams({
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(status !== undefined && { status }),
  })
  const none = 'There are no such documents. Add one with: segno knowledge add <file>'
  const words = { line: documentLine, none, narrowing: '--workspace or --status' }
  return listSome(reached, `${PATH}?${narrowed.toString()}`, limit, words)
}

async function showDocument(reached: Reached, id: string): Promise<Answer> {
  const path = pathOf(await wholeIds(reached)(id))
  const document = await reached.client.requestJson<KnowledgeDocument>('GET', path, { fields: ['id', 'status'] })
  return { json: document, text: documentText(document) }
}

interface ChunkFlags {
  readonly of?: number
  readonly limit?: number
}

async function showChunks(reached: Reached, start: string, { of, limit }: ChunkFlags): Promise<Answer> {
  const version = of === undefined ? '' : `version=${of}`
  const line = ({ chunk, place, text }: Chunk & { chunk: number }) =>
    `${chunk + 1}  ${visible(place)}\n${visibleText(text)}\n`
  const words = { line, none: 'It has no chunks.', narrowing: '--of' }
  return listSome(reached, `${pathOf(await wholeIds(reached)(start))}/chunks?${version}`, limit, words)
}

interface AddFlags {
  readonly title?: string
  readonly workspace?: string
}

async function addFile({ client }: Reached, file: string, { title, workspace = SYSTEM }: AddFlags): Promise<Answer> {
  const wanted: FileToAdd = {
    file,
    bytes: await bytesOf(file),
    workspaceId: await workspaceId(client, workspace),
    title,
  }
  return documentTold(await addDocument(client, wanted))
}

interface EditFlags {
  readonly file?: string
  readonly title?: string
}

async function editDocument(reached: Reached, start: string, { file, title }: EditFlags): Promise<Answer> {
  if (file === undefined && title === undefined)
    throw new Problem('VALIDATION_ERROR', 'Say what to change: --file <path> or --title <title>.')
  const form = file === undefined ? new FormData() : formOf(file, await bytesOf(file))
  if (title !== undefined) form.set('title', title)
  const path = pathOf(await wholeIds(reached)(start))
  return documentTold(await reached.client.requestJson('PATCH', path, { form, fields: ['id', 'status'] }))
}

async function bytesOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return readFile(file).catch((cause: unknown) => {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw new Problem('VALIDATION_ERROR', `${file} ${UNREADABLE[code] ?? `cannot be read: ${message}`}.`, { cause })
  })
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder; all of it: segno knowledge import <folder>',
}

interface SearchFlags {
  readonly workspace?: string
  readonly limit?: number
}

async function searchDocuments({ client }: Reached, words: string[], flags: SearchFlags): Promise<Answer> {
  const workspace = flags.workspace && (await workspaceId(client, flags.workspace))
  const body = { query: words.join(' '), workspaceId: workspace, limit: flags.limit }
  const { items } = await client.requestJson<{ items: readonly Found[] }>('POST', `${PATH}/search`, {
    body,
    fields: ['items'],
  })
  const text = items.map(foundText).join('\n')
  return { json: items, text: text || 'Nothing was found in published documents.' }
}

const foundText = ({ documentId, version, chunk, title, place, text, score }: Found): string =>
  `${score.toFixed(2)}  ${visible(title)}, ${visible(place)}  (${documentId} v${version}, chunk ${chunk + 1})\n` +
  `${visibleText(text)}\n`

async function showIndex({ client }: { readonly client: Client }): Promise<Answer> {
  const index = await client.requestJson<VectorView>('GET', `${PATH}/index`, { fields: ['model', 'all'] })
  const { model, hasVectors, done, all, searching, failure } = index
  if (!hasVectors) return { json: index, text: 'Documents are found by words only: this database has no vectors.' }
  const lines = [
    `${done} of ${all} chunks have a vector of ${visible(model)}, by which they are found by meaning.`,
    ...(searching === undefined ? [] : [`Until all have one, those of ${visible(searching)} are searched.`]),
    ...(failure === undefined ? [] : [`No vectors are made now: ${visible(failure)}. It is tried again.`]),
    ...(done < all ? ['The rest is made in the background, while segno serve runs.'] : []),
  ]
  return { json: index, text: lines.join('\n') }
}
