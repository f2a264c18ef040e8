import { WORKFLOW_TIMED_OUT, type Invocation } from '../contract/invocation.ts'
import type { EffectClass } from '../contract/outcome.ts'
import type { LaterAnswer } from '../contract/tool.ts'

const ERROR_CHARS = 300

/** What went wrong, as a model reads it. */
class RunFailed extends Error {
  override readonly name = 'RunFailed'
  /** `unknown`: it may have happened; `done`: it did, and only its output cannot be used */
  readonly effect: 'unknown' | 'done' | undefined
  readonly outcome: 'timeout' | undefined

  constructor(message: string, effect?: 'unknown' | 'done', outcome?: 'timeout') {
    super(message)
    this.effect = effect
    this.outcome = outcome
  }
}

/** What a conversation is told of an invocation that has ended. */
export function answerOf(invocation: Invocation, tool: string, effect: EffectClass): LaterAnswer {
  const { status, output = null, inDoubt, code, error = 'nobody said why' } = invocation
  if (status === 'success') return { output }
  const isUnknown = effect !== 'pure' && (inDoubt === true || status === 'unknown' || status === 'timeout')
  const why = error.slice(0, ERROR_CHARS).toWellFormed().trim().replace(/\.$/, '')
  if (status === 'timeout')
    return { error: new RunFailed(WORKFLOW_TIMED_OUT, isUnknown ? 'unknown' : undefined, 'timeout') }
  const text = `[Tool "${tool}" failed: ${why}. Proceeding without this information.]`
  const isDone = effect !== 'pure' && code === 'BAD_OUTPUT'
  return { error: new RunFailed(text, isDone ? 'done' : isUnknown ? 'unknown' : undefined) }
}
