import type { Actor } from '../contract/actor.ts'
import { auditRecord, type AuditMetadata } from '../contract/audit.ts'
import { EVENT_TYPES, type Automation, type AutomationEvent } from '../contract/automation.ts'
import type { JsonObject } from '../contract/message.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { need } from '../contract/need.ts'
import { invalidField, type Problem } from '../contract/problem.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { readingAnew } from '../lib/reading-anew.ts'
import { delay } from '../lib/delay.ts'
import { sha256 } from '../lib/hash.ts'
import { idFrom, newId } from '../lib/id.ts'
import { keyOf } from '../lib/key-of.ts'
import { isIntegerFrom } from '../lib/type-guards.ts'
import {
  earlierResult,
  type AuditStore,
  type AutomationStore,
  type InvocationStore,
  type OutboxStore,
} from '../store/index.ts'
import { MANAGE, type RunAs } from './automations.ts'
import { deliveryBody } from './delivery-body.ts'
import { checkReportedType } from './event-types.ts'
import { isPassing, skipRecord } from './skipping.ts'
import { fitsFilter } from './fits-filter.ts'
import type { Invocations } from './invocations.ts'
import { readInput } from './read-fields.ts'

/** From what happened to triggers and webhooks. */
export interface Events {
  /** Says what happened outside; the same id counts once. Needs `workflow:manage`. */
  report(actor: Actor, event: ReportedEvent): Promise<{ readonly id: string }>
  /** Types that somebody of the tenant wants to hear of. Known at once here, and within seconds on other nodes. */
  wanted(tenant: string): ReadonlySet<string>
  /** Tells all triggers and webhooks it is for; may be called again for the same event. */
  tell(event: AutomationEvent): Promise<void>
  /** Reads what is wanted, before rounds go on. Never rejects. */
  refresh(): Promise<void>
}

interface ReportedEvent {
  /** whoever reports it may choose one */
  readonly id?: string
  readonly type: string
  readonly payload: JsonObject
  /** how many automations led to it, as `segno-depth` says; 0 if missing */
  readonly depth?: number
}

type EventStore = AutomationStore &
  OutboxStore &
  Pick<InvocationStore, 'invocationByKey' | 'countStarted'> &
  Pick<AuditStore, 'appendAudit'>

interface EventOptions {
  readonly clock: Clock
  readonly invocations: Pick<Invocations, 'startFor' | 'deliver'>
  readonly runAs: RunAs
  /** of a payload, as JSON */
  readonly inputChars: number
  /** automations that may lead to each other one after the other */
  readonly depth: number
  /** how often one trigger starts its workflow */
  readonly eventsPerMinute: number
  /** where people reach Segno */
  readonly url: string | undefined
  readonly closed: AbortSignal
  /** Calls back when automations were changed by any process. */
  onChange(listener: () => Promise<void>): void
}

type Listener = Automation<'trigger'> | Automation<'webhook'>

const NOTHING: ReadonlySet<string> = new Set()
const ID = /^[!-~]{1,200}$/
/** As in the header `segno-depth`. */
const MOST_DEPTH = 999_999
const MINUTE_MS = 60_000
/** The wait before a store that failed is read again. */
const AGAIN_MS = 1000

export function createEvents(store: EventStore, options: EventOptions): Events {
  const { clock, invocations, runAs, inputChars, depth: deepest, eventsPerMinute, url, closed } = options
  let wanted: ReadonlyMap<string, ReadonlySet<string>> = new Map()

  async function readUntilRead(): Promise<void> {
    while (!closed.aborted) {
      try {
        wanted = wantedBy((await listeners()) as readonly Listener[])
        return
      } catch {
        await delay(AGAIN_MS, closed)
      }
    }
  }

  const refresh = readingAnew(readUntilRead)
  options.onChange(refresh)

  const listeners = (tenant?: string) => store.activeAutomations(['trigger', 'webhook'], tenant)

  async function skip(event: AutomationEvent, automation: Listener, why: AuditMetadata): Promise<void> {
    const { sessionId = null } = event
    const id = idFrom(keyOf('skipped', event.id, automation.id))
    const about = { event: event.type, depth: depthAfter(event), ...why }
    await store.appendAudit([skipRecord(automation, about, clock.now(), { id, sessionId })])
  }

  async function tellTrigger(event: AutomationEvent, trigger: Automation<'trigger'>): Promise<void> {
    const { tenant, id, body } = trigger
    const { workflowId } = body
    const key = keyOf('trigger', event.id, id)
    if (await store.invocationByKey(tenant, key)) return
    const since = clock.now() - MINUTE_MS
    const started = await store.countStarted({ tenant, automationId: workflowId, originId: id, since })
    if (started >= eventsPerMinute) return skip(event, trigger, { invocationCode: 'RATE_LIMITED' })
    const actor = await runAs(trigger)
    if (!actor) return skip(event, trigger, { invocationCode: 'NOT_ALLOWED' })
    const { sessionId } = event
    const depth = depthAfter(event)
    const cause = { origin: 'trigger', automation: trigger, actor, key, depth } as const
    const input = triggerInput(event)
    await invocations.startFor({ ...cause, ...(sessionId !== undefined && { sessionId }) }, workflowId, input)
  }

  /** Resolves if it is done or can never be done, and returns what may pass. */
  async function tellOne(event: AutomationEvent, automation: Listener): Promise<unknown> {
    try {
      if (automation.kind === 'trigger') await tellTrigger(event, automation)
      else if (depthAfter(event) > deepest) await skip(event, automation, { invocationCode: 'TOO_DEEP' })
      else await invocations.deliver(automation, event, deliveryBody(event, automation.body.content, url))
      return undefined
    } catch (error) {
      if (isPassing(error)) return error
      await skip(event, automation, { problem: (error as Problem).code })
      return undefined
    }
  }

  return {
    refresh,
    wanted: (tenant) => wanted.get(tenant) ?? NOTHING,
    async report(actor, given) {
      need(actor, MANAGE)
      const { id, type, payload, depth } = readReported(given, inputChars)
      const { tenant, id: userId } = actor
      const at = clock.now()
      // Nobody can choose the id of an event in a conversation or of another tenant.
      const event = { id: id === undefined ? newId() : idFrom(keyOf('event', tenant, id)), type, tenant, userId, at }
      const claim = id === undefined ? undefined : claimFor(tenant, id, event.id, { type, payload })
      const subject = { id: newId(), at, tenant, userId }
      const audit = [
        auditRecord('event_reported', subject, { event: type, chars: JSON.stringify(payload).length, depth }),
      ]
      const stored = await store.addOutbox({ ...event, payload, depth }, { audit, ...(claim && { claim }) })
      return stored === 'stored' ? { id: event.id } : earlierResult<{ id: string }>(stored.claim, claim)
    },
    async tell(event) {
      const faults: unknown[] = []
      for (const automation of (await listeners(event.tenant)) as readonly Listener[]) {
        if (!isFor(automation, event)) continue
        const fault = await tellOne(event, automation)
        if (fault !== undefined) faults.push(fault)
      }
      if (faults.length > 0) throw faults[0]
    },
  }
}

const depthAfter = ({ depth = 0 }: AutomationEvent): number => depth + 1

const isFor = ({ kind, body }: Listener, { type, payload }: AutomationEvent): boolean =>
  kind === 'trigger'
    ? body.event === type && fitsFilter(body.filter, payload)
    : body.events.includes(type) || body.events.includes('*')

/** What a workflow is given that a trigger starts. */
const triggerInput = ({ type, payload, at }: AutomationEvent): JsonObject => ({
  event: type,
  payload,
  timestamp: new Date(at).toISOString(),
})

function wantedBy(automations: readonly Listener[]): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const { tenant, kind, body } of automations) {
    const types = wanted.get(tenant) ?? new Set()
    wanted.set(tenant, types)
    for (const type of kind === 'trigger' ? [body.event] : body.events)
      for (const one of type === '*' ? EVENT_TYPES : [type]) types.add(one)
  }
  return wanted
}

const claimFor = (tenant: string, given: string, id: string, what: object) => ({
  key: keyOf('event', tenant, given),
  hash: sha256(canonicalJson(what)),
  result: { id },
})

function readReported(given: ReportedEvent, inputChars: number): ReportedEvent & { readonly depth: number } {
  refuseUnknownFields(given, ['id', 'type', 'payload', 'depth'], 'An event')
  const { id, type, payload, depth = 0 } = given
  if (id !== undefined && (typeof id !== 'string' || !ID.test(id)))
    throw invalidField('id', 'must be 1 to 200 letters, digits and signs, without spaces')
  checkReportedType('type', type)
  readInput('payload', payload, inputChars)
  if (!isIntegerFrom(depth, 0) || depth > MOST_DEPTH)
    throw invalidField('depth', `must be a whole number from 0 to ${MOST_DEPTH}`)
  return { ...(id !== undefined && { id }), type, payload, depth }
}
