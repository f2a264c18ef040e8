import type { Egress } from '../../egress/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { Engine, HandOver, NotDone, Started } from '../engine.ts'
import { isAnswer, postWork, type WorkAnswer } from '../post-work.ts'
import { parsed, readWorkAnswer, submittedAs } from '../work-answer.ts'
import { workHeaders } from '../work-request.ts'
import { createExecutions } from './executions.ts'
import { readN8nTarget } from './read-n8n-target.ts'

interface N8nEngineOptions {
  readonly egress: Egress
  readonly clock: Clock
  readonly answerBytes: number
}

/** Workflows that begin with n8n's webhook node. n8n cannot look a key up, only an execution whose id it told. */
export function createN8nEngine(options: N8nEngineOptions): Engine {
  const executions = createExecutions(options)
  return {
    name: 'n8n',
    signs: false,
    knowsKeys: false,
    readTarget: readN8nTarget,
    async start(work) {
      const { target, secrets, input } = work
      if (target.engine !== 'n8n') throw new Error(`a target of ${target.engine} for n8n`)
      const { value } = secrets
      const auth = target.header !== undefined && value !== undefined && { [target.header]: value }
      const headers = { ...workHeaders(work), ...auth }
      const answer = await postWork({ url: target.url, headers, body: JSON.stringify(input) }, work, options)
      return isAnswer(answer) ? readN8nAnswer(answer, work, options.clock.now()) : answer
    },
    find: (work) => executions.find(work),
    cancel: (work) => executions.stop(work),
  }
}

const STARTED = 'Workflow was started'
const STARTING_UP = 'n8n is starting up'

function readN8nAnswer(answer: WorkAnswer, work: HandOver, now: number): Started {
  const text = answer.body.toString('utf8')
  if (answer.status === 200) {
    // The webhook node answers at once, before anything ran.
    const said = parsed(text)
    if (isObject(said) && said['message'] === STARTED) return submittedAs(answer, work, said)
    // Said with 200 while n8n updates its database, whatever the address.
    if (text.startsWith(STARTING_UP)) return notYet('n8n is starting up.')
  }
  if (answer.status === 404 && isOfN8n(text))
    return notYet(
      'n8n knows no such webhook (status 404). The workflow must be published, take POST, and the address be its production URL.',
    )
  return readWorkAnswer(answer, work, now)
}

/** Before any workflow runs: it is not published, or was just now. */
const NO_WEBHOOK =
  /^(?:The requested webhook|This webhook is not registered for|(?:Active|Published) version not found)\b/
/** What its server says without routes, while it starts. */
const NO_ROUTE = '<pre>Cannot POST /'

/** Whether n8n itself says that there is nothing here; a workflow that ran can answer with 404, too. */
function isOfN8n(text: string): boolean {
  const said = parsed(text)
  if (!isObject(said)) return text.includes(NO_ROUTE)
  return said['code'] === 404 && typeof said['message'] === 'string' && NO_WEBHOOK.test(said['message'])
}

const notYet = (error: string): NotDone => ({
  kind: 'failure',
  code: 'CONNECTION_ERROR',
  error,
  mayHaveHappened: false,
  isFinal: false,
})
