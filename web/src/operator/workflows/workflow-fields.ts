import type { EffectClass } from '../../../../src/contract/outcome.ts'
import type { Body, DataField, Options } from '../form/data-field.ts'

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

const SECONDS = { kind: 'number', scale: 1000, min: 0.001, more: true } as const
const COUNT = { kind: 'number', min: 1, more: true } as const

export const ADDRESS = 'It must be public, unless SEGNO_WORKFLOW_ORIGINS names its origin.'

/** The fields of a workflow, old or new. */
export const workflowFields = (
  { engine = 'http', effect = 'unsafe' }: Body,
  { isChange }: { readonly isChange: boolean },
): readonly DataField[] => [
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
]

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
