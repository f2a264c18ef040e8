import type { Tool } from '../src/contract/tool.ts'
import type { Script } from '../src/model/index.ts'

export interface Workload {
  readonly name: 'W1' | 'W2'
  /** the message that makes the scripted model play it */
  readonly message: string
  readonly modelCalls: number
  /** the commits of the floor, each with its number of rows */
  readonly floorCommits: readonly number[]
}

/** One answer of 200 deltas. */
export const W1: Workload = { name: 'W1', message: 'play w1', modelCalls: 1, floorCommits: [3, 3] }

/** Three model calls with two calls of a tool in between, and an answer of 50 deltas. */
export const W2: Workload = { name: 'W2', message: 'play w2', modelCalls: 3, floorCommits: [2, 2, 1, 2, 1, 1] }

/** Opens a session and puts a short exchange into it. */
export const HELLO = 'hello'

// Usage is given, so that the model does not count the characters of the prompt.
const usage = { input: 100, output: 100 }

function toolTurn(step: number) {
  return { calls: [{ name: 'nothing', args: { step, note: 'does nothing at all' } }], argDeltas: 5, usage }
}

export const script: Script = {
  scenarios: [
    { when: W1.message, turns: [{ text: 'word'.repeat(200), deltaChars: 4, usage }] },
    { when: W2.message, turns: [toolTurn(1), toolTurn(2), { text: 'word'.repeat(50), deltaChars: 4, usage }] },
  ],
  otherwise: { text: 'Hello to you too; this is an answer of one line.', usage },
}

/** Unsafe, so that its start must be on disk before it runs. */
export const nothing: Tool = {
  name: 'nothing',
  description: 'Does nothing.',
  input: {
    type: 'object',
    properties: { step: { type: 'integer' }, note: { type: 'string' } },
    required: ['step'],
    additionalProperties: false,
  },
  effect: 'unsafe',
  approval: 'auto',
  reach: [],
  run: () => 'done',
}
