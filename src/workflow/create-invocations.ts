import { may, mayUseTool, type Actor } from '../contract/actor.ts'
import { auditRecord } from '../contract/audit.ts'
import type { Automation } from '../contract/automation.ts'
import { checkLimit } from '../contract/check-limit.ts'
import { hasEnded, type Invocation } from '../contract/invocation.ts'
import type { JsonObject } from '../contract/message.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import { newId } from '../lib/id.ts'
import { keyOf } from '../lib/key-of.ts'
import {
  keyUsedTwice,
  type AddedInvocation,
  type AutomationStore,
  type InvocationExtras,
  type InvocationStore,
} from '../store/index.ts'
import { ended, withoutFault } from './after-hand-over.ts'
import { MANAGE, type Automations } from './automations.ts'
import { createCalls, type WorkflowCalls } from './call-workflow.ts'
import { checkFits } from './check-fits.ts'
import { directKey, sameInput } from './direct-key.ts'
import { invocationRecords } from './invocation-records.ts'
import { createInvocationSteps, type StepOptions } from './invocation-steps.ts'
import { createInvocationWorker } from './invocation-worker.ts'
import type { Invocations } from './invocations.ts'
import { readInput } from './read-fields.ts'
import { reporting } from './report-result.ts'
import { MOST_SUMMED, runSums, SUMS_MS } from './run-sums.ts'
import { createSettling } from './settle-invocation.ts'
import { createWaiters } from './waiters.ts'
import { disabledText, visibleWorkflow, workflowTool } from './workflows.ts'

export interface InvocationOptions extends Omit<StepOptions, 'automations'> {
  readonly automations: Pick<Automations, 'secretsOf' | 'get'>
  inputHash(input: JsonObject): string
  /** Says that work failed which is tried again; no content. */
  onFailure(code: string): void
  readonly atOnce: number
  /** of an input, as JSON */
  readonly inputChars: number
  readonly answerBytes: number
  readonly waitMs: number
  readonly waitMaxMs: number
  readonly webhookTryMs: number
  readonly signedMs: number
  /** automations that may lead to each other one after the other */
  readonly depth: number
}

type Store = InvocationStore & Pick<AutomationStore, 'automation'>
type Workflow = Automation<'workflow'>

/** An invocation as it begins, without what all have in common. */
export type NewInvocation = Pick<Invocation, 'tenant' | 'key' | 'origin' | 'userId' | 'depth'> & {
  readonly input: JsonObject
} & Partial<Pick<Invocation, 'id' | 'originId' | 'sessionId' | 'requestId' | 'callId' | 'event'>>

export function createInvocations(
  store: Store,
  options: InvocationOptions,
): Invocations & { readonly calls: WorkflowCalls } {
  const { clock, automations, engines, mayAct, checkValue, inputHash, onFailure } = options
  const { atOnce, inputChars, waitMs, waitMaxMs, webhookTryMs, handOverMs, handOverMaxMs, depth: deepest } = options
  const waiters = createWaiters(store)

  const { record, endRecord } = invocationRecords(clock)

  const settling = createSettling(store, {
    recordOf: endRecord,
    taken: (due) => worker.takenFor(due, TELL_LEASE_MS),
    onChanged(invocation, isTaken) {
      waiters.tell(invocation)
      if (isTaken) void worker.work(invocation)
      else if (invocation.dueAt !== undefined && invocation.dueAt <= clock.now()) worker.kick()
    },
  })
  const steps = createInvocationSteps(store, settling, options)
  const worker = createInvocationWorker(store, steps, settling.settle, { clock, mayAct, onFailure, atOnce })

  /** Stores one that begins now, and begins with it here if there is room. */
  async function add(
    automation: Automation,
    wanted: NewInvocation,
    extras: InvocationExtras,
  ): Promise<AddedInvocation> {
    const now = clock.now()
    const place = { id: newId(), ...wanted, automationId: automation.id }
    const isTooDeep = wanted.depth > deepest
    const isHere = !isTooDeep && worker.keepPlace(place)
    const within = automation.kind === 'workflow' ? Math.min(automation.body.waitMs ?? waitMs, waitMaxMs) : webhookTryMs
    const invocation: Invocation = {
      ...place,
      status: 'pending',
      attempts: 0,
      dueAt: isHere ? now + steps.leaseMs : now,
      until: now + within,
      createdAt: now,
      revision: 1,
    }
    const audit = record('orchestrator.workflow.invoke', invocation, { inputHash: inputHash(wanted.input) })
    const stored = isTooDeep ? ended(invocation, TOO_DEEP, now) : invocation
    try {
      const added = await store.addInvocation(stored, {
        ...(isTooDeep ? {} : extras),
        audit: isTooDeep ? [audit, endRecord(stored)] : [audit],
      })
      if (added.kind === 'added' && isHere) void worker.work(added.invocation)
      else if (added.kind === 'added') worker.kick()
      return added
    } finally {
      worker.letGo(place)
    }
  }

  /** Of a workflow; a model's call has reserved its cost already. */
  async function addRun(workflow: Workflow, wanted: NewInvocation): Promise<Invocation> {
    const { quota, costPerInvocation: cost } = workflow.body
    const added = await add(workflow, wanted, {
      ...(quota && { quota }),
      ...(cost !== undefined && wanted.origin !== 'call' && { cost }),
    })
    if (added.kind !== 'over') return added.invocation
    throw overProblem(workflow, added.what)
  }

  async function get(actor: Actor, id: string, isDelivery = false): Promise<Invocation> {
    const found = await store.invocation(actor.tenant, id)
    const isTheirs = found?.userId === actor.id || may(actor, MANAGE)
    if (!found || !isTheirs || (found.origin === 'webhook') !== isDelivery)
      throw new Problem('NOT_FOUND', `There is no ${isDelivery ? 'delivery' : 'run'} ${id.slice(0, 100)}.`)
    return found
  }

  async function checkStart(workflow: Workflow, input: JsonObject): Promise<void> {
    if (workflow.status === 'disabled') throw new Problem('CONFLICT', disabledText(workflow))
    await checkFits(workflow, input, checkValue)
  }

  /** The run with this key, which is started if there is none; whoever asks again hears of it, whatever changed. */
  async function runOf(workflow: Workflow, actor: Actor, wanted: NewInvocation): Promise<Invocation> {
    const tool = workflowTool(workflow.name ?? '')
    if (!mayUseTool(actor.permissions, tool))
      throw new Problem('PERMISSION_DENIED', `You may not do this; it needs tool:${tool}.`)
    const known = await store.invocationByKey(workflow.tenant, wanted.key)
    if (known) return known
    await checkStart(workflow, wanted.input)
    return addRun(workflow, wanted)
  }

  return {
    calls: createCalls({ store, clock, settle: settling.settle, add: addRun, waited: waiters.until }),
    async invoke(actor, workflowId, input, { key: given, wait = false, signal } = {}) {
      const workflow = await visibleWorkflow(automations, actor, workflowId)
      readInput('input', input, inputChars)
      const { tenant, id: userId } = actor
      const key = directKey({ tenant, userId, workflowId, input, given, at: clock.now() })
      const run = await runOf(workflow, actor, { tenant, userId, key, origin: 'person', depth: 0, input })
      if (run.automationId !== workflowId || !sameInput(run.input, input)) throw keyUsedTwice()
      if (!wait) return run
      const ms = Math.min(workflow.body.timeoutMs ?? handOverMs, handOverMaxMs)
      return (await waiters.until(run, ms, hasEnded, signal)) ?? run
    },
    get: (actor, id) => get(actor, id),
    async list(actor, query = {}) {
      checkLimit(query.limit)
      const whose = may(actor, MANAGE) ? {} : { userId: actor.id }
      return store.invocations({ ...query, ...whose, tenant: actor.tenant, deliveries: false })
    },
    async sums(actor, workflowId) {
      const { tenant, id: automationId } = await visibleWorkflow(automations, actor, workflowId)
      const since = clock.now() - SUMS_MS
      const ends = await store.invocationEnds({ tenant, automationId, since, limit: MOST_SUMMED })
      return runSums(ends, since, ({ userId }) => may(actor, MANAGE) || userId === actor.id)
    },
    async cancel(actor, id) {
      const found = await get(actor, id)
      if (hasEnded(found)) return found
      const stop = found.attempts > 0 && (await stopAtEngine(found))
      const audit = record('invocation_cancelled', found, { by: actor.id })
      const cancelled = await settling.settle(
        found,
        (now) => {
          if (hasEnded(now)) return undefined
          return typeof stop === 'function' ? stop(now) : afterCancel(now, stop, clock.now())
        },
        [audit],
      )
      // Not before, or what it is interrupted in may say first how it ended.
      worker.interrupt(id)
      return cancelled ?? found
    },
    report: reporting(store, { ...options, settle: settling.settle, record }),
    async deliveries(actor, webhookId, query = {}) {
      need(actor, MANAGE)
      checkLimit(query.limit)
      const { id: automationId } = await automations.get(actor, 'webhook', webhookId)
      return store.invocations({ ...query, tenant: actor.tenant, automationId, deliveries: true })
    },
    async sendAgain(actor, deliveryId) {
      need(actor, MANAGE)
      const found = await get(actor, deliveryId, true)
      if (!hasEnded(found)) throw new Problem('CONFLICT', 'This delivery is on its way; wait until it has ended.')
      const audit = record('delivery_sent', found, { by: actor.id })
      const now = clock.now()
      const again = await settling.settle(
        found,
        (one) => (hasEnded(one) ? onceMore(one, now, now + webhookTryMs) : undefined),
        [audit],
      )
      return again ?? found
    },
    async erase(actor, userId = actor.id) {
      const { tenant, id: by } = actor
      if (userId !== by) need(actor, MANAGE)
      const subject = { id: newId(), at: clock.now(), tenant, userId: by }
      await store.eraseInvocations(tenant, userId, [auditRecord('invocations_erased', subject, { holder: userId })])
    },
    async startFor({ origin, automation, actor, key, depth, sessionId }, workflowId, input) {
      const workflow = await automations.get(actor, 'workflow', workflowId)
      readInput('input', input, inputChars)
      const { tenant, id: userId } = actor
      const from = { originId: automation.id, ...(sessionId !== undefined && { sessionId }) }
      return runOf(workflow, actor, { tenant, userId, key, origin, depth, input, ...from })
    },
    async deliver(webhook, event, body) {
      const { tenant, createdBy } = webhook
      const { id, type, userId = createdBy, sessionId, depth = 0 } = event
      const key = keyOf('delivery', id, webhook.id)
      if (await store.invocationByKey(tenant, key)) return
      const about = { event: type, ...(sessionId !== undefined && { sessionId }) }
      await add(webhook, { tenant, key, origin: 'webhook', userId, depth: depth + 1, input: body, ...about }, {})
    },
    start: worker.start,
  }

  /** Whether it was told to stop; or, if it has ended there before, what becomes of it by that. */
  async function stopAtEngine(invocation: Invocation): Promise<boolean | ((now: Invocation) => Invocation)> {
    const workflow = await store.automation(invocation.tenant, invocation.automationId)
    const engine = workflow?.kind === 'workflow' ? engines.get(workflow.body.target.engine) : undefined
    if (!engine?.cancel || workflow?.kind !== 'workflow') return false
    const signal = AbortSignal.timeout(CANCEL_MS)
    if (await engine.cancel(await steps.handOver(invocation, workflow, signal))) return true
    return (await steps.endAtEngine(invocation, workflow, { engine, signal })) ?? false
  }
}

const CANCEL_MS = 10_000
/** Telling a conversation is quick, and being told twice does no harm. */
const TELL_LEASE_MS = 30_000

const TOO_DEEP = {
  status: 'failure',
  code: 'TOO_DEEP',
  error: 'Automations led to each other too often (limit EVENT_DEPTH).',
} as const

function afterCancel(now: Invocation, isStopped: boolean, at: number): Invocation {
  const began = now.status === 'running' || now.inDoubt === true
  const over: Invocation = { ...now, ...(began && { inDoubt: true as const }) }
  const status = began && !isStopped ? 'unknown' : 'failure'
  const error = isStopped ? 'It was cancelled; its engine was told to stop it.' : 'It was cancelled.'
  return ended(over, { status, code: 'CANCELLED', error }, at)
}

function onceMore({ endedAt: _, ...delivery }: Invocation, now: number, until: number): Invocation {
  return { ...withoutFault(delivery), status: 'pending', attempts: 0, dueAt: now, until }
}

function overProblem({ name = '', body: { quota } }: Workflow, what: 'perHour' | 'concurrent' | 'budget'): Problem {
  if (what === 'budget') return new Problem('COST_LIMIT', `The budget of today has not enough left for ${name}.`)
  const most = quota?.[what] ?? 0
  const words = `${most} ${most === 1 ? 'run' : 'runs'} ${what === 'perHour' ? 'an hour' : 'at once'}`
  return new Problem('RATE_LIMITED', `The workflow ${name} may have ${words}; try again later.`, {
    retryAfterMs: 60_000,
  })
}
