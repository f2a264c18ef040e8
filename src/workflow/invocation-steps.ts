import { randomBytes } from 'node:crypto'
import type { Automation, EngineName } from '../contract/automation.ts'
import { hasEnded, type Invocation } from '../contract/invocation.ts'
import type { Clock } from '../lib/clock.ts'
import { hasEndlessNumber } from '../lib/endless-number.ts'
import { sha256 } from '../lib/hash.ts'
import { untilStored, type AutomationStore } from '../store/index.ts'
import {
  afterHandOver,
  canBeAsked,
  DEFAULT_RETRY,
  endStatus,
  ended,
  nextLook,
  overdue,
  retryPlan,
  withoutFault,
  type Plan,
} from './after-hand-over.ts'
import type { Automations } from './automations.ts'
import { badOutput, outputFault, type CheckValue } from './bad-output.ts'
import type { Engine, HandOver, Started } from './engine.ts'
import type { SendDelivery } from './send-delivery.ts'
import { isOpenToResults, toldOf, type Settling } from './settle-invocation.ts'

export interface StepOptions {
  readonly clock: Clock
  readonly automations: Pick<Automations, 'secretsOf'>
  readonly engines: ReadonlyMap<EngineName, Engine>
  readonly sendDelivery: SendDelivery
  /** Whether this process may still act for the cluster. */
  mayAct(): boolean
  readonly checkValue: CheckValue
  /** Tells a conversation what came of its call; resolves if that is done or nobody waits for it. */
  tellCall(invocation: Invocation, workflow: Automation<'workflow'> | undefined): Promise<void>
  /** where engines report results */
  readonly url: string | undefined
  readonly handOverMs: number
  readonly handOverMaxMs: number
  readonly webhookMs: number
}

interface Step {
  /** as this process took it */
  readonly taken: Invocation
  readonly signal: AbortSignal
  /** Whether it is stopped because Segno stops. */
  isLeaving(): boolean
}

interface WorkflowStep extends Step {
  readonly workflow: Automation<'workflow'>
  readonly engine: Engine
  readonly plan: Plan
}

/** Besides the attempt itself. */
const LEASE_MARGIN_MS = 30_000
/** Of one invocation; older ones do not count any more. */
const MOST_TOKENS = 20
const TOKEN_BYTES = 32
/** Deliveries wait 5 s, 15 s, 45 s …, at most an hour. */
const DELIVERY_RETRY = { attempts: Infinity, baseMs: 5000, factor: 3, maxMs: 3_600_000 }

/** Whoever is told once too often knows by the id. */
const DELIVERY: Plan = { effect: 'pure', retries: () => true, retryMs: retryPlan(DELIVERY_RETRY), canFind: false }

/** What is done next with an invocation that this process has taken. */
export function createInvocationSteps(
  store: Pick<AutomationStore, 'automation'>,
  { settle, change }: Settling,
  options: StepOptions,
) {
  const { clock, automations, engines, sendDelivery, mayAct, checkValue, tellCall } = options
  const { url, handOverMs, handOverMaxMs, webhookMs } = options
  const leaseMs = handOverMaxMs + LEASE_MARGIN_MS

  async function checked(workflow: Automation<'workflow'>, started: Started): Promise<Started> {
    if (started.kind !== 'success') return started
    const { output, engineRef } = started
    // It would be stored as null.
    const endless = hasEndlessNumber(output) ? 'it has a number that is too large' : undefined
    const fault = endless ?? (await outputFault(workflow, output, checkValue))
    if (fault === undefined) return started
    return { ...badOutput(fault, output), ...(engineRef !== undefined && { engineRef }) }
  }

  async function handOver(
    { id: invocationId, key, input = {}, depth, engineRef }: Invocation,
    workflow: Automation<'workflow'>,
    signal: AbortSignal,
    token?: string,
  ): Promise<HandOver> {
    const { target, timeoutMs = handOverMs } = workflow.body
    const callback = url !== undefined && token !== undefined && { url: callbackUrl(url, invocationId), token }
    return {
      target,
      secrets: await automations.secretsOf(workflow),
      invocationId,
      key,
      input,
      depth,
      callback: callback || undefined,
      ...(engineRef !== undefined && { engineRef }),
      signal,
      timeoutMs: Math.min(timeoutMs, handOverMaxMs),
    }
  }

  /** Records that an attempt begins, and with which token it may be reported; undefined if another process has it. */
  async function begin(taken: Invocation, token?: string): Promise<Invocation | undefined> {
    const now = clock.now()
    const begun: Invocation = {
      ...taken,
      attempts: taken.attempts + 1,
      inDoubt: true,
      startedAt: taken.startedAt ?? now,
      ...(token !== undefined && { tokens: [...(taken.tokens ?? []), sha256(token)].slice(-MOST_TOKENS) }),
      dueAt: now + leaseMs,
      revision: taken.revision + 1,
    }
    return (await change(begun)) ? begun : undefined
  }

  /** Sends it once, recorded before and after. */
  async function attempt(
    { taken, signal, isLeaving }: Step,
    plan: Plan,
    send: () => Promise<Started>,
    token?: string,
  ): Promise<void> {
    const begun = await begin(taken, token)
    if (!begun) return
    // The lease of this process may have ended meanwhile; nothing was sent, so whoever takes it next may begin.
    if (!mayAct()) return void (await change({ ...taken, dueAt: clock.now(), revision: begun.revision + 1 }))
    const started = await send()
    /** It was in doubt only because it was being sent. */
    const withoutDoubt = (now: Invocation): Invocation => {
      const { inDoubt: _, ...rest } = now
      return now.revision === begun.revision && taken.inDoubt !== true ? rest : now
    }
    const outcome = (now: Invocation): Invocation | undefined => {
      if (hasEnded(now)) return lateSuccess(now, started, clock.now())
      // That it runs was reported while the answer to its hand-over got lost.
      if (now.status === 'running' && started.kind === 'failure' && started.mayHaveHappened) return undefined
      if (started.kind === 'failure' && signal.aborted && isLeaving())
        return { ...(started.mayHaveHappened ? now : withoutDoubt(now)), dueAt: clock.now() }
      return afterHandOver(withoutDoubt(now), started, plan, clock.now())
    }
    await untilStored(() => settle(begun, outcome), isLeaving)
  }

  /** What its engine knows of it. */
  async function look({
    taken,
    workflow,
    engine,
    plan,
    signal,
  }: Omit<WorkflowStep, 'isLeaving'>): Promise<Started | 'absent' | 'unclear'> {
    if (!plan.canFind || !engine.find) return 'unclear'
    const found = await engine.find(await handOver(taken, workflow, signal))
    return typeof found === 'object' ? checked(workflow, found) : found
  }

  async function start(step: WorkflowStep): Promise<void> {
    const { taken, workflow, engine, plan, signal } = step
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    // Before it is recorded that it begins, because a fault here leaves no doubt.
    const work = await handOver(taken, workflow, signal, token)
    await attempt(step, plan, async () => checked(workflow, await engine.start(work)), token)
  }

  async function workOnRunning(step: WorkflowStep): Promise<void> {
    const { taken, plan } = step
    const found = await look(step)
    await settle(taken, (now) => {
      const at = clock.now()
      if (hasEnded(now)) return undefined
      if (typeof found === 'object' && found.kind !== 'submitted') return afterHandOver(now, found, plan, at)
      return at >= now.until ? overdue(now, plan.effect, at) : { ...now, dueAt: nextLook(now, plan.canFind, at) }
    })
  }

  /** One whose last attempt nobody knows the end of, whichever process made it. */
  async function workOnDoubtful(step: WorkflowStep): Promise<void> {
    const { taken, engine, plan, signal, isLeaving } = step
    const found = await look(step)
    const { inDoubt: _, ...known } = taken
    if (found === 'absent' && plan.effect === 'verifiable' && taken.input !== undefined)
      return start({ ...step, taken: known })
    await settle(taken, (now) => {
      if (hasEnded(now)) return undefined
      const at = clock.now()
      if (typeof found === 'object') return afterHandOver(now, found, plan, at)
      if (found === 'unclear' && signal.aborted && isLeaving()) return { ...now, dueAt: at }
      if (found === 'unclear' && engine.knowsKeys) return { ...now, dueAt: nextLook(now, true, at) }
      const { inDoubt, ...rest } = now
      const { code = 'CONNECTION_ERROR', error = found === 'absent' ? NOT_THERE : NOT_KNOWN } = now
      const over: Invocation = { ...rest, ...(found === 'unclear' && inDoubt && { inDoubt }), code, error }
      return ended(over, { status: endStatus(over, plan.effect) }, at)
    })
  }

  async function giveUp(taken: Invocation, error: string): Promise<void> {
    await settle(taken, (now) => {
      if (hasEnded(now)) return undefined
      const code = 'NOT_ALLOWED'
      return ended(now, { status: endStatus({ ...now, code }, 'unsafe'), code, error }, clock.now())
    })
  }

  async function tell(taken: Invocation, workflow: Automation<'workflow'> | undefined): Promise<void> {
    await tellCall(taken, workflow)
    // What has changed since has to be told, too.
    await settle(taken, (now) => (now.revision === taken.revision ? toldOf(now) : undefined))
  }

  async function deliver(step: Step, webhook: Automation | undefined): Promise<void> {
    const { taken, signal } = step
    if (webhook?.kind !== 'webhook' || webhook.status !== 'active')
      return giveUp(taken, 'The webhook is switched off, or not there any more.')
    const { input = {}, depth } = taken
    await attempt(step, DELIVERY, () => sendDelivery(webhook, { input, depth, signal, timeoutMs: webhookMs }))
  }

  return {
    leaseMs,
    handOver,
    /** What becomes of it by its end at its engine; undefined if that knows of none. */
    async endAtEngine(
      taken: Invocation,
      workflow: Automation<'workflow'>,
      asked: Pick<WorkflowStep, 'engine' | 'signal'>,
    ): Promise<((now: Invocation) => Invocation) | undefined> {
      const plan = planOf(workflow, asked.engine)
      const found = await look({ taken, workflow, plan, ...asked })
      if (typeof found !== 'object' || found.kind === 'submitted') return undefined
      return (now) => afterHandOver(now, found, plan, clock.now())
    },
    async step(step: Step): Promise<void> {
      const { taken } = step
      const automation = await store.automation(taken.tenant, taken.automationId)
      if (taken.origin === 'webhook') return hasEnded(taken) ? undefined : deliver(step, automation)
      const workflow = automation?.kind === 'workflow' ? automation : undefined
      if (hasEnded(taken)) return tell(taken, workflow)
      const engine = workflow && engines.get(workflow.body.target.engine)
      if (!workflow || !engine) return giveUp(taken, 'The workflow is not there any more.')
      const { effect } = workflow.body
      const it = { ...step, workflow, engine, plan: planOf(workflow, engine) }
      if (taken.status === 'running') return workOnRunning(it)
      if (clock.now() >= taken.until) return void (await settle(taken, (now) => overdue(now, effect, clock.now())))
      const isErased = taken.input === undefined
      if (isErased && !taken.inDoubt) return giveUp(taken, 'What it was to be given was erased.')
      const mayRepeat = (effect === 'pure' || effect === 'keyed') && !isErased
      return taken.inDoubt && !mayRepeat ? workOnDoubtful(it) : start(it)
    },
  }
}

function planOf({ body }: Automation<'workflow'>, engine: Engine): Plan {
  const { target, effect, retry } = body
  return { effect, retryMs: retryPlan({ ...DEFAULT_RETRY, ...retry }), canFind: canBeAsked(engine, target) }
}

const callbackUrl = (url: string, id: string): string => `${url}/api/invocations/${id}/result`

const NOT_THERE = 'Segno stopped while it was handed over, and its engine does not have it.'
const NOT_KNOWN = 'Segno stopped while it was handed over, and nobody can tell whether it began.'

/** A result that came after the invocation was given up, such as one that was cancelled, still counts. */
function lateSuccess(now: Invocation, started: Started, at: number): Invocation | undefined {
  if (started.kind !== 'success' || !isOpenToResults(now)) return undefined
  return ended(withoutFault(now), { status: 'success', output: started.output }, at)
}
