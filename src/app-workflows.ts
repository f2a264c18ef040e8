import { asUser, tellCall } from './app-calls.ts'
import { currentActor } from './account/index.ts'
import { inputHash } from './audit/index.ts'
import type { Rooms } from './config/index.ts'
import type { Automation, EngineName } from './contract/automation.ts'
import type { Invocation } from './contract/invocation.ts'
import { createEgress, type EgressOptions } from './egress/index.ts'
import type { Clock } from './lib/clock.ts'
import type { AwaitsAnswer, Rounds, Sessions } from './round/index.ts'
import type { Secrets } from './secret/index.ts'
import type { Store } from './store/index.ts'
import type { Log } from './telemetry/index.ts'
import { checkInput, schemaProblem } from './tool/index.ts'
import { createHttpEngine } from './workflow/http/index.ts'
import {
  answerOf,
  createActions,
  createAutomations,
  createEvents,
  createHooks,
  createInvocations,
  createSchedules,
  createTriggers,
  createWebhooks,
  createWorkflows,
  deliverySender,
  workflowTool,
  type CheckValue,
  type ContentOf,
  type Engine,
  type Schedule,
} from './workflow/index.ts'
import { createN8nEngine } from './workflow/n8n/index.ts'
import { createTemporalEngine } from './workflow/temporal/index.ts'

interface WorkflowParts {
  readonly settings: Rooms
  readonly requireKey: boolean
  readonly store: Store
  readonly secrets: Secrets
  readonly clock: Clock
  readonly log: Log
  readonly network: EgressOptions | undefined
  readonly closed: AbortSignal
  mayAct(): boolean
  /** What needs rounds, which need the tools that workflows are. */
  rounds(): {
    readonly rounds: Pick<Rounds, 'answerCall' | 'sendFor' | 'ofMessage'>
    readonly sessions: Pick<Sessions, 'get'>
    readonly awaitsAnswer: AwaitsAnswer
    readonly contentOf: ContentOf
  }
}

/** Tenants take turns, however many schemas they have. */
const checkValue: CheckValue = (schema, value, tenant) =>
  checkInput(schema, value, { kind: 'workflows', whose: tenant })

/** Workflows and everything else that runs outside of conversations. */
export function openWorkflows(parts: WorkflowParts) {
  const { store, secrets, clock, log, network, closed, mayAct, requireKey } = parts
  const settings = parts.settings.workflows
  const egress = createEgress({ ...settings.egress, ...network })
  const common = { ...settings, clock, egress }
  const temporal = createTemporalEngine({
    connections: settings.temporal,
    connectMs: settings.egress.connectMs,
    answerBytes: settings.answerBytes,
  })
  const all = [createHttpEngine(common), createN8nEngine(common), temporal]
  const engines = new Map<EngineName, Engine>(all.map((engine) => [engine.name, engine]))
  const listeners: (() => unknown)[] = []
  const onChange = (listener: () => unknown): void => void listeners.push(listener)
  const onChanged = async (): Promise<void> => void (await Promise.all(listeners.map((listener) => listener())))
  const stopListening = store.onChange((area) => {
    if (area === 'automations') void onChanged()
  })
  closed.addEventListener('abort', stopListening)
  const automations = createAutomations(store, { ...common, secrets, onChanged })
  const runAs = currentActor(store, clock, requireKey)
  const invocations = createInvocations(store, {
    ...common,
    automations,
    engines,
    sendDelivery: deliverySender({
      ...common,
      automations,
      runAs,
      contentOf: (tenant, told) => parts.rounds().contentOf(tenant, told),
    }),
    mayAct,
    checkValue,
    tellCall: answerCall,
    inputHash,
    onFailure: (code) => log.warn('job_failed', { reason: 'invocation', code }),
  })
  const events = createEvents(store, { ...common, invocations, runAs, closed, onChange })
  const { calls } = invocations
  const workflows = createWorkflows(store, automations, { ...common, engines, calls, schemaProblem, onChange })
  const actions = createActions(store, {
    ...common,
    automations,
    invocations,
    events,
    runAs,
    checkValue,
    sendFor: (...given) => parts.rounds().rounds.sendFor(...given),
    checkSession: (actor, id) => parts.rounds().sessions.get(actor, id),
    messageChars: parts.settings.rounds.messageChars,
  })
  const schedules = createSchedules(store, automations, { clock, actions, isOpen })

  async function answerCall(invocation: Invocation, workflow: Automation<'workflow'> | undefined): Promise<void> {
    const { sessionId, callId } = invocation
    if (sessionId === undefined || callId === undefined) return
    const { name = 'workflow', effect = 'unsafe' } = { ...workflow, ...workflow?.body }
    const answer = answerOf(invocation, workflowTool(name), effect)
    await tellCall(parts.rounds(), { ...invocation, sessionId, callId }, answer)
  }

  async function isOpen({ tenant, createdBy: userId }: Schedule, messageId: string): Promise<boolean> {
    const round = await parts.rounds().rounds.ofMessage(asUser({ tenant, userId }), messageId)
    return round !== undefined && round.state !== 'ended'
  }

  return {
    services: {
      workflows,
      invocations,
      webhooks: createWebhooks(automations, egress),
      hooks: createHooks(store, automations, { ...common, actions }),
      triggers: createTriggers(automations),
      schedules,
      events,
    },
    toolsOf: workflows.toolsOf,
    whyMissing: workflows.whyMissing,
    wanted: events.wanted,
    refresh: events.refresh,
    /** For the regular work: what happened, what is due, and what is kept. */
    jobs: { tell: events.tell, tick: schedules.tick, invocationMs: settings.keepMs },
    /** Hands over and looks after what is due, until it is stopped. */
    start(everyMs?: number) {
      const work = invocations.start(everyMs)
      return {
        async stop(): Promise<void> {
          await Promise.all([work.stop(), schedules.stop()])
          await Promise.all([egress.close(), temporal.close?.()])
        },
      }
    },
  }
}
