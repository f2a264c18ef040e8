import type { Actor } from '../contract/actor.ts'
import type { RoundLimits } from '../contract/limits.ts'
import type { JsonObject } from '../contract/message.ts'
import type { ToolContext } from '../contract/tool.ts'
import type { JudgedCall, UnwatchedCall } from '../contract/unwatched-call.ts'
import { newId } from '../lib/id.ts'
import { judge } from '../policy/index.ts'
import { runTool, type RegisteredTool } from '../tool/index.ts'
import type { Deps } from './deps.ts'
import { suppose } from './explain-call.ts'
import type { PreparedCall } from './prepare-call.ts'

type Caller = Pick<Actor, 'id' | 'tenant' | 'permissions'>

/**
 * The gate judges it as a call of a round. Besides, it may only read, no secrets, and must cost nothing and have no
 * quota, because no log records it.
 */
export async function judgeUnwatched(
  deps: Deps,
  caller: Caller,
  call: UnwatchedCall,
  limits: RoundLimits,
): Promise<JudgedCall> {
  const { tool: name, args, workspaceId, kind } = call
  const supposed = { tool: name, args, mode: 'act', workspaceId, tainted: false } as const
  const { facts, ready } = await suppose(deps, caller, supposed, limits)
  const { tool } = ready
  if (!tool || (tool.tool.kind ?? 'local') !== kind) return { refused: `there is no tool ${name} here now` }
  if (ready.schemaError !== undefined) return { refused: `the arguments of ${name} do not fit: ${ready.schemaError}` }
  const why = notUnwatched(ready)
  if (why !== undefined) return { refused: `${name} ${why}` }
  // A person chose its arguments, and no model that may have read text from outside.
  const untainted = { ...facts, address: undefined, round: { ...facts.round, taintedBy: undefined } }
  const verdict = judge(untainted, deps.policy)
  if (verdict.kind === 'ask') return { refused: `a person has to be asked first: ${verdict.reason}` }
  if (verdict.kind === 'refuse')
    return { refused: `it is not allowed (${verdict.code}): ${firstSentence(verdict.message)}` }
  return { run: (signal) => run(tool, ready.args, caller, workspaceId, deps, signal) }
}

/** What comes after it is advice for a model. */
const firstSentence = (text: string): string => text.split(/\.(?: |$)/, 1)[0] ?? text

function notUnwatched({ effect, reach, estimate, quota }: PreparedCall): string | undefined {
  if (effect !== 'pure') return 'may change something (only a tool that is declared `pure` can be called unwatched)'
  if (reach.includes('secrets')) return 'may read secrets'
  if (estimate.cost > 0 || estimate.tokens > 0 || estimate.confidence === 'unknown')
    return 'costs something, and nobody pays for it here'
  return quota && 'has a quota, against which only calls of rounds count'
}

async function run(
  tool: RegisteredTool,
  args: JsonObject,
  { id, tenant }: Caller,
  workspaceId: string,
  { settings, redact, folder: find }: Deps,
  signal: AbortSignal,
): ReturnType<typeof runTool> {
  const { toolMs, toolMaxMs, outputChars, fileBytes, resultFiles } = settings
  const folder = await find(tenant, workspaceId)
  const call = newId()
  const context: ToolContext = {
    idempotencyKey: `segno-${call}`,
    callId: call,
    sessionId: '',
    requestId: '',
    actorId: id,
    tenant,
    workspaceId,
    isTainted: true,
    get folder() {
      if ('refused' in folder) throw new Error(folder.refused)
      return folder.path
    },
    signal,
    say() {},
    ask: () => Promise.resolve({ action: 'cancel' }),
    charge() {},
  }
  const options = { timeoutMs: toolMs, maxTimeoutMs: toolMaxMs, outputChars, fileBytes, resultFiles, redact, signal }
  return runTool(tool, args, context, options)
}
