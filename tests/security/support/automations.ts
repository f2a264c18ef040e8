import { signedHeaders } from '../../../src/workflow/standard-webhooks.ts'
import { delay } from '../../../src/lib/delay.ts'
import { ADA, type Stage } from './stage.ts'

/** What of Ada's runs outside of conversations. */
export interface Automations {
  readonly workflowId: string
  /** of that workflow; its engine has it, and its result comes later */
  readonly runId: string
  readonly webhookId: string
  /** to that webhook, which was gone */
  readonly deliveryId: string
  readonly hookId: string
  readonly hookName: string
  readonly triggerId: string
  readonly scheduleId: string
}

/** What signs; in no list of ids, because nobody may be told. */
export interface Signatures {
  readonly result: Readonly<Record<string, string>>
  readonly hook: Readonly<Record<string, string>>
}

export const RESULT = '{"status":"success","output":{"done":true}}'
export const PAYLOAD = '{"order":1}'

const KINDS = /^\/api\/(workflows|invocations|webhooks|deliveries|hooks|triggers|schedules)/

/** Only for the paths that ask for one: making them takes a while. */
export async function automations(stage: Stage, path: string): Promise<Automations & { signatures: Signatures }> {
  const nothing = { ...noAutomations(), signatures: { result: {}, hook: {} } }
  if (!KINDS.test(path)) return nothing
  const { segno, outside, now } = stage
  const short = crypto.randomUUID().replaceAll('-', '').slice(0, 12)
  const workflow = await segno.workflows.create(ADA, {
    name: `w${short}`,
    description: 'Zanzibar workflow',
    engine: 'http',
    target: { url: `${outside.origin}/zanzibar` },
    input: { type: 'object' },
  })
  const signed = (secret = '', body: string, id: string) => signedHeaders([secret], { id, body, now: now() })
  const made = { ...nothing, workflowId: workflow.id }
  if (path.startsWith('/api/invocations')) {
    const { id: runId } = await segno.invocations.invoke(ADA, workflow.id, { place: 'Zanzibar' })
    await handedOver(stage, runId)
    const { secret } = workflow
    return { ...made, runId, signatures: { ...nothing.signatures, result: signed(secret, RESULT, `m${short}`) } }
  }
  if (/webhooks|deliveries/.test(path)) {
    const event = `zanzibar.${short}`
    const { id: webhookId } = await segno.webhooks.create(ADA, {
      url: `${outside.origin}/gone`,
      events: [event],
      content: true,
    })
    if (!/deliveries/.test(path)) return { ...made, webhookId }
    await segno.events.report(ADA, { type: event, payload: { place: 'Zanzibar' } })
    return { ...made, webhookId, deliveryId: await delivered(stage, webhookId) }
  }
  if (path.startsWith('/api/hooks')) {
    // What it starts is started as her, with what her keys allow.
    await stage.key(ADA.tenant, ADA.id, ['workflow:manage'])
    const action = { does: 'event', type: `zanzibar.${short}` } as const
    const { id: hookId, secret } = await segno.hooks.create(ADA, { name: `h${short}`, action })
    const hook = signed(secret, PAYLOAD, `m${short}`)
    return { ...made, hookId, hookName: `h${short}`, signatures: { ...nothing.signatures, hook } }
  }
  if (path.startsWith('/api/triggers')) {
    const wanted = { event: `zanzibar.${short}`, workflowId: workflow.id }
    return { ...made, triggerId: (await segno.triggers.create(ADA, wanted)).id }
  }
  if (path.startsWith('/api/schedules')) {
    const wanted = { cron: '0 4 1 1 *', workflowId: workflow.id, input: { place: 'Zanzibar' } }
    return { ...made, scheduleId: (await segno.schedules.create(ADA, wanted)).id }
  }
  return made
}

/** Resolves when the other side has answered; its result may come later. */
async function handedOver({ segno }: Stage, runId: string): Promise<void> {
  while ((await segno.invocations.get(ADA, runId)).status === 'pending') await delay(20)
}

/** The id of the delivery of a webhook, when nothing is done with it any more. */
async function delivered({ segno }: Stage, webhookId: string): Promise<string> {
  for (;;) {
    const { items } = await segno.invocations.deliveries(ADA, webhookId)
    const [first] = items
    if (first?.status === 'failure') return first.id
    await delay(20)
  }
}

/** The same, of which nothing exists. */
export function noAutomations(): Automations {
  const id = (): string => crypto.randomUUID()
  return {
    workflowId: id(),
    runId: id(),
    webhookId: id(),
    deliveryId: id(),
    hookId: id(),
    hookName: `h${id().slice(0, 8)}`,
    triggerId: id(),
    scheduleId: id(),
  }
}
