import { InvalidArgumentError, type Command } from 'commander'
import { Problem } from '../../contract/problem.ts'
import { parseObject } from '../../lib/parse-object.ts'
import { visible } from '../../lib/visible.ts'
import type { CopyProgress } from '../../store/index.ts'
import type { Copied } from './topics/database.ts'
import type { Diagnosis } from './topics/service.ts'
import type { Reached } from './reach.ts'

/** What the commands need from the process they run in. */
export interface World {
  readonly version: string
  serve(): Promise<void>
  /** Connects to a server or opens Segno in this process. `passive`: it resumes no rounds. */
  reach(server: string | undefined, passive?: boolean): Promise<Reached>
  /** The same for a chat, which does not wait long for rounds when it ends. */
  converse(server: string | undefined): Promise<Reached>
  /** `ask`: also try the default model */
  diagnose(ask: boolean): Promise<Diagnosis>
  migrate(): Promise<Migrated>
  copy(onProgress: (progress: CopyProgress) => void): Promise<Copied>
  print(text: string): void
  /** Writes without a line end; resolves when there is room for more. */
  write(text: string): Promise<void>
  /** Undefined without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}

interface Migrated {
  readonly file: string
  /** version of the database before and after */
  readonly found: number
  readonly now: number
}

export interface Flags {
  readonly json?: boolean
  readonly server?: string
}

/** The result of a command, for programs and for people. */
export interface Answer {
  readonly json: unknown
  readonly indent?: number
  readonly text: string
  /** false: the exit code is 1 */
  readonly ok?: boolean
}

/** A result that is printed while it arrives. */
export interface Pieces {
  readonly pieces: AsyncIterable<string>
  /** default: as the flags say */
  readonly isJson?: boolean
}

export type Use<Given extends unknown[]> = (reached: Reached, ...given: Given) => Promise<Answer | Pieces> | Pieces

export interface Cli {
  readonly world: World
  /** Makes the action of a command: connects, runs it and prints the result. */
  reaching<Given extends unknown[]>(use: Use<Given>): (...given: unknown[]) => Promise<void>
  /** The same for commands that should not resume rounds. */
  looking<Given extends unknown[]>(use: Use<Given>): (...given: unknown[]) => Promise<void>
  /** Makes the text safe for a terminal. */
  print(answer: Answer | Pieces, flags: Flags): Promise<void>
  /** Sets the exit code to 1. */
  fail(): void
}

export function subcommand(parent: Command, usage: string, description: string, example?: string): Command {
  const command = parent
    .command(usage)
    .description(description)
    .option('--json', 'for programs')
    .option('--server <url>', 'a Segno that runs elsewhere (its key in SEGNO_KEY)')
  const words = [parent.parent, parent, command].flatMap((one) => (one === null ? [] : [one.name()]))
  command.showHelpAfterError(`(${words.join(' ')} --help tells how)`)
  return example === undefined ? command : command.addHelpText('after', `\nFor example:\n  ${example}`)
}

export interface ListWords<T> {
  readonly line: (item: T) => string
  readonly none: string
  /** names the flags that make the list shorter */
  readonly narrowing: string
}

export const listed = <T>(items: readonly T[], line: (item: T) => string, none: string): Answer => ({
  json: items,
  text: items.map(line).join('\n') || none,
})

/** The first items of a list, and whether there are more. */
export async function listSome<T>(
  { client }: Reached,
  path: string,
  limit = 20,
  { line, none, narrowing }: ListWords<T>,
): Promise<Answer> {
  const found = await client.listAll<T>(path, limit + 1)
  const items = found.slice(0, limit)
  const more = found.length > limit ? [`There are more: --limit ${limit * 5} shows them, ${narrowing} fewer.`] : []
  return { json: items, text: [...items.map(line), ...more].join('\n') || none }
}

/** `what` begins the sentence of the problem. */
export function jsonObject(text: string, what: string): object {
  const value = parseObject(text)
  if (value) return value
  throw new Problem('VALIDATION_ERROR', `${what} must be a JSON object, such as '{"name": "value"}'${faultIn(text)}.`)
}

/** Where it stops being JSON. */
function faultIn(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return `: ${visible((error as Error).message).replace(/\.$/, '')}`
  }
}

export const wholeNumber = (text: string): number => number(text, /^\d{1,5}$/, 'expected a whole number from 1 up.')

export const upToTen = (text: string): number => number(text, /^(?:\d|10)$/, 'expected a whole number from 1 to 10.')

export const seconds = (text: string): number =>
  number(text, /^\d{1,7}$/, 'expected a whole number of seconds, at most 9999999.')

export const eventNumber = (text: string): number => number(text, /^\d{1,8}$/, 'expected the number of an event.')

export const factor = (text: string): number => number(text, /^\d{1,6}(\.\d{1,3})?$/, 'expected a number above 0.')

/** To the micro-dollar. */
export function dollars(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text))
    throw new InvalidArgumentError('expected a number of dollars, such as 0.0025 or 0.')
  return Number(text)
}

function number(text: string, form: RegExp, expected: string): number {
  if (!form.test(text) || Number(text) <= 0) throw new InvalidArgumentError(expected)
  return Number(text)
}
