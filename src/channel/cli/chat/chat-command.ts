import type { Command } from 'commander'
import { fstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { Client, NewSession, Session } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import { parseObject } from '../../../lib/parse-object.ts'
import { subcommand, type Cli, type Flags } from '../cli.ts'
import { findSession } from '../find-session.ts'
import { workspaceId } from '../find-workspace.ts'
import type { Reached } from '../reach.ts'
import { interactive } from './interactive.ts'
import { oneShot } from './one-shot.ts'
import { answerOptions, PARAM_WORDS, type ParamWords } from './param-words.ts'

interface ChatFlags extends Flags {
  readonly new?: boolean
  readonly session?: string
  readonly workspace?: string
}

export function chatTopic(segno: Command, { world, fail }: Cli): void {
  const description = 'talk with it at this terminal, or send one message (also over a pipe) and print the answer'
  const example = 'segno chat "What is 17 * 23?"\n  git diff | segno chat --json'
  const chat = subcommand(segno, 'chat [message]', description, example)
    .option('--new', 'begin a new conversation instead of going on with the last one')
    .option('--session <id>', 'go on with this conversation')
    .option('--workspace <id>', 'begin a new conversation in this workspace; segno workspaces ls lists them')
    .option('--model <key>', 'the model that answers; segno models lists them')
  for (const { option, value, means } of Object.values<ParamWords>(PARAM_WORDS))
    chat.option(`--${option} <${value}>`, means)
  chat.action(async (message: string | undefined, flags: ChatFlags) => {
    const reached = await world.converse(flags.server)
    try {
      if (!(await chatCommand(reached, message, flags))) fail()
    } finally {
      await reached.close()
    }
  })
}

/** False if the answer to a single message is not complete. */
async function chatCommand(reached: Reached, message: string | undefined, flags: ChatFlags): Promise<boolean> {
  const { stdin } = process
  const { home, server, client: api } = reached
  const params = answerOptions({ ...flags })
  const place = await placeOf(reached, flags)
  if (message === undefined && stdin.isTTY) {
    if (flags.json)
      throw new Problem('VALIDATION_ERROR', '--json needs a message: segno chat --json "What time is it?"')
    const me = await api.me()
    const last = server ?? 'here'
    const found = (await named(reached, flags)) ?? (await resumed(api, flags, lastSessions(home)[last]))
    const isChanged = found !== undefined && Object.keys(params).length > 0
    const session = isChanged ? await api.changeSession(found.id, params) : found
    await interactive({ reached, me, session, params, place, keep: (id) => keepLastSession(home, last, id) })
    return true
  }
  const piped = message === undefined || isPiped() ? await readAll(stdin) : ''
  const said = [message ?? '', piped]
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n\n')
  if (said === '') throw new Problem('VALIDATION_ERROR', 'There is nothing to send: segno chat "What time is it?"')
  const session = await named(reached, flags)
  return oneShot({ api, message: said, session, params, place, json: flags.json === true })
}

/** Such as `git diff | segno chat "explain this"`. */
function isPiped(): boolean {
  try {
    const input = fstatSync(0)
    return input.isFIFO() || input.isFile()
  } catch {
    return false
  }
}

async function named(reached: Reached, { session }: ChatFlags): Promise<Session | undefined> {
  return session === undefined ? undefined : findSession(reached, session)
}

/** Where a new conversation is begun. */
async function placeOf(
  { client }: Reached,
  { workspace, session }: ChatFlags,
): Promise<Pick<NewSession, 'workspaceId'>> {
  if (workspace === undefined) return {}
  if (session !== undefined)
    throw new Problem('VALIDATION_ERROR', 'A conversation stays in its workspace: leave out --session or --workspace.')
  return { workspaceId: await workspaceId(client, workspace) }
}

/** The last session, unless it was deleted or archived. */
async function resumed(api: Client, flags: ChatFlags, last: string | undefined): Promise<Session | undefined> {
  if (flags.new || flags.workspace !== undefined || last === undefined) return undefined
  try {
    const session = await api.session(last)
    return session.archived ? undefined : session
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

function keepLastSession(home: string, place: string, sessionId: string): void {
  mkdirSync(home, { recursive: true })
  const sessions = { ...lastSessions(home), [place]: sessionId }
  writeFileSync(join(home, 'chat.json'), JSON.stringify(sessions), { mode: 0o600 })
}

/** The last session at each server. */
function lastSessions(home: string): Readonly<Record<string, string>> {
  try {
    return (parseObject(readFileSync(join(home, 'chat.json'), 'utf8')) ?? {}) as Record<string, string>
  } catch {
    return {}
  }
}
