import type { Retry, Target } from '../contract/automation.ts'
import { hasEnded, type Invocation, type InvocationCode, type InvocationStatus } from '../contract/invocation.ts'
import type { EffectClass } from '../contract/outcome.ts'
import type { Engine, NotDone, Started } from './engine.ts'

/** How a hand-over is treated that did not come to its end. */
export interface Plan {
  readonly effect: EffectClass
  /** failures that are tried again; by default those of the retry policy */
  readonly retries?: (failure: NotDone) => boolean
  /** the wait before the next attempt; undefined if there is none */
  retryMs(attempts: number): number | undefined
  /** Whether its engine can be asked how far it is. */
  readonly canFind: boolean
}

/** Whether its engine can tell how far one with a key is; n8n only through its API. */
export const canBeAsked = ({ find }: Pick<Engine, 'find'>, target: Target): boolean =>
  find !== undefined && (target.engine !== 'n8n' || target.apiUrl !== undefined)

const RETRIED: readonly InvocationCode[] = ['TIMEOUT', 'CONNECTION_ERROR', 'RATE_LIMITED']
const LOOK_MS = 5000
const LONGEST_LOOK_MS = 180_000

export const DEFAULT_RETRY: Retry = { attempts: 3, baseMs: 1000, factor: 2, maxMs: 30_000 }

export function retryPlan({ attempts, baseMs, factor, maxMs }: Retry): Plan['retryMs'] {
  return (made) => (made < attempts ? Math.ceil(Math.min(baseMs * factor ** (made - 1), maxMs)) : undefined)
}

/** Without what went wrong with it before. */
export function withoutFault({ inDoubt: _, code: __, error: ___, raw: ____, ...invocation }: Invocation): Invocation {
  return invocation
}

/** What an invocation becomes by what its engine said of it; pure. */
export function afterHandOver(invocation: Invocation, started: Started, plan: Plan, now: number): Invocation {
  if (started.kind === 'failure') return afterFailure(invocation, started, plan, now)
  const named = { ...withoutFault(invocation), ...ref(started) }
  if (started.kind === 'success') return ended(named, { status: 'success', output: started.output }, now)
  return { ...named, status: 'running', dueAt: nextLook(named, plan.canFind, now) }
}

function afterFailure(invocation: Invocation, failure: NotDone, plan: Plan, now: number): Invocation {
  const { code, error, mayHaveHappened, isFinal, retryAfterMs = 0, raw } = failure
  // What one attempt may have done is not undone by another that surely did nothing.
  const isInDoubt = mayHaveHappened || invocation.inDoubt === true
  const failed = {
    ...withoutFault(invocation),
    ...ref(failure),
    ...(isInDoubt && plan.effect !== 'pure' && { inDoubt: true as const }),
    code,
    error,
    ...(raw !== undefined && { raw }),
  }
  if (isFinal) return ended(failed, { status: 'failure' }, now)
  const { retries = ({ code }) => RETRIED.includes(code) } = plan
  const waitMs = retries(failure) ? plan.retryMs(invocation.attempts) : undefined
  const dueAt = now + Math.max(waitMs ?? 0, retryAfterMs)
  if (waitMs !== undefined && mayTryAgain(failed, plan) && dueAt < invocation.until)
    return { ...failed, status: 'pending', dueAt }
  return ended(failed, { status: endStatus(failed, plan.effect) }, now)
}

/** After an unclear end only what can be repeated, or looked up before, is tried again. */
const mayTryAgain = ({ inDoubt }: Pick<Invocation, 'inDoubt'>, { effect, canFind }: Plan): boolean =>
  !inDoubt || effect === 'pure' || effect === 'keyed' || canFind

/** How one ends of which nothing was heard. */
export function endStatus({ code, inDoubt }: Pick<Invocation, 'code' | 'inDoubt'>, effect: EffectClass) {
  const isRepeatable = effect === 'pure' || effect === 'keyed'
  if (code === 'TIMEOUT' && isRepeatable) return 'timeout'
  return inDoubt ? 'unknown' : 'failure'
}

interface End extends Partial<Pick<Invocation, 'output' | 'raw' | 'code' | 'error' | 'reported'>> {
  readonly status: Exclude<InvocationStatus, 'pending' | 'running'>
}

/** Its end; what is to be told to its conversation stays due. */
export function ended(invocation: Invocation, end: End, now: number): Invocation {
  const { dueAt: _, told: __, ...rest } = invocation
  return {
    ...rest,
    ...end,
    endedAt: now,
    ...(invocation.callId !== undefined && { dueAt: Math.max(now, tellableAt(invocation)) }),
  }
}

/** How long a call waits for its workflow before its round rests. */
export const INLINE_MS = 10_000
const INLINE_MARGIN_MS = 2000

/** Whoever made the call may still wait for it, and then needs no telling. */
const tellableAt = ({ status, createdAt }: Invocation): number =>
  status === 'pending' ? createdAt + INLINE_MS + INLINE_MARGIN_MS : 0

/** When it is looked at next: its engine is asked less and less often, and at last its time is over. */
export function nextLook(
  { startedAt, until }: Pick<Invocation, 'startedAt' | 'until'>,
  canFind: boolean,
  now: number,
): number {
  if (!canFind) return until
  const sinceMs = now - (startedAt ?? now)
  return Math.min(until, now + Math.min(Math.max(LOOK_MS, Math.ceil(sinceMs / 2)), LONGEST_LOOK_MS))
}

/** Its time is over. */
export function overdue(invocation: Invocation, effect: EffectClass, now: number): Invocation {
  if (hasEnded(invocation)) return invocation
  const { status, inDoubt, ...rest } = invocation
  const began = (status === 'running' || inDoubt === true) && effect !== 'pure'
  const over = {
    ...rest,
    status,
    ...(began && { inDoubt: true as const }),
    code: 'TIMEOUT',
    error: 'No result came in time.',
  } as const
  return ended(over, { status: status === 'running' ? 'timeout' : endStatus(over, effect) }, now)
}

const ref = ({ engineRef }: Pick<Started, 'engineRef'>) => (engineRef === undefined ? {} : { engineRef })
