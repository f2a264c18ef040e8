import { Option, type Command } from 'commander'
import type { Client, OwnMemory } from '../../../client/index.ts'
import { MEMORY_CATEGORIES, MEMORY_STATUSES } from '../../../contract/memory.ts'
import { Problem } from '../../../contract/problem.ts'
import { listSome, subcommand, upToTen, wholeNumber, type Answer, type Cli, type Pieces, type World } from '../cli.ts'
import { saveTo } from '../export-session.ts'
import { findByStart, isWholeId } from '../find-by-start.ts'
import { memoryLine, memoryText, OFF } from '../memory-words.ts'
import type { Reached } from '../reach.ts'
import { textIn } from '../text-in.ts'

const PATH = '/api/memories'
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`

export function memoriesTopic(segno: Command, { looking, world }: Cli): void {
  const memories = segno.command('memories').description('what is remembered of you; your own only')
  subcommand(memories, 'ls', 'list them, newest first', 'segno memories ls --status proposed')
    .addOption(new Option('--status <status>', 'only those').choices(MEMORY_STATUSES))
    .option('--limit <n>', 'how many', wholeNumber)
    .action(looking(listMemories))
  subcommand(memories, 'show <id>', 'one of them, and where it came from', 'segno memories show 0199a5c1').action(
    looking(showMemory),
  )
  const example = 'segno memories add "Prefers metric units" --category preference'
  withAbout(subcommand(memories, 'add <text>', 'have something remembered', example)).action(looking(addMemory))
  subcommand(memories, 'keep <id>', 'use a proposed one from now on', 'segno memories keep 0199a5c1').action(
    looking((reached, id: string) => changeMemory(reached, id, { status: 'active' })),
  )
  withAbout(subcommand(memories, 'edit <id>', 'change one', 'segno memories edit 0199a5c1 --text "Prefers miles"'))
    .option('--text <text>', 'other words; what was there before is shown as replaced')
    .action(looking(editMemory))
  subcommand(memories, 'rm <id>', 'delete one, and what it replaced', 'segno memories rm 0199a5c1').action(
    looking(removeMemory),
  )
  subcommand(memories, 'export', 'all of them as JSON', 'segno memories export --out memories.json')
    .option('--out <file>', 'into this file, which only you may read')
    .option('--force', 'replace the file if it is there')
    .action(looking(exportMemories))
  subcommand(memories, 'forget', 'delete all of them, and what waits to be remembered')
    .option('--yes', 'without asking')
    .action(looking((reached, { yes }: { yes?: boolean }) => forgetMemories(reached, yes === true, world.confirm)))
}

const withAbout = (command: Command): Command =>
  command
    .addOption(new Option('--category <name>', 'what it is about').choices(MEMORY_CATEGORIES))
    .option('--importance <n>', 'from 1 to 10; 5 if you do not say', upToTen)

interface ListFlags {
  readonly status?: string
  readonly limit?: number
}

async function listMemories(reached: Reached, { status, limit }: ListFlags): Promise<Answer> {
  const narrowed = new URLSearchParams(status === undefined ? {} : { status })
  const none = status === undefined ? 'Nothing is remembered of you.' : `No memory is ${status}.`
  const words = { line: memoryLine, none, narrowing: '--status' }
  const answer = await listSome<OwnMemory>(reached, `${PATH}?${narrowed.toString()}`, limit, words)
  const { allowMemory } = await reached.client.preferences()
  return allowMemory === true ? answer : { ...answer, text: `${answer.text}\n${OFF}` }
}

/** The whole id of a memory whose id begins so. */
async function wholeId({ client }: Reached, start: string): Promise<string> {
  if (isWholeId(start)) return start
  const all = () => client.listAll<OwnMemory>(`${PATH}?`)
  return (await findByStart(start, { one: 'memory', many: 'memories', all })).id
}

async function showMemory(reached: Reached, start: string): Promise<Answer> {
  const path = pathOf(await wholeId(reached, start))
  const memory = await reached.client.requestJson<OwnMemory>('GET', path, { fields: ['id', 'content'] })
  return { json: memory, text: memoryText(memory) }
}

interface About {
  readonly category?: string
  readonly importance?: number
}

async function addMemory({ client }: Reached, content: string, { category, importance }: About): Promise<Answer> {
  const body = { content, category, importance }
  const memory = await client.requestJson<OwnMemory>('POST', PATH, { body, fields: ['id', 'content'] })
  return told(client, memory)
}

/** With a word about it where nothing would use it. */
async function told(client: Client, memory: OwnMemory): Promise<Answer> {
  const { allowMemory } = await client.preferences()
  return { json: memory, text: memoryLine(memory) + (allowMemory === true ? '' : `\n${OFF}`) }
}

async function editMemory(reached: Reached, start: string, flags: About & { readonly text?: string }): Promise<Answer> {
  const { text: content, category, importance } = flags
  if (content === undefined && category === undefined && importance === undefined)
    throw new Problem('VALIDATION_ERROR', 'Say what to change: --text, --category or --importance.')
  return changeMemory(reached, start, { content, category, importance })
}

async function changeMemory(reached: Reached, start: string, body: object): Promise<Answer> {
  const path = pathOf(await wholeId(reached, start))
  const memory = await reached.client.requestJson<OwnMemory>('PATCH', path, { body, fields: ['id', 'content'] })
  return told(reached.client, memory)
}

async function removeMemory(reached: Reached, start: string): Promise<Answer> {
  const id = await wholeId(reached, start)
  await reached.client.requestEmpty('DELETE', pathOf(id))
  return { json: { id, deleted: true }, text: 'It is deleted, with what it replaced.' }
}

interface ExportFlags {
  readonly out?: string
  readonly force?: boolean
}

async function exportMemories({ client }: Reached, { out, force = false }: ExportFlags): Promise<Answer | Pieces> {
  const pieces = textIn(await client.request('GET', `${PATH}/export`), 'application/json')
  if (out === undefined) return { pieces, isJson: true }
  await saveTo(out, pieces, force)
  return { json: { file: out }, text: `They are in ${out}.` }
}

async function forgetMemories({ client }: Reached, yes: boolean, confirm: World['confirm']): Promise<Answer> {
  if (!yes) {
    if (!confirm)
      throw new Problem(
        'VALIDATION_ERROR',
        'This would delete all that is remembered of you. Nobody can be asked here: say --yes.',
      )
    if (!(await confirm('This deletes all that is remembered of you, for good. Delete? (yes/no) ')))
      return { json: { forgotten: 0 }, text: 'Nothing was deleted.' }
  }
  const { forgotten } = await client.requestJson<{ forgotten: number }>('DELETE', PATH, { fields: ['forgotten'] })
  return { json: { forgotten }, text: `Forgotten: ${forgotten}.` }
}
