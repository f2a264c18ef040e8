import * as fc from 'fast-check'
import type { RoundLimits } from '../../src/contract/limits.ts'
import type { ModelParams, ToolChoice } from '../../src/contract/model-params.ts'
import type { SendOptions } from '../../src/round/index.ts'
import { TOOL_NAMES } from './tool-names.ts'

/**
 * Everything that will happen in one history, decided beforehand, so that a failure can be made smaller. Lists are
 * used from the beginning again when they run out.
 */
export interface Plan {
  readonly rounds: readonly RoundPlan[]
  /** what the model does, call by call */
  readonly turns: readonly TurnPlan[]
  /** what tools do, execution by execution */
  readonly runs: readonly RunPlan[]
  /** what is done when a round waits or is paused */
  readonly rests: readonly RestPlan[]
  /** what comes from outside once that many events are stored */
  readonly acts: readonly { readonly at: number; readonly act: Act; readonly pick: number }[]
  /** how the first, second, … process ends; the one after them lives on */
  readonly crashes: readonly CrashPlan[]
  /** commits, counted over the whole history, that the database refuses at first */
  readonly diskFull: readonly number[]
  /** which tools the first, second, … process has */
  readonly toolboxes: readonly Toolbox[]
  /** how much of the conversation the model is shown */
  readonly window: { readonly messages: number; readonly tokens: number }
  /** how full that may be before it is summarised, in percent; 0: it is only cut */
  readonly compact: number
  /** what comes of the summaries that Segno asks for, one by one */
  readonly summaries: readonly SummaryPlan[]
  /** the version of the prompt and of the preferences at the first, second, … model call; 0: there are none */
  readonly words: readonly { readonly prompt: number; readonly preferences: number }[]
}

export interface RoundPlan extends Required<Pick<SendOptions, 'protocol' | 'mode' | 'toolResultsAs' | 'attended'>> {
  readonly permissions: readonly string[]
  readonly limits: Partial<RoundLimits>
  readonly onBusy: 'queue' | 'reject' | 'interrupt'
  /** which of the sessions, once there are forks */
  readonly on: number
  /** before it, a person settles what is unknown */
  readonly reconcile: boolean
  /** the message has a file of so many bytes */
  readonly file: number
  /** how the model is to answer */
  readonly params: ModelParams
}

export interface TurnPlan {
  readonly say: readonly Say[]
  readonly end: End
}

export type Say =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: string }

export type End = (typeof ENDS)[number]
export type RunPlan = (typeof RUNS)[number]
export type SummaryPlan = (typeof SUMMARIES)[number]
type RestPlan = (typeof RESTS)[number]
export type Act = (typeof ACTS)[number]

export interface CrashPlan {
  readonly after: number
  /** is the last commit lost, stored without anybody hearing of it, or tried again when another owns the session? */
  readonly how: 'lost' | 'kept' | 'late'
}

/** All tools as they are, all of them described otherwise, or some of them gone. */
export type Toolbox = 'usual' | 'redefined' | 'smaller'

const TEXTS = [
  '{"city": "Rome"}',
  'I looked.',
  'Well 😀',
  'half \ud83d',
  ' ',
  '\n\n',
  '',
  'untrusted-data',
  'The answer is 42.\n',
] as const
const ENDS = [
  ...Array<'done'>(30).fill('done'),
  'length',
  'filter',
  'cut',
  'error',
  'refused',
  'overloaded',
  'overloaded',
  'too long',
  'too long',
  'bad thoughts',
  'hang',
  'crash',
] as const
const SUMMARIES = ['good', 'good', 'good', 'good', 'long', 'empty', 'blank', 'refused', 'cut', 'hang', 'crash'] as const
const RUNS = [
  ...Array<'ok'>(10).fill('ok'),
  'empty',
  'throw',
  'throw',
  'doubt',
  'slow',
  'slow',
  'hang',
  'deaf',
  'huge',
  'pieces',
  'picture',
  'later',
  'later',
  'crash',
] as const
const RESTS = [
  ...Array<'approve'>(6).fill('approve'),
  'remember',
  'deny',
  'deny',
  'expire',
  'partly',
  'cancel',
  'interrupt',
  'crash',
  'leave',
] as const
const ACTS = [
  'cancel',
  'pause',
  'pause',
  'interrupt',
  'queue',
  'rename',
  'compact',
  'compact',
  'archive',
  'clear',
  'delete-message',
  'delete-message',
  'fork',
  'fork',
  'fork',
  'reconcile',
  'reconcile',
  'answer',
  'answer',
  'stop',
  'delete',
] as const
const GOOD_ARGS = [1, 2, 3, 4, 5, 6, 7, 8].map((x) => `{"x":${x}}`)
const ARGS = [
  ...GOOD_ARGS,
  ...GOOD_ARGS,
  // The same, spelled in two ways.
  '{"x":9,"note":"a","deep":{"a":1,"b":[2]}}',
  '{"deep":{"b":[2],"a":1},"note":"a","x":9}',
  '',
  '{"x":',
  '{"x":1}]',
  '[1]',
  '{"x":"one"}',
  '{"note":"\\ud800"}',
] as const
/** One is unknown, one no provider would take back, one has no name: the call is not taken. */
const NAMES = [...TOOL_NAMES, ...TOOL_NAMES, ...TOOL_NAMES, 'nothing', 'do it.now', ''] as const

const saying = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom(...TEXTS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reasoning' as const), text: fc.constantFrom('hm', '', ' ') }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom(...NAMES),
      args: fc.constantFrom(...ARGS),
    }),
  },
)

const turn: fc.Arbitrary<TurnPlan> = fc.record({
  say: fc.array(saying, { maxLength: 5 }),
  end: fc.constantFrom(...ENDS),
})

const limits: fc.Arbitrary<Partial<RoundLimits>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        maxIterations: fc.nat(8),
        maxToolCalls: fc.nat(3),
        maxCycles: fc.nat(4),
        maxFruitless: fc.nat(4),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ totalMs: fc.constantFrom(0, 30, 4000, 20_000) }) },
)

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const

const params: fc.Arbitrary<ModelParams> = fc.record(
  {
    effort: fc.constantFrom('none', 'low', 'max'),
    temperature: fc.constantFrom(0, 0.5, 2),
    maxOutput: fc.constantFrom(1, 100, 1_000_000),
    tools: fc.subarray([...TOOL_NAMES, 'nothing']),
    toolChoice: fc.constantFrom<ToolChoice[]>('auto', 'none', 'required', { tool: 'look' }, { tool: 'nothing' }),
    output: fc.constant({ schema }),
  },
  { requiredKeys: [] },
)

const round: fc.Arbitrary<RoundPlan> = fc.record({
  protocol: fc.constantFrom('unified', 'triggered'),
  mode: fc.constantFrom('act', 'act', 'act', 'act', 'act', 'plan'),
  toolResultsAs: fc.constantFrom('system', 'tool'),
  attended: fc.constantFrom(true, true, true, true, false),
  permissions: fc.constantFrom(
    ['*'],
    ['*'],
    ['*'],
    ['*'],
    ['chat:*', 'tool:invoke'],
    ['chat:*', 'tool:look', 'tool:send', 'tool:put'],
  ),
  limits,
  onBusy: fc.constantFrom('queue', 'queue', 'queue', 'interrupt', 'reject'),
  on: fc.nat(5),
  reconcile: fc.boolean(),
  file: fc.constantFrom(0, 0, 0, 0, 10, 600),
  params: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: params }),
})

const crash: fc.Arbitrary<CrashPlan> = fc.record({
  after: fc.oneof({ weight: 2, arbitrary: fc.nat(3) }, { weight: 3, arbitrary: fc.nat(12) }),
  how: fc.constantFrom('lost', 'kept', 'late'),
})

export const plans: fc.Arbitrary<Plan> = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
  turns: fc.array(turn, { minLength: 1, maxLength: 10 }),
  runs: fc.array(fc.constantFrom(...RUNS), { minLength: 1, maxLength: 8 }),
  rests: fc.array(fc.constantFrom(...RESTS), { minLength: 1, maxLength: 6 }),
  acts: fc.array(
    fc.record({ at: fc.integer({ min: 2, max: 60 }), act: fc.constantFrom(...ACTS), pick: fc.nat(1000) }),
    { maxLength: 4 },
  ),
  crashes: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(crash, { minLength: 1, maxLength: 3 }) },
    // Again and again at the same place, until the round is given up.
    { weight: 1, arbitrary: fc.tuple(crash, fc.nat(1)).map(([first, after]) => [first, ...again(after)]) },
  ),
  diskFull: fc.array(fc.nat(30), { maxLength: 1 }),
  toolboxes: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Toolbox[]>(['usual']) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom<Toolbox>('usual', 'redefined', 'smaller'), { minLength: 2, maxLength: 3 }),
    },
  ),
  window: fc.constantFrom(
    { messages: 50, tokens: 100_000 },
    { messages: 50, tokens: 100_000 },
    { messages: 6, tokens: 100_000 },
    { messages: 50, tokens: 300 },
  ),
  compact: fc.constantFrom(0, 30, 80),
  summaries: fc.array(fc.constantFrom(...SUMMARIES), { minLength: 1, maxLength: 4 }),
  words: fc.oneof(
    { weight: 1, arbitrary: fc.constant([{ prompt: 0, preferences: 0 }]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ prompt: fc.nat(2), preferences: fc.nat(2) }), { minLength: 1, maxLength: 5 }),
    },
  ),
})

function again(after: number): CrashPlan[] {
  return Array.from({ length: 4 }, () => ({ after: after + 1, how: 'lost' }))
}
