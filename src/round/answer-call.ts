import { droppedResult } from '../audit/index.ts'
import type { Actor } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import { Problem, invalidField } from '../contract/problem.ts'
import type { LaterAnswer } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { findCall, type Call, type SessionState } from '../session/index.ts'
import type { AuditStore, InboxStore, LogStore } from '../store/index.ts'
import { showAnswer } from '../tool/index.ts'
import { storableResult } from './call-results.ts'
import type { Coordinator } from './coordinator.ts'
import type { Deps } from './deps.ts'
import { readState, type ReadState } from './read-state.ts'
import type { Sessions } from './sessions.ts'

/** Longer than any id of a call. */
const ID_CHARS = 200

/**
 * `dropped`: the call already has a result or is unknown here, which is recorded. The answer to a call with an unknown
 * effect settles it.
 */
export type AnswerCall = (
  actor: Actor,
  call: { readonly sessionId: string; readonly callId: string },
  answer: LaterAnswer,
) => Promise<'taken' | 'dropped'>

/** Whether a call still needs a result: it has none, or one with an unknown effect. */
export type AwaitsAnswer = (call: { readonly sessionId: string; readonly callId: string }) => Promise<boolean>

export function awaitsAnswer(store: LogStore, coordinator: Pick<Coordinator, 'known'>): AwaitsAnswer {
  return async ({ sessionId, callId }) =>
    (awaited(coordinator.known(sessionId), callId) ??
      awaited((await readState(store, sessionId, NO_PROMPT)).state, callId)) !== undefined
}

/** Nothing of the conversation is needed besides its state. */
const NO_PROMPT = { messages: 0, tokens: 0 }

export function answerCalls(
  store: LogStore & InboxStore & AuditStore,
  coordinator: Coordinator,
  sessions: Sessions,
  {
    now,
    deps: { tools, redact, settings },
  }: { now(): number; readonly deps: Pick<Deps, 'tools' | 'redact' | 'settings'> },
): AnswerCall {
  return async (actor, { sessionId, callId }, answer) => {
    need(actor, 'chat:write')
    const { workspaceId } = await sessions.get(actor, sessionId)
    if (typeof callId !== 'string' || callId === '' || callId.length > ID_CHARS)
      throw invalidField('callId', `must be the id of a call, at most ${ID_CHARS} characters`)
    if (!['output', 'error'].some((field) => Object.hasOwn(Object(answer) as object, field)))
      throw new Problem('VALIDATION_ERROR', 'An answer has an output or an error.', { field: 'answer' })
    const drop = async (): Promise<'dropped'> => {
      await store.appendAudit([droppedResult(sessionId, actor.tenant, { callId, by: actor.id }, now())])
      return 'dropped'
    }
    // A call that runs here may not be stored yet; any other is in the log.
    const stored = (): Promise<ReadState> => readState(store, sessionId, NO_PROMPT)
    const call = awaited(coordinator.known(sessionId), callId) ?? awaited((await stored()).state, callId)
    const tool = call && (await tools(actor.tenant, workspaceId)).get(call.name)?.tool
    const run = showAnswer(answer, { ...settings, redact, outputChars: tool?.outputChars ?? settings.outputChars })
    const { content, blobs } = storableResult(run, call?.effect ?? 'unsafe', tool?.own)
    const text = content.blob ?? sha256(run.content)
    const hash = sha256(canonicalJson([run.outcome, text, ...(content.files ?? []).map((file) => file.hash)]))
    // An answer with an unknown effect must not block a later one that knows it.
    const once = { key: `${content.effect === 'unknown' ? 'doubt' : 'result'}:${sessionId}:${callId}`, hash }
    const before = await store.findClaim(once.key)
    if (before?.hash === hash) return 'taken'
    if (!call || (call.effect === null && content.effect === 'unknown')) return drop()
    const told = await coordinator.tell(sessionId, { kind: 'result', callId, by: actor.id, content }, once, blobs)
    return typeof told === 'string' || told.hash === hash ? 'taken' : drop()
  }
}

/** The call, if it still needs a result. */
function awaited(state: SessionState | undefined, callId: string): Pick<Call, 'name' | 'effect'> | undefined {
  const call = state?.round ? findCall(state.round, callId) : undefined
  if (call && call.state !== 'done') return call
  return state?.unknown.has(callId) ? { name: call?.name ?? '', effect: null } : undefined
}
