import type { Command } from 'commander'
import { fstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { Problem } from '../../../contract/problem.ts'
import { common, type Cli, type Common } from '../cli.ts'
import { findSession } from '../find-session.ts'
import type { Reached } from '../reach.ts'
import { createApi, type Api, type Session } from './api.ts'
import { interactive } from './interactive.ts'
import { oneShot } from './one-shot.ts'

interface ChatFlags extends Common {
  readonly new?: boolean
  readonly session?: string
}

export function chatTopic(segno: Command, { world, fail }: Cli): void {
  common(
    segno
      .command('chat [message]')
      .description('talk with it at this terminal, or send one message (also over a pipe) and print the answer'),
    'segno chat "What is 17 * 23?"\n  git diff | segno chat --json',
  )
    .option('--new', 'begin a new conversation instead of going on with the last one')
    .option('--session <id>', 'go on with this conversation')
    .action(async (message: string | undefined, flags: ChatFlags) => {
      const reached = await world.converse(flags.server)
      try {
        if (!(await chatCommand(reached, message, flags))) fail()
      } finally {
        await reached.close()
      }
    })
}

/** `segno chat`: with a person at a terminal, or one message and its answer. False: it did not go well. */
async function chatCommand(reached: Reached, message: string | undefined, flags: ChatFlags): Promise<boolean> {
  const { stdin, stdout, stderr, env } = process
  const { home, server } = reached
  const api = createApi(reached)
  if (message === undefined && stdin.isTTY) {
    if (flags.json)
      throw new Problem('VALIDATION_ERROR', '--json needs a message: segno chat --json "What time is it?"')
    const me = await api.me()
    const session = (await named(reached, api, flags)) ?? (await resumed(api, flags, lastSession(home, server)))
    const keep = (id: string): void => keepLastSession(home, server, id)
    await interactive({ reached, api, me, session, keep, stdin, stdout, env })
    return true
  }
  const piped = message === undefined || isPiped() ? await readAll(stdin) : ''
  const said = [message ?? '', piped]
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n\n')
  if (said === '') throw new Problem('VALIDATION_ERROR', 'There is nothing to send: segno chat "What time is it?"')
  const session = await named(reached, api, flags)
  return oneShot({ reached, api, message: said, session, json: flags.json === true, stdin, stdout, stderr })
}

/** Is something else than a terminal or nothing at all on our input: `git diff | segno chat "explain this"`? */
function isPiped(): boolean {
  try {
    const input = fstatSync(0)
    return input.isFIFO() || input.isFile()
  } catch {
    return false
  }
}

/** The session whose id, or its beginning, was given. */
async function named(reached: Reached, api: Api, { session }: ChatFlags): Promise<Session | undefined> {
  return session === undefined ? undefined : api.session((await findSession(reached, session)).id)
}

/** The last session, if it is still there. */
async function resumed(api: Api, flags: ChatFlags, last: string | undefined): Promise<Session | undefined> {
  if (flags.new || last === undefined) return undefined
  try {
    const session = await api.session(last)
    return session.archived ? undefined : session
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Where `segno chat` was last, by server; what cannot be read is nothing. */
function lastSession(home: string, server: string | undefined): string | undefined {
  return sessionsOf(home)[server ?? 'here']
}

function keepLastSession(home: string, server: string | undefined, sessionId: string): void {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'chat.json'), JSON.stringify({ ...sessionsOf(home), [server ?? 'here']: sessionId }), {
    mode: 0o600,
  })
}

function sessionsOf(home: string): Readonly<Record<string, string>> {
  try {
    const kept = JSON.parse(readFileSync(join(home, 'chat.json'), 'utf8')) as unknown
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {}
  } catch {
    return {}
  }
}
