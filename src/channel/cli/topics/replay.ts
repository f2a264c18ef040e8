import type { Command } from 'commander'
import type { WireEvent } from '../../../client/index.ts'
import type { SentPromptView } from '../../../contract/views.ts'
import { Problem } from '../../../contract/problem.ts'
import { delay } from '../../../lib/delay.ts'
import { visible, visibleText } from '../../../lib/visible.ts'
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
    .option('--prompt', 'show what the model was sent instead, turn by turn')
    .option('--outputs', 'with what the tools put out')
    .action(
      looking((reached, id: string, flags: ReplayFlags) => ({
        pieces: flags.prompt ? replayPrompts(reached, id, flags) : replay(reached, id, flags),
      })),
    )
}

interface ReplayFlags extends Flags {
  readonly round?: string
  readonly speed?: number
  readonly outputs?: boolean
  readonly prompt?: boolean
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

/** Shows what each turn was sent, rebuilt from the log. */
async function* replayPrompts(reached: Reached, id: string, { round, json }: ReplayFlags): AsyncGenerator<string> {
  const { id: sessionId } = await findSession(reached, id)
  for await (const event of reached.client.events(sessionId, round === undefined ? {} : { round })) {
    if (event.type !== 'turn.started' || event.requestId === null) continue
    const { turn } = event.data as { turn: number }
    const path = `/api/rounds/${encodeURIComponent(event.requestId)}/prompt?turn=${turn}`
    try {
      const sent = await reached.client.requestJson<SentPromptView>('GET', path)
      yield json ? `${JSON.stringify(sent)}\n` : promptText(sent)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') throw error
      if (!json) yield `Round ${event.requestId}, turn ${turn}: what was sent is not recorded\n\n`
    }
  }
}

function promptText({ requestId, turn, model, isExact, layers, notes, leftOut, tools }: SentPromptView): string {
  const exact = isExact ? '' : ', not exactly what was sent'
  const lines = [`Round ${requestId}, turn ${turn}, sent to ${visible(model)}${exact}`]
  for (const { name, parts } of layers) {
    for (const { id, version, hash, tokens, text, role } of parts) {
      const what = [role ?? id, ...(version === undefined ? [] : [`version ${version}`])].join(', ')
      lines.push(`  ${name} · ${visible(what)} · ${tokens} tokens · ${hash.slice(0, 12)}`)
      lines.push(indented(text === undefined ? '(erased)' : visibleText(text)))
    }
  }
  for (const note of notes) lines.push('  note', indented(visibleText(note)))
  for (const { what, tokens, why } of leftOut) lines.push(`  left out: ${visible(what)}, ${tokens} tokens. ${why}`)
  if (tools.length > 0) lines.push(`  tools: ${tools.map(({ name }) => visible(name)).join(', ')}`)
  return `${lines.join('\n')}\n\n`
}

function told(event: WireEvent, since: number): string | undefined {
  const words = eventWords(event)
  if (!words) return undefined
  const line = `${`+${duration(Math.max(since, 0))}`.padStart(10)}  [${event.seq}] ${words.line}`
  return words.text ? `${line}\n${indented(words.text)}` : line
}
