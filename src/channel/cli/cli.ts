import { InvalidArgumentError, type Command } from 'commander'
import type { Diagnosis } from './doctor-command.ts'
import type { Reached } from './reach.ts'

/** What the commands need of the world. */
export interface World {
  readonly version: string
  serve(): Promise<void>
  /** Segno, running elsewhere or opened for this command. `looks`: so that no round goes on by it. */
  reach(server: string | undefined, looks?: boolean): Promise<Reached>
  /** The same for a person who talks with it, and does not wait long when they leave. */
  converse(server: string | undefined): Promise<Reached>
  /** `ask`: also ask the standard model something */
  diagnose(ask: boolean): Promise<Diagnosis>
  /** Opens the database, which brings it up to date. */
  migrate(): Promise<Migrated>
  print(text: string): void
  /** Exactly this; resolves when there is room for more. */
  write(text: string): Promise<void>
  /** Asks whoever sits at the terminal; undefined where nobody does. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}

export interface Migrated {
  readonly file: string
  /** versions of the database: as it was found, and now */
  readonly found: number
  readonly now: number
}

/** What is printed: JSON, or words for a person */
export interface Form {
  readonly json?: boolean
}

/** What every command is given besides its own arguments. */
export interface Cli {
  readonly world: World
  /** Prints what comes of asking a Segno. */
  reaching(flags: Common, use: (reached: Reached, json: boolean) => Promise<string>): Promise<void>
  /** The same for who only looks, or changes nothing but what is named: no round goes on by it. */
  looking(flags: Common, use: (reached: Reached, json: boolean) => Promise<string>): Promise<void>
  /** Prints what others may have written: nothing in it commands the terminal. */
  print(text: string, as: Form): void
  /** The same piece by piece, for as long as somebody reads it. */
  write(texts: AsyncIterable<string>, as: Form): Promise<void>
  /** Something was not well: the exit code will say so. */
  fail(): void
}

export interface Common extends Form {
  readonly server?: string
}

export function common(command: Command, example?: string): Command {
  command
    .option('--json', 'for programs')
    .option('--server <url>', 'a Segno that runs elsewhere (its key in SEGNO_KEY)')
  return example === undefined ? command : command.addHelpText('after', `\nFor example:\n  ${example}`)
}

export const wholeNumber = (text: string): number => number(text, /^\d{1,5}$/, 'expected a whole number from 1 up.')

export const eventNumber = (text: string): number => number(text, /^\d{1,8}$/, 'expected the number of an event.')

export const factor = (text: string): number => number(text, /^\d{1,6}(\.\d{1,3})?$/, 'expected a number above 0.')

function number(text: string, form: RegExp, expected: string): number {
  if (!form.test(text) || Number(text) <= 0) throw new InvalidArgumentError(expected)
  return Number(text)
}
