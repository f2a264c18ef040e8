import { InvalidArgumentError, Option, type Command } from 'commander'
import type { ShownWorkspace, WorkspaceContext } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import type { ContextCall } from '../../../contract/workspace.ts'
import { parseObject } from '../../../lib/parse-object.ts'
import { listed, subcommand, type Answer, type Cli } from '../cli.ts'
import { workspaceId, workspacesOf } from '../find-workspace.ts'
import type { Reached } from '../reach.ts'
import { readWords } from '../read-text.ts'
import { contextLine, workspaceLine, workspaceText } from '../workspace-words.ts'

const PATH = '/api/workspaces'
const SWITCH = ['on', 'off'] as const
type Switch = (typeof SWITCH)[number]
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`

export function workspacesTopic(segno: Command, { looking }: Cli): void {
  const workspaces = segno
    .command('workspaces')
    .description('places for conversations of one purpose, and what assistants are told there')
    .addHelpText('after', '\nTo talk in one: segno chat --workspace <id>')
  subcommand(workspaces, 'ls', 'list them').action(looking(listWorkspaces))
  subcommand(workspaces, 'show <id>', 'all of one of them', 'segno workspaces show 0199a5c1').action(
    looking(showWorkspace),
  )
  subcommand(workspaces, 'add <name>', 'make one, with a folder of its own', 'segno workspaces add Support').action(
    looking(addWorkspace),
  )
  const example = 'segno workspaces set 0199a5c1 --files handbook.md notes/today.md --date off'
  subcommand(workspaces, 'set <id>', 'set what is named here; everything else stays', example)
    .option('--name <name>', 'another name')
    .option('--instructions <path>', 'a file with its instructions; - reads from standard input')
    .option('--files <path...>', 'text files of its folder that the model is told, instead of those before')
    .option('--call <json...>', 'calls of MCP servers whose results it is told, instead of those before', call)
    .addOption(new Option('--none <what...>', 'tell none of these any more').choices(['files', 'calls']))
    .addOption(new Option('--metadata <on|off>', 'tell it in which workspace it is').choices(SWITCH))
    .addOption(new Option('--system-info <on|off>', 'tell it which Segno this is').choices(SWITCH))
    .addOption(new Option('--date <on|off>', 'tell it the date').choices(SWITCH))
    .addHelpText('after', CALLS)
    .action(looking(setWorkspace))
  subcommand(workspaces, 'context <id>', 'how it is with its files and calls').action(looking(showContext))
  subcommand(workspaces, 'refresh <id>', 'make its calls now, and show how it is').action(looking(refreshContext))
}

const CALLS = `
A call, such as: --call '{"name": "Stock", "server": "shop", "tool": "stock", "args": {"of": "tea"}, "everyMs": 600000}'
Its tool must be declared pure and need no approval (SEGNO_MCP).`

function call(text: string, before: readonly object[] = []): readonly object[] {
  const value = parseObject(text)
  if (!value) throw new InvalidArgumentError('expected a JSON object.')
  return [...before, value]
}

async function listWorkspaces({ client }: Reached): Promise<Answer> {
  return listed(await workspacesOf(client), workspaceLine, 'There are none.')
}

async function showWorkspace(reached: Reached, start: string): Promise<Answer> {
  const path = pathOf(await workspaceId(reached.client, start))
  return shown(await reached.client.requestJson<ShownWorkspace>('GET', path, { fields: ['id', 'name'] }))
}

async function addWorkspace({ client }: Reached, name: string): Promise<Answer> {
  return shown(await client.requestJson<ShownWorkspace>('POST', PATH, { body: { name }, fields: ['id', 'name'] }))
}

interface SetFlags {
  readonly name?: string
  readonly instructions?: string
  readonly files?: readonly string[]
  readonly call?: readonly ContextCall[]
  readonly none?: readonly ('files' | 'calls')[]
  readonly metadata?: Switch
  readonly systemInfo?: Switch
  readonly date?: Switch
}

async function setWorkspace(reached: Reached, start: string, flags: SetFlags): Promise<Answer> {
  const { name, instructions, none = [], metadata, systemInfo, date } = flags
  const files = flags.files ?? (none.includes('files') ? [] : undefined)
  const dynamicContext = flags.call ?? (none.includes('calls') ? [] : undefined)
  const told = {
    ...(metadata !== undefined && { metadata: metadata === 'on' }),
    ...(systemInfo !== undefined && { systemInfo: systemInfo === 'on' }),
    ...(date !== undefined && { date: date === 'on' }),
  }
  const named = {
    ...(name !== undefined && { name }),
    ...(instructions !== undefined && { instructions: await readWords(instructions) }),
    ...(files !== undefined && { files }),
    ...(dynamicContext !== undefined && { dynamicContext }),
  }
  const tells = Object.keys(told).length > 0
  if (Object.keys(named).length === 0 && !tells)
    throw new Problem('VALIDATION_ERROR', 'Say what to set, such as --files handbook.md; --help lists all.')
  const path = pathOf(await workspaceId(reached.client, start))
  const { client } = reached
  const before = tells
    ? await client.requestJson<ShownWorkspace>('GET', path, { fields: ['promptSettings'] })
    : undefined
  const body = { ...named, ...(before && { promptSettings: { ...before.promptSettings, ...told } }) }
  return shown(await client.requestJson<ShownWorkspace>('PATCH', path, { body, fields: ['id', 'name'] }))
}

const shown = (workspace: ShownWorkspace): Answer => ({ json: workspace, text: workspaceText(workspace) })

type Context = { readonly items: readonly WorkspaceContext[] }

async function showContext(reached: Reached, start: string): Promise<Answer> {
  const path = `${pathOf(await workspaceId(reached.client, start))}/context`
  return contextShown(await reached.client.requestJson<Context>('GET', path, { fields: ['items'] }))
}

async function refreshContext(reached: Reached, start: string): Promise<Answer> {
  const path = `${pathOf(await workspaceId(reached.client, start))}/context/refresh`
  return contextShown(await reached.client.requestJson<Context>('POST', path, { fields: ['items'] }))
}

const contextShown = ({ items }: Context): Answer =>
  listed(items, contextLine, 'It has no files or calls. Set them with: segno workspaces set <id> --files <path>')
