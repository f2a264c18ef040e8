import type { Workflow } from '../../../../src/client/index.ts'
import { EVENT_TYPES, REPORTED_TYPES } from '../../../../src/contract/automation.ts'
import { valueAt, type Body, type DataField, type Options } from '../form/data-field.ts'
import type { Route, Shown } from './automation.ts'
import { flatFields } from './flat-fields.ts'
import { ADDRESS, workflowFields } from './workflow-fields.ts'

/** What the fields of an automation may name. */
export interface Choices {
  readonly workflows: readonly Workflow[]
  readonly sessions: readonly { readonly id: string; readonly title?: string | null }[]
  /** it is there already */
  readonly isChange: boolean
}

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

/** The fields of each kind: another one is a line here. */
export const fieldsFor = (route: Route, body: Body, choices: Choices): readonly DataField[] =>
  FIELDS[route](body, choices)

const FIELDS: Readonly<Record<Route, (body: Body, choices: Choices) => readonly DataField[]>> = {
  workflows: workflowFields,
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
