import { expect } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../../src/contract/actor.ts'
import type { Invocation } from '../../../../src/contract/invocation.ts'
import type { JsonObject } from '../../../../src/contract/message.ts'
import { hasEnded } from '../../../../src/contract/invocation.ts'
import { delay } from '../../../../src/lib/delay.ts'
import type { Workflow, WorkflowInput } from '../../../../src/workflow/index.ts'
import { signedHeaders } from '../../../../src/workflow/standard-webhooks.ts'
import type { Asked } from '../../../workflow/support/outside.ts'
import { segnoUnderTest, type Opening, type ScriptedTurn } from '../../../support/segno-under-test.ts'
import { ask, BASE, type Answer } from '../../http/ask.ts'
import { receiver } from './receiver.ts'

/** A text that has this in it. */
export const like = (pattern: RegExp): string => expect.stringMatching(pattern) as string

export const PROTOCOLS = ['unified', 'triggered'] as const
export const DAY = 86_400_000

export const INPUT = {
  type: 'object',
  properties: { page: { type: 'integer' } },
  required: ['page'],
} as const
const OUTPUT_SCHEMA = { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] } as const

/** Goes on as real time does, and jumps when a test says so. */
export function jumpingClock() {
  let ahead = 0
  return { now: () => Date.now() + ahead, pass: (ms: number) => void (ahead += ms) }
}

/** A model that has page 1 printed, and then says so. */
export const PRINTS: readonly ScriptedTurn[] = [
  { calls: [{ name: 'workflow_print', args: { page: 1 } }] },
  { text: 'Printed.' },
]

export const person = (id: string, permissions: readonly string[], tenant = LOCAL_OWNER.tenant): Actor => ({
  id,
  kind: 'user',
  tenant,
  permissions,
})

/** Segno with the workflow `print`, which a receiver outside carries out and nobody has to agree to. */
export async function working(fields: Partial<WorkflowInput> = {}, opening: Opening = {}) {
  const outside = await receiver()
  const clock = jumpingClock()
  const it = await segnoUnderTest({
    turns: PRINTS,
    clock,
    ...opening,
    env: { SEGNO_WORKFLOW_ORIGINS: outside.origin, SEGNO_PUBLIC_URL: BASE, ...opening.env },
  })
  const wanted: WorkflowInput = {
    name: 'print',
    description: 'Prints a page.',
    engine: 'http',
    target: { url: outside.url },
    input: INPUT,
    output: OUTPUT_SCHEMA,
    approval: 'auto',
    retry: { baseMs: 1 },
    ...fields,
  }
  const workflow = await it.segno.workflows.create(LOCAL_OWNER, wanted)
  outside.trust(workflow.secret)

  async function runs(actor = LOCAL_OWNER): Promise<readonly Invocation[]> {
    return (await it.segno.invocations.list(actor, { limit: 200 })).items
  }

  /** Reports a result over HTTP, with these headers. */
  const report = (id: string, body: object | string, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(it, 'POST', `/api/invocations/${id}/result`, body, headers)

  return {
    ...it,
    get segno() {
      return it.segno
    },
    get requests() {
      return it.requests
    },
    clock,
    outside,
    workflow: workflow as Workflow,
    secret: workflow.secret ?? '',
    wanted,
    runs,
    report,
    /** Signed by the receiver. */
    reportSigned(
      id: string,
      body: object,
      { secret = workflow.secret ?? '', messageId = 'm1', at = clock.now() } = {},
    ) {
      const text = JSON.stringify(body)
      return report(id, text, signedHeaders([secret], { id: messageId, body: text, now: at }))
    },
    /** With the token that came with a request. */
    reportWithToken: ({ invocationId, token = '' }: Pick<Asked, 'invocationId' | 'token'>, body: object) =>
      report(invocationId, body, { authorization: `Bearer ${token}` }),
    invoke: (input: JsonObject = { page: 1 }, key?: string, actor: Actor = LOCAL_OWNER) =>
      it.segno.invocations.invoke(actor, workflow.id, input, { ...(key !== undefined && { key }) }),
    /** From the next hand-over on its answer may take as long as on a busy machine. */
    giveTime: () => it.segno.workflows.change(LOCAL_OWNER, workflow.id, { timeoutMs: 30_000 }),
    /** The run, once it has ended. */
    async ended(id: string, isDone: (run: Invocation) => boolean = hasEnded): Promise<Invocation> {
      for (;;) {
        const run = await it.segno.invocations.get(LOCAL_OWNER, id)
        if (isDone(run)) return run
        await delay(5)
      }
    },
    /** Sends a message and waits until its round waits for the workflow. */
    async askUntilItWaits(protocol: 'unified' | 'triggered' = 'unified') {
      const { round } = await it.askUntilWaiting('Go.', { protocol })
      const [run] = await runs()
      if (!run) throw new Error('nothing was started')
      return { requestId: round.requestId, run, callId: run.callId ?? '' }
    },
    roundEnded: (requestId: string) => it.segno.completion(it.sessionId, requestId),
  }
}

export type Working = Awaited<ReturnType<typeof working>>
