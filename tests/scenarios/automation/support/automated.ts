import { Webhook as Signer } from 'standardwebhooks'
import { expect } from 'vitest'
import { LOCAL_OWNER, type Actor, type Role } from '../../../../src/contract/actor.ts'
import type { AuditAction } from '../../../../src/contract/audit.ts'
import type { Invocation } from '../../../../src/contract/invocation.ts'
import type { Json, JsonObject } from '../../../../src/contract/message.ts'
import type { Clock } from '../../../../src/lib/clock.ts'
import type { WorkflowInput } from '../../../../src/workflow/index.ts'
import { segnoUnderTest, type Opening } from '../../../support/segno-under-test.ts'
import { receiver } from './receiver.ts'

export const DAY = 86_400_000
export const HOUR = 3_600_000
export const MINUTE = 60_000
export const PAGE = 'https://segno.example.org'

/** A clock that goes on only when a test says so. */
export function heldClock(at = '2026-11-19T08:00:00Z') {
  let now = Date.parse(at)
  return {
    now: () => now,
    ticks: () => now,
    pass: (ms: number): void => void (now += ms),
    set: (to: string): void => void (now = Date.parse(to)),
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject
}

interface CallOptions {
  /** whose key is shown; without one it is the owner of this machine */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

interface SignOptions {
  readonly id?: string
  readonly at?: number
}

/** Headers of Standard Webhooks as the public package makes them. */
export function signed(secret: string, body: string, { id = crypto.randomUUID(), at = Date.now() }: SignOptions = {}) {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Signer(secret).sign(id, new Date(at), body),
  }
}

/** Segno, and beside it a real other side for its workflows and webhooks. */
export async function automated({ env, ...opening }: Opening = {}) {
  const outside = await receiver()
  const it = await segnoUnderTest({
    ...opening,
    env: { SEGNO_WORKFLOW_ORIGINS: outside.origin, SEGNO_PUBLIC_URL: PAGE, ...env },
  })
  const clock: Clock = opening.clock ?? { now: Date.now }

  /** One request of the HTTP API; a body that is a text or bytes is sent as it is. */
  async function call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const { key, headers } = options
    const isPlain = typeof body === 'string' || body instanceof Uint8Array
    const response = await it.segno.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(body !== undefined && {
          body: (isPlain ? body : JSON.stringify(body)) as string | Uint8Array<ArrayBuffer>,
        }),
      }),
    )
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as JsonObject,
    }
  }

  /** Somebody with a key, in a tenant. */
  async function person(userId: string, role: Role = 'admin', tenant = 'local', expiresAt?: number) {
    const more = expiresAt === undefined ? {} : { expiresAt }
    const made = await it.segno.keys.add(LOCAL_OWNER, { name: userId, userId, role, tenant, ...more })
    const admitted = await it.segno.keys.authenticate(made.secret ?? '')
    if (!admitted) throw new Error('the key that was just made is not good')
    return { actor: admitted.actor, key: made.secret ?? '', keyId: made.id }
  }

  /** A workflow at a path of the other side that takes anything. */
  const workflow = (name: string, more: Partial<WorkflowInput> = {}, actor: Actor = LOCAL_OWNER) =>
    it.segno.workflows.create(actor, {
      name,
      description: `Does ${name}.`,
      engine: 'http',
      target: { url: `${outside.origin}/${name}` },
      input: { type: 'object' },
      effect: 'keyed',
      ...more,
    })

  const runs = async (automationId?: string, actor: Actor = LOCAL_OWNER): Promise<readonly Invocation[]> =>
    (await it.segno.invocations.list(actor, { limit: 200, ...(automationId !== undefined && { automationId }) })).items

  const deliveries = async (webhookId: string, actor: Actor = LOCAL_OWNER): Promise<readonly Invocation[]> =>
    (await it.segno.invocations.deliveries(actor, webhookId, { limit: 200 })).items

  /** What is on record of an action, oldest first. */
  async function records(action: AuditAction, actor: Actor = LOCAL_OWNER) {
    const { items } = await it.segno.audit.page(actor, { action, limit: 200 })
    return items.toReversed().map(({ metadata, ...record }) => ({ ...record, ...metadata }))
  }

  return {
    ...it,
    get segno() {
      return it.segno
    },
    get requests() {
      return it.requests
    },
    outside,
    call,
    person,
    workflow,
    runs,
    deliveries,
    records,
    /** Waits for records of an action that has no other sign. */
    recorded: (action: AuditAction, times = 1): Promise<void> =>
      expect.poll(async () => (await records(action)).length).toBeGreaterThanOrEqual(times),
    /** Says that something happened outside. */
    report: (type: string, payload: JsonObject = {}, id?: string, options?: CallOptions): Promise<Answer> =>
      call('POST', '/api/events', { type, payload, ...(id !== undefined && { id }) }, options),
    /** Calls a hook, signed by the public package. */
    hook(
      name: string,
      secret: string,
      payload: Json,
      { headers, ...sign }: SignOptions & Pick<CallOptions, 'headers'> = {},
    ) {
      const body = JSON.stringify(payload)
      const signature = signed(secret, body, { at: clock.now(), ...sign })
      return call('POST', `/api/hooks/${name}`, body, { headers: { ...signature, ...headers } })
    },
  }
}

export type Automated = Awaited<ReturnType<typeof automated>>
