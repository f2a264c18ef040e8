import type { Script } from '../../src/model/index.ts'
import { toolName } from './effect-tools.ts'
import type { Episode } from './plan.ts'
import { commandOf } from './real-tools.ts'

/** How long an MCP server takes after its effect. */
const SERVER_MS = 20

type ScriptedCall = NonNullable<NonNullable<NonNullable<Script['otherwise']>['calls']>[number]>

const BEFORE = 'I shall do this now, step by step, and tell you when it is over.'
/** What the model says at the end of every episode. */
export const ANSWER = 'It is over now, and everything you asked for has been looked after.'

/** What the model says in each episode; anything else is echoed. A triggered turn has one call, so two need two. */
export function scriptOf(episodes: readonly Episode[], mark = ''): Script {
  return {
    scenarios: episodes.map((episode) => {
      const pace = { deltaChars: 8, ...(episode.drag !== undefined && { delayMs: episode.drag }) }
      const calls = callsOf(episode, mark)
      const asking = episode.protocol === 'unified' ? [calls] : calls.map((call) => [call])
      return {
        when: `^episode ${episode.id}:`,
        turns: [...asking.map((some) => ({ text: BEFORE, calls: some, ...pace })), { text: ANSWER, ...pace }],
      }
    }),
  }
}

function callsOf(episode: Episode, mark: string): ScriptedCall[] {
  const { decision, question, later, toolMs, serverDies } = episode
  const args = (n: number): Record<string, string | number | boolean> => {
    const item = `${episode.id}-${n}`
    if (episode.by === 'bash') return { command: commandOf(item, mark) }
    if (episode.by === 'workflow') return { item }
    if (episode.by === 'mcp') return { item, ms: SERVER_MS, ...(serverDies && n === 1 && { dies: serverDies }) }
    return {
      item,
      ...(decision && { ask: true }),
      ...(question && { question }),
      ...(later && { later }),
      ...(toolMs !== undefined && { ms: toolMs }),
    }
  }
  const name = nameOf(episode)
  const first = episode.misfit ? { ...args(1), item: 1 } : args(1)
  return [{ name, args: first }, ...(episode.calls === 2 ? [{ name, args: args(2) }] : [])]
}

function nameOf({ by, effect }: Episode): string {
  if (by === 'bash') return 'bash'
  return by === 'mcp' ? `world__${effect}` : by === 'workflow' ? `workflow_${effect}` : toolName(effect)
}
