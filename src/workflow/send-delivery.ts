import type { Actor } from '../contract/actor.ts'
import type { Automation } from '../contract/automation.ts'
import type { InvocationCode } from '../contract/invocation.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Egress } from '../egress/index.ts'
import type { Clock } from '../lib/clock.ts'
import { retryAfterMs } from '../lib/retry-after.ts'
import { isObject } from '../lib/type-guards.ts'
import { MANAGE, type Automations, type RunAs } from './automations.ts'
import type { HandOver, Started } from './engine.ts'
import { isAnswer, postWork, type WorkAnswer } from './post-work.ts'
import { signingSecrets } from './signing-secrets.ts'
import { signedHeaders } from './standard-webhooks.ts'
import { mayReadAll } from './webhooks.ts'

/** Sends one delivery once. Like an engine it does not reject for what the other side does. */
export type SendDelivery = (
  webhook: Automation<'webhook'>,
  work: Pick<HandOver, 'input' | 'depth' | 'signal' | 'timeoutMs'>,
) => Promise<Started>

/** What a webhook is told, as it is stored. */
interface Told {
  readonly id: string
  readonly type: string
  readonly data: JsonObject
}

/** Looks up the words that an event is about, as far as they are still there. */
export type ContentOf = (tenant: string, event: Told) => Promise<JsonObject | undefined>

interface DeliveryOptions {
  readonly automations: Pick<Automations, 'secretsOf' | 'change'>
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: Clock
  readonly runAs: RunAs
  readonly contentOf: ContentOf
  /** of the words, as JSON */
  readonly inputChars: number
}

const GONE = 410
/** Whatever the other side says, it is asked often enough in its day. */
const LONGEST_WAIT_MS = 3_600_000
const GONE_REASON = 'The other side says that it is gone (410).'

export function deliverySender(options: DeliveryOptions): SendDelivery {
  const { automations, egress, clock, runAs, contentOf, inputChars } = options

  /** With its words only if the webhook still has them, and whoever made it may still read them. */
  async function toSend(webhook: Automation<'webhook'>, told: Told & JsonObject): Promise<JsonObject> {
    const { content: kept, ...data } = told.data
    const creator = webhook.body.content ? await runAs(webhook) : undefined
    const mayHave = creator !== undefined && mayReadAll(creator)
    const content = mayHave ? (kept ?? (await contentOf(webhook.tenant, told))) : undefined
    if (content === undefined) return { ...told, data }
    const fits = JSON.stringify(content).length <= inputChars
    return { ...told, data: { ...data, ...(fits ? { content } : { contentLeftOut: true }) } }
  }

  async function disable({ tenant, id }: Automation<'webhook'>): Promise<void> {
    const segno: Actor = { id: 'segno', kind: 'system', tenant, permissions: [MANAGE] }
    const off = { status: 'disabled', reason: GONE_REASON } as const
    await automations.change(segno, 'webhook', id, () => off, { action: 'automation_disabled' })
  }

  return async (webhook, { input, depth, signal, timeoutMs }) => {
    if (!isTold(input)) return { ...FAILURE, code: 'NOT_ALLOWED', error: 'What it said was erased.', isFinal: true }
    const body = JSON.stringify(await toSend(webhook, input))
    const secrets = signingSecrets(await automations.secretsOf(webhook))
    const headers = {
      'content-type': 'application/json',
      'segno-depth': String(depth),
      ...signedHeaders(secrets, { id: input.id, body, now: clock.now() }),
    }
    const request = { url: webhook.body.url, headers, body }
    // Nobody wants to know what else it says.
    const answer = await postWork(request, { signal, timeoutMs }, { egress, answerBytes: 0 })
    if (!isAnswer(answer)) return { ...answer, ...FAILURE }
    if (answer.status >= 200 && answer.status < 300) return { kind: 'success', output: null }
    if (answer.status !== GONE) return { ...FAILURE, ...refusalOf(answer, clock.now()) }
    await disable(webhook)
    return { ...FAILURE, code: 'REFUSED', error: GONE_REASON, isFinal: true }
  }
}

/** Whoever is told once too often knows by the id, so it is sent again whatever happened. */
const FAILURE = { kind: 'failure', mayHaveHappened: true, isFinal: false } as const

const isTold = (input: JsonObject | undefined): input is Told & JsonObject =>
  isObject(input) && typeof input['id'] === 'string' && typeof input['type'] === 'string' && isObject(input['data'])

function refusalOf({ status, headers }: WorkAnswer, now: number) {
  const code: InvocationCode = status === 429 ? 'RATE_LIMITED' : 'REFUSED'
  const waitMs = status === 429 || status === 503 ? retryAfterMs(headers.get('retry-after'), now) : undefined
  const error = `The other side answered with the status ${status}.`
  return { code, error, ...(waitMs !== undefined && { retryAfterMs: Math.min(waitMs, LONGEST_WAIT_MS) }) }
}
