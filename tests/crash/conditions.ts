import type { EffectClass } from '../../src/contract/outcome.ts'
import type { PointName } from './points.ts'

/** What must be the case for a process to come to a point at all. */
export interface Condition {
  readonly effects?: readonly EffectClass[]
  readonly by?: 'bash' | 'mcp' | 'workflow'
  readonly question?: boolean
  /** its calls answer later */
  readonly later?: boolean
  /** comes from inside a tool of this process */
  readonly inTool?: boolean
  readonly asks?: boolean
  /** the call must be carried out: nobody denies it */
  readonly runs?: boolean
  readonly second?: boolean
  readonly fork?: boolean
  readonly cancel?: boolean
  /** comes once for each call */
  readonly perCall?: boolean
  /** the process must have died before, and have left a round that was running */
  readonly orphan?: boolean
  /** the process must have died inside the tool */
  readonly orphanedCall?: boolean
  readonly drag?: number
  /** how late the point may be hit, at most */
  readonly nth?: number
  /** how often it is taken in one pass */
  readonly times?: number
}

const LASTING: readonly EffectClass[] = ['keyed', 'verifiable', 'unsafe']
/** What can be said of an MCP tool. */
export const SENT: readonly EffectClass[] = ['pure', 'keyed', 'unsafe']

export const CONDITIONS: Readonly<Record<PointName, Condition>> = {
  'before commit': { nth: 5 },
  'after commit': { nth: 5 },
  'inside transaction': { nth: 5 },
  'before user message': {},
  'after user message': {},
  'before model call': { nth: 2 },
  'text delta': { nth: 14 },
  'before assistant message': {},
  'after assistant message': {},
  'before tool.call': { asks: true },
  'after tool.call': { asks: true },
  'waiting for approval': { asks: true },
  'decision stored': { asks: true },
  'decision acknowledged': { asks: true },
  'before approval.decided': { asks: true },
  'after approval.decided': { asks: true },
  'before tool.started': { effects: LASTING, runs: true, perCall: true },
  'after tool.started': { effects: LASTING, runs: true, perCall: true },
  'in tool, before its effect': { runs: true, perCall: true, inTool: true },
  'in tool, during its effect': { runs: true, perCall: true, inTool: true },
  'in tool, after its effect': { runs: true, perCall: true, inTool: true },
  'in verify': { effects: ['verifiable'], runs: true, orphanedCall: true, inTool: true },
  'in bash': { effects: ['unsafe'], by: 'bash', asks: true, runs: true, perCall: true, times: 2 },
  'in MCP call': { effects: SENT, by: 'mcp', asks: true, runs: true, nth: 40, times: 3 },
  'in workflow call': { effects: SENT, by: 'workflow', asks: true, runs: true, nth: 40, times: 2 },
  'workflow result acknowledged': { effects: SENT, by: 'workflow', asks: true, runs: true },
  'question open': { runs: true, question: true, perCall: true, inTool: true, times: 2 },
  'before tool.submitted': { runs: true, later: true, inTool: true },
  'after tool.submitted': { runs: true, later: true, inTool: true },
  'waiting for result': { runs: true, later: true, inTool: true },
  'result stored': { runs: true, later: true, inTool: true },
  'result acknowledged': { runs: true, later: true, inTool: true },
  'before tool.result': {},
  'after tool.result': {},
  'before final answer': {},
  'after final answer': {},
  'second message stored': { second: true },
  'second message acknowledged': { second: true },
  'cancel stored': { cancel: true, runs: true, inTool: true },
  'cancel acknowledged': { cancel: true, runs: true, inTool: true },
  'before fork': { fork: true, inTool: true },
  'after fork': { fork: true, inTool: true },
  'before round.resumed': { orphan: true },
  'after round.resumed': { orphan: true },
  random: { drag: 3, nth: 120, times: 3 },
  'random start': { orphan: true, nth: 1000, times: 2 },
}

export const POINTS = Object.keys(CONDITIONS) as PointName[]
