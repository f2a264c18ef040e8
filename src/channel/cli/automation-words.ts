import type {
  Delivery,
  Hook,
  RunCounts,
  Schedule,
  Trigger,
  Webhook,
  Workflow,
  WorkflowRun,
} from '../../client/index.ts'
import { EVENT_TYPES, REPORTED_TYPES, type Action } from '../../contract/automation.ts'
import { INVOCATION_STATUSES } from '../../contract/invocation.ts'
import { visible, visibleText } from '../../lib/visible.ts'
import { clockTime, duration, money } from './chat/words.ts'
import { indented } from './event-words.ts'

type State = { readonly status: string; readonly reason?: string }

const state = ({ status, reason }: State): string =>
  status === 'active' ? '' : `  ${status}${reason === undefined ? '' : `: ${visible(reason)}`}`

const json = (value: unknown): string => visible(JSON.stringify(value))

export const workflowLine = (workflow: Workflow): string =>
  `${workflow.id}  ${workflow.name}  ${workflow.engine}, ${workflow.effect}${state(workflow)}\n` +
  `  ${visible(workflow.description)}`

/** All of it, and who may use it. */
export function workflowText(workflow: Workflow): string {
  const { name, engine, target, input, output, cost, quota, approval, timeoutMs, waitMs, status, runs } = workflow
  const { url, header, connection, workflowType, taskQueue, hasAuth, hasApiKey } = target
  const where = url ?? `${workflowType} in the queue ${taskQueue} of ${connection}`
  const held = [
    ...(hasAuth ? [`the header ${visible(header ?? '')}, whose value is stored`] : []),
    ...(hasApiKey ? ['the key of its API'] : []),
  ]
  const times = [
    ...(timeoutMs === undefined ? [] : [`${timeoutMs / 1000} s to be handed over`]),
    ...(waitMs === undefined ? [] : [`${waitMs / 1000} s for its result`]),
  ]
  return [
    workflowLine(workflow),
    `  ${engine} at ${visible(where)}${held.length > 0 ? `, with ${held.join(' and ')}` : ''}`,
    `  for models: workflow_${name}, ${status === 'active' ? APPROVALS[approval ?? (workflow.effect === 'pure' ? 'auto' : 'ask')] : 'not offered now'}`,
    ...(cost === undefined ? [] : [`  costs ${money(cost)} each time`]),
    ...(quota === undefined ? [] : [`  at most ${quotaWords(quota)}`]),
    ...(times.length > 0 ? [`  has ${times.join(', ')}`] : []),
    `  input  ${json(input)}`,
    ...(output === undefined ? [] : [`  output ${json(output)}`]),
    ...(runs === undefined ? [] : [`  ${sumsText(runs)}`]),
    `  made by ${visible(workflow.createdBy)}, changed ${clockTime(workflow.updatedAt)}, revision ${workflow.revision}`,
  ].join('\n')
}

/** How its last runs went; of those that there are none of it says nothing. */
function sumsText({ since, medianMs, ...sums }: RunCounts): string {
  const counted = INVOCATION_STATUSES.filter((status) => sums[status] > 0).map(
    (status) => `${sums[status]} ${SUMS[status]}`,
  )
  const median = medianMs === undefined ? '' : `; half of them took less than ${duration(medianMs)}`
  return `runs since ${clockTime(since)}: ${counted.join(', ') || 'none'}${median}`
}

const SUMS = {
  pending: 'not begun',
  running: 'running',
  success: 'succeeded',
  failure: 'failed',
  timeout: 'timed out',
  unknown: 'unknown',
} as const

const APPROVALS = {
  auto: 'called without asking',
  ask: 'a person is asked',
  always: 'a person is asked each time',
} as const

function quotaWords({ perHour, concurrent }: NonNullable<Workflow['quota']>): string {
  return [
    ...(perHour === undefined ? [] : [`${perHour} an hour`]),
    ...(concurrent === undefined ? [] : [`${concurrent} at a time`]),
  ].join(' and ')
}

const ENDS = {
  pending: 'has not begun',
  running: 'runs',
  success: 'succeeded',
  failure: 'failed',
  timeout: 'did not answer in time',
  unknown: 'may have happened: nobody knows',
} as const

const ORIGINS = {
  call: 'a model asked',
  person: 'a person asked',
  trigger: 'an event',
  schedule: 'the clock',
  hook: 'a hook',
  webhook: 'an event',
} as const

export function runLine({ id, workflow, status, origin, createdAt, endedAt, nextAt }: WorkflowRun): string {
  const times = endedAt === undefined ? `since ${clockTime(createdAt)}` : clockTime(endedAt)
  const again = nextAt === undefined ? '' : `, again at ${clockTime(nextAt)}`
  return `${id}  ${visible(workflow)}  ${ENDS[status]}, ${times}${again} (${ORIGINS[origin]})`
}

/** The line of a run in a list, with why it failed. */
export const runListLine = (run: WorkflowRun): string =>
  run.error === undefined ? runLine(run) : `${runLine(run)}\n  ${visible(shortened(run.error))}`

const ERROR_CHARS = 200
const shortened = (text: string): string => (text.length > ERROR_CHARS ? `${text.slice(0, ERROR_CHARS)}…` : text)

/** All of one run. */
export function runText(run: WorkflowRun): string {
  const { key, attempts, code, error, engineRef, sessionId, input, output, raw, status } = run
  return [
    runLine(run),
    `  key ${visible(key)}, handed over ${attempts === 1 ? 'once' : `${attempts} times`}`,
    ...(engineRef === undefined ? [] : [`  its engine calls it ${visible(engineRef)}`]),
    ...(sessionId === undefined ? [] : [`  of the conversation ${sessionId}`]),
    input === undefined ? '  what it was given and returned is erased' : `  input  ${json(input)}`,
    ...(output === undefined ? [] : [`  output ${json(output)}`]),
    ...(error === undefined ? [] : [`  ${code === undefined ? '' : `${code}: `}${visible(error)}`]),
    ...(raw === undefined ? [] : ['  what was answered instead:', indented(visibleText(raw))]),
    ...(status === 'unknown' || status === 'timeout'
      ? [`  say what became of it: segno workflows settle ${run.id} success   (or failure)`]
      : []),
  ].join('\n')
}

export const webhookText = (webhook: Webhook): string =>
  `${webhook.id}  ${visible(webhook.url)}${webhook.content ? ', with content' : ''}${state(webhook)}\n` +
  `  ${webhook.events.map((event) => (event === '*' ? 'every event' : visible(event))).join(' ')}`

export function deliveryLine({
  id,
  event,
  status,
  attempts,
  code,
  error,
  endedAt,
  nextAt,
  createdAt,
}: Delivery): string {
  const how = {
    pending: nextAt === undefined ? 'waits' : `is sent again at ${clockTime(nextAt)}`,
    running: 'is being sent',
    success: `arrived ${clockTime(endedAt ?? createdAt)}`,
    failure: 'did not arrive',
    timeout: 'did not arrive in time',
    unknown: 'may have arrived',
  }[status]
  const why = error === undefined ? '' : `: ${code === undefined ? '' : `${code}, `}${visible(error)}`
  return `${id}  ${visible(event)}  ${how}, sent ${attempts === 1 ? 'once' : `${attempts} times`}${why}`
}

/** What people call a workflow. */
export type NameOf = (workflowId: string) => string

export const hookText = (hook: Hook, nameOf: NameOf): string =>
  `${hook.name}  POST /api/hooks/${hook.name}${state(hook)}\n  ${actionWords(hook.action, nameOf)}`

function actionWords(action: Action, nameOf: NameOf): string {
  switch (action.does) {
    case 'workflow':
      return `runs workflow ${nameOf(action.workflowId)} with ${action.input ? json(action.input) : 'what it is sent'}`
    case 'message':
      return `says in session ${action.sessionId}: ${visible(action.content)}`
    case 'event':
      return `reports the event ${visible(action.type)}`
  }
}

const KNOWN_TYPES: readonly string[] = EVENT_TYPES
const TOLD_TYPES = EVENT_TYPES.filter((type) => !(REPORTED_TYPES as readonly string[]).includes(type))

/** For the help of what hears of events. */
export const EVENT_HELP = `Segno tells these events: ${TOLD_TYPES.slice(0, 3).join(', ')},
  ${TOLD_TYPES.slice(3).join(', ')}.
You tell it of ${REPORTED_TYPES.join(', ')} and events with a name of your own, such as order.paid:
  with segno events report, or by a hook (segno hooks).`

export function triggerText(trigger: Trigger, nameOf: NameOf): string {
  const { id, event, filter, workflowId } = trigger
  const where = Object.entries(filter ?? {}).map(([path, value]) => `${visible(path)} is ${json(value)}`)
  const only = where.length > 0 ? ` where ${where.join(' and ')}` : ''
  // Whoever mistyped one of Segno's sees it here.
  const own = KNOWN_TYPES.includes(event) ? '' : ' (a name of your own)'
  return `${id}  ${visible(event)}${own}${only}${state(trigger)}\n  runs workflow ${nameOf(workflowId)}`
}

export function scheduleText(schedule: Schedule, nameOf: NameOf): string {
  const { id, cron, timeZone, workflowId, sessionId, input = {}, content = '', nextAt } = schedule
  const what =
    workflowId === undefined
      ? `says in session ${sessionId}: ${visible(content)}`
      : `runs workflow ${nameOf(workflowId)} with ${json(input)}`
  const next = nextAt === undefined || schedule.status !== 'active' ? '' : `, next ${clockTime(nextAt)}`
  return `${id}  ${visible(cron)}  ${visible(timeZone)}${next}${state(schedule)}\n  ${what}`
}
