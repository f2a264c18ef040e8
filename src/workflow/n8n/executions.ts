import type { Egress } from '../../egress/index.ts'
import type { Json } from '../../contract/message.ts'
import { createRedactor } from '../../lib/redactor.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { HandOver, NotDone, Started } from '../engine.ts'
import { isAnswer, postWork } from '../post-work.ts'
import { valueAt } from '../value-at.ts'
import { parsed } from '../work-answer.ts'

/** A `location` may have been told instead, and cannot be looked up. */
const EXECUTION_ID = /^[A-Za-z0-9_-]{1,64}$/

/** What n8n's public API knows of an execution, where a workflow has an address and a key of it. */
export function createExecutions(options: { readonly egress: Egress; readonly answerBytes: number }) {
  /** The answer to one request, undefined without the API or where it did not answer with 200. */
  async function ask(work: HandOver, method: 'GET' | 'POST', path: string): Promise<Json | undefined> {
    const { target, secrets, engineRef } = work
    const { apiKey } = secrets
    if (target.engine !== 'n8n' || target.apiUrl === undefined || apiKey === undefined) return undefined
    if (engineRef === undefined || !EXECUTION_ID.test(engineRef)) return undefined
    const url = `${target.apiUrl}/executions/${engineRef}${path}`
    const headers = { 'x-n8n-api-key': apiKey, accept: 'application/json' }
    const answer = await postWork({ method, url, headers }, work, options)
    if (!isAnswer(answer) || answer.status !== 200 || answer.cut) return undefined
    const redact = createRedactor(Object.values(secrets))
    return parsed(redact(answer.body.toString('utf8'))) ?? null
  }

  return {
    /** Never 'absent': n8n also forgets executions, or does not store them at all. */
    async find(work: HandOver): Promise<Started | 'unclear'> {
      const said = await ask(work, 'GET', '')
      const status = isObject(said) ? said['status'] : undefined
      const engineRef = work.engineRef === undefined ? {} : { engineRef: work.engineRef }
      switch (status) {
        case 'success':
          return { kind: 'success', output: outputOf(await ask(work, 'GET', '?includeData=true')), ...engineRef }
        case 'new':
        case 'running':
        case 'waiting':
          return { kind: 'submitted', ...engineRef }
        case 'error':
        case 'crashed':
          return { ...OVER, code: 'FAILED', error: `The execution in n8n has the status ${status}.`, ...engineRef }
        case 'canceled':
          return { ...OVER, code: 'CANCELLED', error: 'The execution was cancelled in n8n.', ...engineRef }
        default:
          return 'unclear'
      }
    },
    stop: async (work: HandOver): Promise<boolean> => (await ask(work, 'POST', '/stop')) !== undefined,
  }
}

const OVER: Pick<NotDone, 'kind' | 'mayHaveHappened' | 'isFinal'> = {
  kind: 'failure',
  mayHaveHappened: true,
  isFinal: true,
}

/** What the webhook node answers by itself: the first item of the node that ran last; null if that was not kept. */
function outputOf(execution: Json | undefined): Json {
  const result = valueAt(execution, ['data', 'resultData'])
  const node = valueAt(result, ['lastNodeExecuted'])
  const runs = typeof node === 'string' ? valueAt(result, ['runData', node]) : undefined
  const last = Array.isArray(runs) ? runs.length - 1 : 0
  return valueAt(runs, [String(last), 'data', 'main', '0', '0', 'json']) ?? null
}
