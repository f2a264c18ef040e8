import { FORMAT_NAMES, type FormatName } from '../support/strict-provider/names.ts'

export interface LeftOut {
  readonly file: string
  /** as it stands in the file */
  readonly title: string
  readonly formats: readonly FormatName[]
  readonly why: string
}

const ALL = FORMAT_NAMES
const NOT_SHOWN = 'Chat Completions does not show what a model thinks'
const IN_A_ROW = 'what a user says twice in a row is one text here, and the script answers all of it'
const CHAT = ['openai-chat', 'deepseek'] as const

/** Tests that mean nothing over the wire, or not over this one. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    file: 'tests/scenarios/protocol/log-order.test.ts',
    title: 'the message that asks for tools keeps the signature of its reasoning',
    formats: ALL,
    why: 'it gives the scripted model a signature of its own; tests/wire/swap.test.ts has real ones',
  },
  {
    file: 'tests/scenarios/telemetry/metrics.test.ts',
    title: 'has a word for every reason for which a model call is tried again',
    formats: ALL,
    why: 'it counts the faults of a script one by one; on the wire a cut is a broken connection, an overload a status',
  },
  {
    file: 'tests/scenarios/files/results.test.ts',
    title: 'the model is given the bytes of what was sent and returned',
    formats: ['deepseek'],
    why: 'this model takes no pictures',
  },
  {
    file: 'tests/scenarios/protocol/odd-calls.test.ts',
    title: 'ignores and counts a call without a name',
    formats: CHAT,
    why: 'the provider packages of this format drop such a call unseen',
  },
  {
    file: 'tests/scenarios/protocol/odd-calls.test.ts',
    title: 'takes the call with a name that comes after one without',
    formats: CHAT,
    why: 'the provider packages of this format drop such a call unseen',
  },
  {
    file: 'tests/scenarios/protocol/first-call.test.ts',
    title: 'usage lost by stopping the model is estimated and marked',
    formats: CHAT,
    why: 'in this format a call is complete when its whole stream is, so that nothing is stopped or lost',
  },
  {
    file: 'tests/scenarios/library/follow-text.test.ts',
    title: 'the deltas of reasoning and arguments add up as well',
    formats: ['openai-chat'],
    why: NOT_SHOWN,
  },
  {
    file: 'tests/scenarios/telemetry/no-content.test.ts',
    title: 'lets nothing that was said into a metric, a log line or a span',
    formats: ['openai-chat'],
    why: NOT_SHOWN,
  },
  {
    file: 'tests/scenarios/audit/canary.test.ts',
    title: 'nothing that was said, made up, called, returned, thrown, decided or noted is in the audit log',
    formats: ['openai-chat'],
    why: NOT_SHOWN,
  },
  {
    file: 'tests/scenarios/gate/taint.test.ts',
    title: 'in a file somebody attached makes sending ask',
    formats: ['anthropic', 'openai-chat', 'openai'],
    why: 'a text file is a text of its own here, the last one, and the script answers that',
  },
  {
    file: 'tests/scenarios/session/fork.test.ts',
    title: 'a fork from any event can be continued at once',
    formats: ['deepseek'],
    why: IN_A_ROW,
  },
  {
    file: 'tests/scenarios/session/fork-running.test.ts',
    title: 'a fork in the middle of an answer starts without it, and the answer goes on',
    formats: ['deepseek'],
    why: IN_A_ROW,
  },
]
