import { may, type Actor } from '../contract/actor.ts'
import type { Automation, WebhookBody } from '../contract/automation.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import type { Egress } from '../egress/index.ts'
import { isStringArray } from '../lib/type-guards.ts'
import type { Automations } from './automations.ts'
import { checkAddress } from './check-address.ts'
import { checkEventType } from './event-types.ts'
import { managed, type Managed } from './managed.ts'
import { newSigningSecret, renewSecret, type MadeSecret } from './signing-secrets.ts'

export type Webhook = Automation<'webhook'>

/** Addresses that are told of events; `content` needs somebody who may read all conversations. */
export interface Webhooks extends Managed<'webhook', WebhookInput, Webhook & MadeSecret> {
  renewSecret(actor: Actor, id: string): Promise<Webhook & MadeSecret>
}

type WebhookInput = Omit<WebhookBody, 'content'> & Partial<Pick<WebhookBody, 'content'>>

const FIELDS = ['url', 'events', 'content'] as const
const URL_CHARS = 2000
const MOST_EVENTS = 50
/** Together they read what others say and what their calls are given and return. */
const READ_ALL = ['chat:read', 'trace:read'] as const

/** Whether somebody may be sent the words of all conversations of the tenant. */
export const mayReadAll = (actor: Pick<Actor, 'permissions'>): boolean => READ_ALL.every((one) => may(actor, one))

export function createWebhooks(automations: Automations, egress: Pick<Egress, 'check'>): Webhooks {
  const { create, change, ...others } = managed<'webhook', WebhookInput>(automations, 'webhook', FIELDS)

  async function check(actor: Actor, { url, events, content = false }: WebhookInput): Promise<WebhookBody> {
    if (typeof content !== 'boolean') throw invalidField('content', 'must be true or false')
    // Who may not read them could otherwise have them sent somewhere else.
    if (content && !mayReadAll(actor))
      throw new Problem('PERMISSION_DENIED', `You may not do this; content needs ${READ_ALL.join(' and ')}.`)
    checkEvents(events)
    if (typeof url !== 'string' || url.length > URL_CHARS)
      throw invalidField('url', `must be an address of at most ${URL_CHARS} characters`)
    await checkAddress(egress, 'url', url)
    return { url, events: [...new Set(events)], content }
  }

  return {
    ...others,
    create: (actor, wanted, once) =>
      create(actor, wanted, once, async () => ({
        body: await check(actor, wanted),
        secrets: { signing: newSigningSecret() },
      })),
    change: (actor, id, changes) =>
      change(actor, id, changes, async ({ body, permissions }, fields) => {
        if (!fields) return {}
        const after = await check(actor, { ...body, ...fields })
        // It is sent as its creator, who never gets more than when it was made.
        if (after.content && !body.content && !mayReadAll({ permissions }))
          throw invalidField('content', 'cannot be had by whoever made this webhook; make one of your own')
        return { body: after }
      }),
    renewSecret: (actor, id) => renewSecret(automations, actor, 'webhook', id),
  }
}

function checkEvents(events: unknown): void {
  if (!isStringArray(events) || events.length === 0 || events.length > MOST_EVENTS)
    throw invalidField('events', `must be 1 to ${MOST_EVENTS} types of events, or "*" for all`)
  for (const type of events) if (type !== '*') checkEventType('events', type)
}
