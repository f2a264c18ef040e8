import { auditRecord, type AuditAction, type AuditRecord } from '../../../src/contract/audit.ts'
import type { Automation, AutomationBody, AutomationEvent, AutomationKind } from '../../../src/contract/automation.ts'
import type { Invocation } from '../../../src/contract/invocation.ts'
import type { JsonSchema } from '../../../src/contract/tool.ts'
import { newId } from '../../../src/lib/id.ts'
import { automationSecret, type EncryptedSecret, type Store } from '../../../src/store/index.ts'
import { NOON } from './money-facts.ts'

const SCHEMA: JsonSchema = { type: 'object', properties: { 'a "b" ünïcode 🌍': { type: 'string' } } }

const BODIES: AutomationBody = {
  workflow: {
    description: 'Makes a picture smaller',
    target: { engine: 'http', url: 'https://example.org/resize' },
    input: SCHEMA,
    output: SCHEMA,
    effect: 'keyed',
    costPerInvocation: 7,
    quota: { perHour: 10, concurrent: 2 },
    approval: 'ask',
    retry: { attempts: 5, factor: 1.5 },
    timeoutMs: 1000,
    waitMs: 60_000,
  },
  webhook: { url: 'https://example.org/told', events: ['approval.requested', 'order.paid'], content: false },
  hook: { action: { does: 'message', sessionId: 's', content: 'NUL \0, half \ud83d, whole 🌍: {{payload}}' } },
  trigger: { event: 'user.signup', filter: { plan: 'pro', seats: 5, trial: false, by: null }, workflowId: 'w' },
  schedule: {
    cron: '0 9 * * 1-5',
    timeZone: 'Europe/Berlin',
    action: { does: 'workflow', workflowId: 'w', input: { of: ['yesterday', 1.5, null] } },
  },
}

type More<Kind extends AutomationKind> = Partial<Omit<Automation<Kind>, 'kind'>>

/** One as it is when it was just made. */
export function automation<Kind extends AutomationKind>(kind: Kind, more: More<Kind> = {}): Automation<Kind> {
  const plain = {
    id: newId(),
    tenant: 'acme',
    kind,
    status: 'active',
    createdBy: 'ada',
    permissions: ['workflow:manage', 'tool:*'],
    revision: 1,
    createdAt: NOON,
    updatedAt: NOON,
    body: BODIES[kind],
  }
  return { ...plain, ...more } as Automation<Kind>
}

/** It as it is after one more change. */
export const revised = <T extends Automation | Invocation>(one: T, more: Partial<T> = {}): T => ({
  ...one,
  ...more,
  revision: one.revision + 1,
})

export async function add(store: Store, ...automations: Automation[]): Promise<void> {
  for (const one of automations) {
    const answer = await store.addAutomation(one, { most: 1000 })
    if (answer !== 'stored') throw new Error(`expected it to be stored, got ${JSON.stringify(answer)}`)
  }
}

export const secretOf = ({ tenant, kind, id }: Automation, more: Partial<EncryptedSecret> = {}): EncryptedSecret => ({
  tenant,
  name: automationSecret(kind, id),
  keyId: 'k1',
  encrypted: 'c2VhbGVk',
  updatedAt: NOON,
  ...more,
})

/** A record that is found again by the id of what it is about. */
export const recordOf = (automationId: string, action: AuditAction = 'automation_changed'): AuditRecord =>
  auditRecord(action, { id: newId(), at: NOON, userId: 'ada', tenant: 'acme' }, { automationId })

/** What the records of the tenant are about, newest first. */
export const recorded = async (store: Store): Promise<unknown[]> =>
  (await store.auditPage({ tenant: 'acme' })).items.map(({ metadata }) => metadata.automationId)

/** A run that was asked for and not handed over yet. */
export const invocation = (more: Partial<Invocation> = {}): Invocation => ({
  id: newId(),
  tenant: 'acme',
  automationId: 'w',
  key: newId(),
  status: 'pending',
  origin: 'person',
  userId: 'ada',
  depth: 0,
  attempts: 0,
  until: NOON + 60_000,
  input: { file: 'a.png' },
  createdAt: NOON,
  revision: 1,
  ...more,
})

/** Stores them as they are, and returns them. */
export async function run(store: Store, ...invocations: Invocation[]): Promise<readonly Invocation[]> {
  for (const one of invocations) {
    const { kind } = await store.addInvocation(one)
    if (kind !== 'added') throw new Error(`expected it to be added, got ${kind}`)
  }
  return invocations
}

export const event = (more: Partial<AutomationEvent> = {}): AutomationEvent => ({
  id: newId(),
  type: 'order.paid',
  tenant: 'acme',
  at: NOON,
  payload: { order: 1 },
  ...more,
})

/** How often each answer was given. */
export function tally(answers: readonly unknown[]): Record<string, number> {
  const names = answers.map((one) => (typeof one === 'string' ? one : (one as { kind: string }).kind))
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}
