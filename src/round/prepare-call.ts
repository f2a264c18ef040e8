import { mayUseTool } from '../contract/actor.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Verdict } from '../contract/outcome.ts'
import { hasConsent } from '../contract/preferences.ts'
import type { Quota } from '../contract/tool.ts'
import type { UsableFolder } from '../contract/workspace.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { judge, type Facts } from '../policy/index.ts'
import {
  builtChars,
  exactKey,
  foreignLabel,
  rememberKey,
  type Call,
  type Round,
  type SessionState,
} from '../session/index.ts'
import { aboutCall, signature, targetOf, type AboutCall, type RegisteredTool } from '../tool/index.ts'
import { roundOf, type StepContext } from './work.ts'
import type { Deps } from './deps.ts'

/** What judging a call needs: nothing that writes. */
export interface Judging extends StepContext {
  readonly session: { readonly id: string; readonly state: SessionState }
  readonly deps: Deps
}

/** A call with its tool and checked arguments, prepared once per step. */
export interface PreparedCall extends AboutCall {
  readonly tool: RegisteredTool | undefined
  /** with defaults, if they match the schema */
  readonly args: JsonObject
  readonly schemaError: string | undefined
  readonly signature: string
  readonly quota: Quota | undefined
  /** of the exact arguments, to which an approval is bound; computed only when needed */
  argsHash(): string
  target(): string
}

/** For a call that cannot run anyway. */
const NOTHING_KNOWN: AboutCall = {
  effect: 'unsafe',
  need: 'always',
  reach: ['outward', 'secrets'],
  estimate: { cost: 0, tokens: 0, confidence: 'exact' },
  fields: { path: [], url: [], host: [], command: [] },
}

/** States of calls that may still start without a person. */
const PENDING: ReadonlySet<Call['state']> = new Set(['used', 'called', 'approved'])

export async function prepareCall(call: Call, { session, deps, tools, prepared }: Judging): Promise<PreparedCall> {
  const known = prepared.get(call)
  if (known) return known
  const tool = tools.get(call.name)
  const validation = tool && call.raw === undefined ? await tool.validate(call.args) : undefined
  const args = validation?.ok ? validation.args : call.args
  const said = deps.policy.tools?.[call.name]
  const { assumedToolCost: assumed } = deps.settings
  const fresh: PreparedCall = {
    ...(tool && validation?.ok ? aboutCall(tool, args, { cost: said?.cost, assumed }) : NOTHING_KNOWN),
    tool,
    args,
    schemaError: validation && !validation.ok ? validation.message : undefined,
    signature: signature(tool, call.name, call.raw === undefined ? args : { raw: call.raw }, session.state.workspaceId),
    quota: said?.quota ?? tool?.tool.quota,
    argsHash: () => sha256(canonicalJson(args)),
    target: () => targetOf(tool, args),
  }
  prepared.set(call, fresh)
  return fresh
}

export async function judgeCall(call: Call, ready: PreparedCall, work: Judging): Promise<Verdict> {
  return judge(await gatherFacts(call, ready, work), work.deps.policy)
}

export function folderOf({ session, deps }: Pick<Judging, 'session' | 'deps'>): Promise<UsableFolder> {
  const { actor, workspaceId } = session.state
  return deps.folder(actor.tenant, workspaceId)
}

export async function gatherFacts(call: Call, ready: PreparedCall, work: Judging): Promise<Facts> {
  const { state } = work.session
  const round = roundOf(work)
  const taintedBy = state.taintedBy ?? (work.foreign === undefined ? undefined : foreignLabel(work.foreign))
  const budget = mayCost(ready.estimate) ? await leftFor(work) : undefined
  const address = taintedBy === undefined ? undefined : await addressFacts(call, ready, work)
  const folder = ready.tool?.tool.inFolder ? await folderOf(work) : undefined
  const folderRefused = folder && 'refused' in folder ? folder.refused : undefined
  const about = {
    ...factsOf(call, ready, state, round),
    ...inRound(round, state, taintedBy, work.deps.settings.remembers),
  }
  const withoutConsent = ready.tool !== undefined && !hasConsent(ready.tool.tool, work.preferences?.preferences ?? {})
  const missing = ready.tool ? undefined : await whyMissing(call, work)
  return { ...about, missing, address, budget, withoutConsent, folderRefused }
}

const mayCost = ({ cost, confidence }: AboutCall['estimate']): boolean =>
  cost > 0 || confidence === 'unknown' || confidence === 'unpriced'

/** Only who may use the tool is told. */
async function whyMissing({ name }: Call, work: Judging): Promise<string | undefined> {
  const isTheirs = mayUseTool(roundOf(work).started.permissions, name)
  return isTheirs ? work.deps.missing(work.session.state.actor.tenant, name) : undefined
}

type CallFacts = Omit<Facts, 'missing' | 'round' | 'address' | 'budget' | 'withoutConsent' | 'folderRefused'>

function factsOf(call: Call, ready: PreparedCall, state: SessionState, round: Round): CallFacts {
  const { tool, effect, need, reach, fields, estimate } = ready
  const definition = tool?.definitionHash ?? ''
  return {
    name: call.name,
    unparsed: call.raw,
    args: ready.args,
    tool: tool && { effect, approval: need, reach, fields, needs: tool.tool.needs, remembers: tool.tool.remembers },
    schemaError: ready.schemaError,
    // A call recorded while its tool was missing has another signature in the log.
    signature: round.signatures.has(call.signature) ? call.signature : ready.signature,
    approved:
      call.state === 'approved' &&
      call.approval?.argsHash === ready.argsHash() &&
      call.approval.definitionHash === definition,
    remembered: state.remembered.size > 0 && state.remembered.has(rememberKey(call.name, definition, ready.target())),
    rememberedExactly:
      state.remembered.size > 0 && state.remembered.has(exactKey(call.name, definition, ready.argsHash())),
    unknownEffect: state.unknown.values().some((one) => one === ready.signature || one === call.signature),
    estimate: { ...estimate, latencyMs: tool?.tool.timeoutMs ?? round.started.limits.toolMs },
  }
}

function inRound(
  round: Round,
  { workspaceId }: SessionState,
  taintedBy: string | undefined,
  maxRemembered: number,
): Pick<Facts, 'round'> {
  const { protocol, mode, permissions, limits, enableTools, params } = round.started
  const { signatures, executions, remembered } = round
  const maxExecutions = protocol === 'triggered' ? Math.min(limits.maxCycles, limits.maxToolCalls) : limits.maxToolCalls
  return {
    round: {
      protocol,
      mode,
      permissions,
      enableTools,
      onlyTools: params?.tools,
      workspaceId,
      taintedBy,
      signatures,
      executions,
      maxExecutions,
      remembered,
      maxRemembered,
    },
  }
}

/** Counts earlier calls of the turn too, because several are judged before any of them starts. */
async function addressFacts(call: Call, ready: PreparedCall, work: Judging): Promise<Facts['address']> {
  const { addresses } = work.session.state
  if (ready.fields.url.length === 0) return undefined
  const chars = builtChars(addresses, ready.fields.url)
  const { calls, started } = roundOf(work)
  const before = calls.slice(0, calls.indexOf(call)).filter(({ state }) => PENDING.has(state))
  let sum = addresses.builtChars + chars
  // A call behind more than a round may run is judged again before it starts.
  for (const earlier of before.slice(0, started.limits.maxToolCalls))
    sum += builtChars(addresses, (await prepareCall(earlier, work)).fields.url)
  return { chars, sum, most: work.deps.settings.builtChars }
}

async function leftFor({ session, deps }: Judging): Promise<number | undefined> {
  const { tenant, id } = session.state.actor
  const { tools, cost } = await deps.left(tenant, id)
  return tools === null && cost === null ? undefined : Math.min(tools ?? Infinity, cost ?? Infinity)
}
