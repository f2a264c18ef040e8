import { existsSync, readFileSync } from 'node:fs'
import type { JsonObject, Source, Usage } from '../../src/contract/message.ts'
import type { Replayed } from './replay-one.ts'

/** What Segno must make of a recording. What is left out may be either way. */
export interface Expected {
  readonly text: string
  readonly reasoning: string
  readonly calls?: readonly ExpectedCall[]
  readonly usage: Usage | null
  /** what it refers to, and the kinds of files it makes */
  readonly sources?: readonly Source[]
  readonly files?: readonly string[]
  readonly stopReason?: string
  /** the stream is no proper answer: it is tried again, and nothing of it is carried out */
  readonly fails: boolean
  /** how often it is tried in vain */
  readonly attempts?: number
  /** how many calls are carried out, where `calls` does not say it */
  readonly runs?: number
  /** tools that are called and do not exist */
  readonly notOffered?: readonly string[]
  /** false: it is sent without the mark that follows the last chunk */
  readonly done?: boolean
}

/** `raw`: arguments that are no JSON object; such a call is refused and told to the model. */
type ExpectedCall =
  | { readonly name: string; readonly args: JsonObject }
  | { readonly name: string; readonly raw: string }

/** The expectation beside a recording, if there is one. */
export function readExpected(file: string): Expected | undefined {
  const beside = file.replace(/\.chunks\.txt$/, '.expected.json')
  return existsSync(beside) ? (JSON.parse(readFileSync(beside, 'utf8')) as Expected) : undefined
}

/** The same facts of what happened, in the words of the expectation. */
export function inTheseWords(replayed: Replayed, expected: Expected): Expected {
  const { text, reasoning, calls, usage, stopReason, failure, attempts, runs, sources, files } = replayed
  return {
    text,
    reasoning,
    ...(expected.calls && {
      calls: calls.map(({ name, args, raw }) => (raw === undefined ? { name, args } : { name, raw })),
    }),
    usage,
    ...(sources.length > 0 && { sources }),
    ...(files.length > 0 && { files }),
    ...(expected.stopReason !== undefined && { stopReason: stopReason ?? 'none' }),
    fails: failure !== null,
    ...(expected.attempts !== undefined && { attempts }),
    runs,
  }
}

/** How many calls are to be carried out. */
export function expectedRuns({ calls = [], runs, notOffered = [] }: Expected): number {
  return runs ?? calls.filter((call) => 'args' in call && !notOffered.includes(call.name)).length
}
