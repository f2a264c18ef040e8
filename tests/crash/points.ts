import { textOf } from '../../src/contract/message.ts'
import type { Change } from '../../src/store/index.ts'

/** Commits that mean something, told by the events in them. */
const COMMITS = {
  /** any commit at all */
  commit: () => true,
  'user message': ({ events }) =>
    events.some((one) => one.type === 'message.user' && textOf(one.data.content).startsWith('episode')),
  'assistant message': ({ events }) =>
    events.some(
      ({ type, data }) => type === 'message.assistant' && data.content.some((part) => part.type === 'tool_use'),
    ),
  'tool.call': (change) => has(change, 'tool.call') && !has(change, 'tool.started'),
  'approval.decided': (change) => has(change, 'approval.decided'),
  /** a start whose result is still to come */
  'tool.started': ({ events }) =>
    events.some(
      (one) =>
        one.type === 'tool.started' &&
        !events.some((other) => other.type === 'tool.result' && other.data.callId === one.data.callId),
    ),
  'tool.submitted': (change) => has(change, 'tool.submitted'),
  'tool.result': (change) => has(change, 'tool.result'),
  'final answer': (change) => has(change, 'round.ended'),
  fork: ({ create }) => create?.parent !== undefined,
  'round.resumed': ({ events }) => events.some((one) => one.type === 'round.resumed' && one.data.reason === 'takeover'),
} as const satisfies Record<string, (change: Change) => boolean>

type CommitName = keyof typeof COMMITS

function has({ events }: Change, type: string): boolean {
  return events.some((event) => event.type === type)
}

export function commitNames(change: Change): CommitName[] {
  return (Object.keys(COMMITS) as CommitName[]).filter((name) => COMMITS[name](change))
}

/** Every place where a process is killed. */
export type PointName =
  | `before ${CommitName}`
  | `after ${CommitName}`
  /** inside the database's transaction: everything is written or sent, and nothing is known to be committed */
  | 'inside transaction'
  | 'before model call'
  | 'text delta'
  /** the round rests: nothing runs, somebody is asked */
  | 'waiting for approval'
  /** the round rests: somebody else has its work, and its result is still to come */
  | 'waiting for result'
  | 'result stored'
  | 'result acknowledged'
  | 'second message stored'
  | 'second message acknowledged'
  | 'cancel stored'
  | 'cancel acknowledged'
  | 'decision stored'
  | 'decision acknowledged'
  | 'in tool, before its effect'
  /** the request has left, no answer has come */
  | 'in tool, during its effect'
  | 'in tool, after its effect'
  | 'in verify'
  /** a command has begun, done what it does, and goes on */
  | 'in bash'
  /** from outside, some time after an MCP server did what it was asked to */
  | 'in MCP call'
  /** from outside, some time after a workflow was handed over */
  | 'in workflow call'
  /** what came of a workflow is stored, and whoever said so has heard that */
  | 'workflow result acknowledged'
  /** a running call has asked a person, and nobody has answered */
  | 'question open'
  /** from outside, some time after a round began */
  | 'random'
  /** from outside, some time after the process began */
  | 'random start'

/** Comes to a point; does not come back where the plan says so. */
export type Hit = (point: PointName) => void
