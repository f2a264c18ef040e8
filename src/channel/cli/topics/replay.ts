import type { Command } from 'commander'
import type { WireEvent } from '../../../client/index.ts'
import { delay } from '../../../lib/delay.ts'
import { duration } from '../chat/words.ts'
import { factor, subcommand, type Cli, type Flags } from '../cli.ts'
import { eventWords, indented } from '../event-words.ts'
import { findSession } from '../find-session.ts'
import type { Reached } from '../reach.ts'

export function replayTopic(segno: Command, { looking }: Cli): void {
  const description = 'play what is stored as it happened; no model and no tool is ever called'
  subcommand(segno, 'replay', description, 'segno replay 0199a5c1 --speed 10')
    .argument('<session>', 'its id, or the beginning of it')
    .option('--round <id>', 'only this round')
    .option('--speed <n>', 'with the pauses there were, n times as fast (default: without pauses)', factor)
    .option('--outputs', 'with what the tools put out')
    .action(looking((reached, id: string, flags: ReplayFlags) => ({ pieces: replay(reached, id, flags) })))
}

interface ReplayFlags extends Flags {
  readonly round?: string
  readonly speed?: number
  readonly outputs?: boolean
}

/** Plays the stored events. */
export async function* replay(
  reached: Reached,
  id: string,
  { round, speed, outputs = false, json }: ReplayFlags,
  wait: (ms: number) => Promise<void> = delay,
): AsyncGenerator<string> {
  const { id: sessionId } = await findSession(reached, id)
  let first: number | undefined
  let last = 0
  for await (const event of reached.client.events(sessionId, { outputs, ...(round !== undefined && { round }) })) {
    const at = Date.parse(event.at)
    first ??= at
    if (speed !== undefined && last > 0) await wait((at - last) / speed)
    last = at
    const text = json ? JSON.stringify(event) : told(event, at - first)
    if (text !== undefined) yield `${text}\n`
  }
}

function told(event: WireEvent, since: number): string | undefined {
  const words = eventWords(event)
  if (!words) return undefined
  const line = `${`+${duration(Math.max(since, 0))}`.padStart(10)}  [${event.seq}] ${words.line}`
  return words.text ? `${line}\n${indented(words.text)}` : line
}
