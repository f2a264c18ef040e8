import type { JsonObject } from '../contract/message.ts'
import type { ApprovalNeed } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { judge, type Facts } from '../policy/index.ts'
import { rememberKey, type Call, type Round, type SessionState } from '../session/index.ts'
import { signature, type RegisteredTool } from '../tool/index.ts'
import type { Hands } from './hands.ts'

/** A call with what the registry says about it: looked at once, judged as often as needed. */
export interface PreparedCall {
  readonly tool: RegisteredTool | undefined
  /** with defaults filled in, when they fit the schema */
  readonly args: JsonObject
  readonly schemaError: string | undefined
  readonly signature: string
  readonly need: ApprovalNeed
  /** of the exact arguments; what an approval is bound to. Worked out when somebody is asked, not for every call. */
  argsHash(): string
  target(): string
}

const prepared = new WeakMap<Call, PreparedCall>()

export async function prepareCall(call: Call, state: SessionState, hands: Hands): Promise<PreparedCall> {
  const known = prepared.get(call)
  if (known) return known
  const tool = hands.tools.get(call.name)
  const validation = tool && call.raw === undefined ? await tool.validate(call.args) : undefined
  const args = validation?.ok ? validation.args : call.args
  const fresh: PreparedCall = {
    tool,
    args,
    schemaError: validation && !validation.ok ? validation.message : undefined,
    signature: signature(tool, call.name, call.raw === undefined ? args : { raw: call.raw }, state.workspaceId),
    need: tool && validation?.ok ? needOf(tool, args) : 'always',
    argsHash: () => sha256(canonicalJson(args)),
    target: () => targetOf(tool, args),
  }
  prepared.set(call, fresh)
  return fresh
}

/** What the tool itself says of these arguments. If it cannot say, a person must always look. */
function needOf(tool: RegisteredTool, args: JsonObject): ApprovalNeed {
  try {
    const rule = tool.tool.approval ?? (tool.effect === 'pure' ? 'auto' : 'ask')
    return typeof rule === 'function' ? rule(args) : rule
  } catch {
    return 'always'
  }
}

function targetOf(tool: RegisteredTool | undefined, args: JsonObject): string {
  try {
    const target: unknown = tool?.tool.target?.(args)
    return typeof target === 'string' ? target : canonicalJson(args)
  } catch {
    return canonicalJson(args)
  }
}

export function judgeCall(call: Call, ready: PreparedCall, state: SessionState, round: Round) {
  return judge(factsOf(call, ready, state, round))
}

function factsOf(call: Call, ready: PreparedCall, state: SessionState, round: Round): Facts {
  const { tool } = ready
  const { protocol, mode, permissions, limits } = round.started
  const definition = tool?.definitionHash ?? ''
  return {
    name: call.name,
    unparsed: call.raw,
    tool: tool && { effect: tool.effect, approval: ready.need },
    schemaError: ready.schemaError,
    // A call recorded while its tool was not there has another signature in the log: it is known by that one too.
    signature: round.signatures.has(call.signature) ? call.signature : ready.signature,
    round: {
      protocol,
      mode,
      permissions,
      signatures: round.signatures,
      executions: round.executions,
      maxExecutions: protocol === 'triggered' ? Math.min(limits.maxCycles, limits.maxToolCalls) : limits.maxToolCalls,
    },
    approved:
      call.state === 'approved' &&
      call.approval?.argsHash === ready.argsHash() &&
      call.approval.definitionHash === definition,
    remembered: state.remembered.size > 0 && state.remembered.has(rememberKey(call.name, definition, ready.target())),
    unknownEffect: state.unknown.values().some((one) => one === ready.signature || one === call.signature),
    estimate: { cost: tool?.tool.cost ?? 0, confidence: 'exact' },
    budget: undefined,
  }
}
