import type { Workflow } from '../../../../src/client/index.ts'
import { EVENT_TYPES, REPORTED_TYPES } from '../../../../src/contract/automation.ts'
import type { EffectClass } from '../../../../src/contract/outcome.ts'
import { valueAt, type Body, type DataField, type Options } from '../form/data-field.ts'
import type { Route, Shown } from './automation.ts'
import { flatFields } from './flat-fields.ts'

/** What the fields of an automation may name. */
export interface Choices {
  readonly workflows: readonly Workflow[]
  readonly sessions: readonly { readonly id: string; readonly title?: string | null }[]
  /** it is there already */
  readonly isChange: boolean
}

const ENGINES: Options = [
  ['http', 'HTTP: a program behind an address'],
  ['n8n', 'n8n'],
  ['temporal', 'Temporal'],
]

export const EFFECTS: Readonly<Record<EffectClass, string>> = {
  pure: 'changes nothing, so it may be repeated',
  keyed: 'does it once per key, so it may be repeated with it',
  verifiable: 'can be asked whether it happened',
  unsafe: 'is never repeated by itself',
}

export const APPROVALS = {
  auto: 'without asking anybody',
  ask: 'somebody is asked',
  always: 'somebody is always asked',
} as const

const EVENTS: Readonly<Record<(typeof EVENT_TYPES)[number], string>> = {
  'user.signup': 'you report it',
  'user.subscription.changed': 'you report it',
  'chat.message.created': 'a message or an answer',
  'knowledge.published': 'a document is found from now on',
  'memory.created': 'something about somebody was noted',
  'tool.invocation.failed': 'a call failed, or nobody knows',
  'approval.requested': 'somebody has to decide',
  'approval.completed': 'somebody decided, or it ran out',
}
const eventOptions = (types: readonly (typeof EVENT_TYPES)[number][]): Options =>
  types.map((type) => [type, `${type}: ${EVENTS[type]}`])
const OWN_EVENT = 'A name of your own, such as order.paid'

const TIMES: Options = [
  ['0 9 * * 1-5', 'On working days at 9:00'],
  ['0 9 * * *', 'Every day at 9:00'],
  ['0 9 * * 1', 'Every Monday at 9:00'],
  ['0 9 1 * *', 'On the first of each month at 9:00'],
  ['0 * * * *', 'Every hour'],
  ['*/15 * * * *', 'Every 15 minutes'],
]

const SECONDS = { kind: 'number', scale: 1000, min: 0.001, more: true } as const
const COUNT = { kind: 'number', min: 1, more: true } as const

/** The fields of each kind: another one is a line here. */
export const fieldsFor = (route: Route, body: Body, choices: Choices): readonly DataField[] =>
  FIELDS[route](body, choices)

const FIELDS: Readonly<Record<Route, (body: Body, choices: Choices) => readonly DataField[]>> = {
  workflows: ({ engine = 'http', effect = 'unsafe' }, { isChange }) => [
    { path: 'name', label: 'Name', needed: true, help: 'Small letters, digits and _. It is the tool workflow_NAME.' },
    { path: 'description', label: 'What it does', kind: 'long', needed: true, help: 'The assistant reads this too.' },
    {
      path: 'engine',
      label: 'Where it runs',
      kind: 'pick',
      needed: true,
      options: isChange ? ENGINES.filter(([one]) => one === engine) : ENGINES,
      otherwise: 'http',
    },
    ...targetFields(engine, isChange),
    { path: 'input', label: 'Input', kind: 'json', needed: true, help: 'JSON Schema of what it takes.' },
    {
      path: 'effect',
      label: 'What running it twice would do',
      kind: 'pick',
      needed: true,
      options: Object.keys(EFFECTS).map((one) => [one, one]),
      otherwise: 'unsafe',
      help: `It ${EFFECTS[effect as EffectClass] ?? ''}.`,
    },
    {
      path: 'output',
      label: 'Output',
      kind: 'json',
      more: true,
      help: 'JSON Schema of what it gives; without one it is not checked.',
    },
    {
      path: 'approval',
      label: 'When the assistant starts it',
      kind: 'pick',
      more: true,
      options: [[undefined, 'somebody is asked, unless it changes nothing'], ...Object.entries(APPROVALS)],
    },
    { path: 'cost', label: 'Cost of one run, in dollars', kind: 'number', scale: 1_000_000, min: 0, more: true },
    { ...COUNT, path: 'quota.perHour', label: 'Most runs in an hour' },
    { ...COUNT, path: 'quota.concurrent', label: 'Most runs at a time' },
    {
      ...SECONDS,
      path: 'timeoutMs',
      label: 'Seconds to hand it over',
      help: 'Left empty: the limit WORKFLOW_MS, usually 30.',
    },
    {
      ...SECONDS,
      path: 'waitMs',
      label: 'Seconds to wait for a later result',
      help: 'Left empty: the limit SUBMITTED_MS, usually a day.',
    },
    { ...COUNT, path: 'retry.attempts', label: 'Attempts to hand it over', placeholder: '3' },
    { ...SECONDS, path: 'retry.baseMs', label: 'Seconds before the second one', placeholder: '1' },
    { ...COUNT, path: 'retry.factor', label: 'Each wait is so many times longer', placeholder: '2', step: 'any' },
    { ...SECONDS, path: 'retry.maxMs', label: 'Longest wait, in seconds', placeholder: '30' },
  ],
  triggers: (_, choices) => [
    {
      path: 'event',
      label: 'When this happens',
      kind: 'pick',
      needed: true,
      options: eventOptions(EVENT_TYPES),
      own: OWN_EVENT,
    },
    {
      path: 'filter',
      label: 'Only if its payload says',
      kind: 'rows',
      otherwise: {},
      help: 'All of them must hold. user.plan is the plan in user; 5 is a number, and "5" a text.',
    },
    {
      ...workflowField('workflowId', choices),
      help: 'It is given event, payload and timestamp, which its input has to allow.',
    },
  ],
  schedules: (body, choices) => {
    const does = body['does'] ?? (body['sessionId'] === undefined ? 'workflow' : 'message')
    return [
      {
        path: 'cron',
        label: 'When',
        kind: 'pick',
        needed: true,
        options: TIMES,
        own: 'Another time: minute, hour, day of the month, month, day of the week',
        otherwise: '0 9 * * 1-5',
      },
      {
        path: 'timeZone',
        label: 'By the clock of',
        kind: 'pick',
        needed: true,
        options: ['UTC', ...Intl.supportedValuesOf('timeZone').filter((one) => one !== 'UTC')].map((one) => [one, one]),
        otherwise: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      {
        path: 'does',
        label: 'What it does',
        kind: 'pick',
        needed: true,
        isLocal: true,
        options: DEEDS.slice(0, 2),
        otherwise: does,
      },
      ...(does === 'message'
        ? messageFields('', choices)
        : [workflowField('workflowId', choices), ...inputFields(body, choices)]),
    ]
  },
  hooks: (body, choices) => [
    { path: 'name', label: 'Name', needed: true, help: 'The last part of its address: letters, digits, _ and -.' },
    {
      path: 'action.does',
      label: 'What a call does',
      kind: 'pick',
      needed: true,
      options: DEEDS,
      otherwise: 'workflow',
    },
    ...hookFields(valueAt(body, 'action.does') ?? 'workflow', choices),
  ],
  webhooks: () => [
    {
      path: 'url',
      label: 'Address',
      kind: 'url',
      needed: true,
      placeholder: 'https://example.org/segno',
      help: ADDRESS,
    },
    {
      path: 'events',
      label: 'It is told of',
      kind: 'many',
      needed: true,
      options: [['*', 'Everything'], ...eventOptions(EVENT_TYPES)],
      own: 'Names of your own, with blanks between',
    },
    {
      path: 'content',
      label: 'With words and arguments, not only ids, types and sizes',
      kind: 'check',
      otherwise: false,
      help: 'Needs somebody who may read all conversations.',
    },
  ],
}

const ADDRESS = 'It must be public, unless SEGNO_WORKFLOW_ORIGINS names its origin.'

function targetFields(engine: unknown, isChange: boolean): readonly DataField[] {
  if (engine === 'temporal')
    return [
      { path: 'target.connection', label: 'Server', needed: true, help: 'As SEGNO_TEMPORAL calls it.' },
      { path: 'target.workflowType', label: 'Workflow type', needed: true },
      { path: 'target.taskQueue', label: 'Task queue', needed: true },
    ]
  const url = { path: 'target.url', label: 'Address', kind: 'url', needed: true } as const
  if (engine === 'http') return [{ ...url, placeholder: 'https://example.org/resize', help: ADDRESS }]
  const stays = isChange ? { placeholder: 'stays as it is' } : {}
  return [
    {
      ...url,
      placeholder: 'https://n8n.example.org/webhook/resize',
      help: `The production URL of its Webhook node. ${ADDRESS}`,
    },
    { path: 'target.auth.header', label: 'Header of its Header Auth', placeholder: 'x-segno' },
    { ...stays, path: 'target.auth.value', label: 'Value of that header', kind: 'secret' },
    {
      path: 'target.api.url',
      label: 'Address of its API',
      kind: 'url',
      placeholder: 'https://n8n.example.org/api/v1',
      help: 'With a key of it Segno can ask how far a run is, and stop it.',
    },
    { ...stays, path: 'target.api.key', label: 'Key of its API', kind: 'secret' },
  ]
}

const DEEDS: Options = [
  ['workflow', 'Starts a workflow'],
  ['message', 'Says something in a conversation'],
  ['event', 'Reports an event, for triggers and webhooks'],
]

const workflowField = (path: string, { workflows }: Choices): DataField => ({
  path,
  label: 'Workflow',
  kind: 'pick',
  needed: true,
  options: workflows.map(({ id, name, status }) => [id, status === 'active' ? name : `${name} (${status})`]),
})

/** What a workflow is given: by fields, if its schema is that simple. */
function inputFields({ workflowId }: Body, { workflows }: Choices): readonly DataField[] {
  const flat = flatFields(workflows.find(({ id }) => id === workflowId)?.input ?? {})
  return (
    flat?.map((field) => ({ ...field, path: `input.${field.path}` })) ?? [
      { path: 'input', label: 'Its input', kind: 'json', otherwise: {} },
    ]
  )
}

const messageFields = (at: string, { sessions }: Choices): readonly DataField[] => [
  {
    path: `${at}sessionId`,
    label: 'Conversation',
    kind: 'pick',
    needed: true,
    options: sessions.map(({ id, title }) => [id, title || id]),
    own: 'Another one, by its id',
  },
  {
    path: `${at}content`,
    label: 'What is said there',
    kind: 'long',
    needed: true,
    ...(at !== '' && { help: '{{payload}} stands for what came, {{payload.host}} for a field of it.' }),
  },
]

function hookFields(does: unknown, choices: Choices): readonly DataField[] {
  if (does === 'message') return messageFields('action.', choices)
  if (does === 'event')
    return [
      {
        path: 'action.type',
        label: 'Event',
        kind: 'pick',
        needed: true,
        options: eventOptions(REPORTED_TYPES),
        own: OWN_EVENT,
      },
    ]
  return [
    workflowField('action.workflowId', choices),
    {
      path: 'action.input',
      label: 'Its input',
      kind: 'json',
      help: 'Without one it is given what came. {{payload}} stands for that, {{payload.host}} for a field of it.',
    },
  ]
}

/** What a form for a new one begins with. */
export const START: Readonly<Record<Route, Body>> = {
  workflows: { input: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] } },
  triggers: {},
  schedules: {},
  hooks: {},
  webhooks: {},
}

/** One that is there, as it would be sent. */
export function bodyIn(thing: Shown): Body {
  if (!('engine' in thing)) return { ...thing }
  const { header, apiUrl, hasAuth: _, hasApiKey: __, ...target } = thing.target
  return {
    ...thing,
    target: { ...target, ...(header && { auth: { header } }), ...(apiUrl && { api: { url: apiUrl } }) },
  }
}
