import type { ToolContext, Verification } from '../contract/tool.ts'
import { denies } from '../policy/index.ts'
import type { Call } from '../session/index.ts'
import { runTool, type RegisteredTool } from '../tool/index.ts'
import { appendResult, appendUnknown } from './call-results.ts'
import { contextOf, finish, runOptions } from './execute.ts'
import { Stopping, isStopping } from './stopping.ts'
import { folderOf, gatherFacts, prepareCall, type PreparedCall } from './prepare-call.ts'
import { attend, QuestionDesk } from './question-desk.ts'
import type { StepWork } from './work.ts'

/** Started before the process died, and its class says it may run again: the same key, no second start. */
export async function performRerun(call: Call, work: StepWork): Promise<void> {
  const { session } = work
  const ready = await prepareCall(call, work)
  const { tool } = ready
  if (!tool || ready.schemaError !== undefined || changed(call, tool))
    return appendUnknown(call, 'the tool is not what it was', session)
  if (await isDenied(call, ready, work)) return appendUnknown(call, 'the policy does not allow it any more', session)
  await finish([{ call, ready: { ...ready, tool } }], work, true)
}

/** Started before the process died; the tool can look up whether it happened. */
export async function performVerify(call: Call, work: StepWork): Promise<void> {
  const { session } = work
  const ready = await prepareCall(call, work)
  const { tool } = ready
  if (!tool?.tool.verify || ready.schemaError !== undefined || changed(call, tool))
    return appendUnknown(call, 'it cannot be looked up', session)
  const seen: { answer: Verification } = { answer: { happened: 'unknown' } }
  const lookup = { ...tool, tool: { ...tool.tool, run: verifyWith(tool, (answer) => (seen.answer = answer)) } }
  const options = runOptions(work)
  const context = contextOf(call, work, await folderOf(work))
  const run = await attend(runTool(lookup, ready.args, context, options), new QuestionDesk([call]), work)
  context.end()
  if (isStopping(work.signal)) throw new Stopping('stopped during a look-up')
  const did = seen.answer.happened
  if (run.outcome !== 'ok' || did === 'unknown') return appendUnknown(call, 'looking it up gave no answer', session)
  if (!did && (await isDenied(call, ready, work)))
    return appendUnknown(call, 'the policy does not allow it any more', session)
  if (did) appendResult(call, { ...ready, tool }, run, context.spent(run), work)
  // It did not happen before; what comes of it now is all there is.
  else await finish([{ call, ready: { ...ready, tool } }], work)
}

function verifyWith(tool: RegisteredTool, keep: (answer: Verification) => void) {
  return async (args: Parameters<NonNullable<typeof tool.tool.verify>>[0], ctx: ToolContext) => {
    const answer = (await tool.tool.verify?.(args, ctx)) ?? { happened: 'unknown' as const }
    keep(answer)
    return answer.happened === true ? answer.output : null
  }
}

/** What may run again is not what may still be done. */
async function isDenied(call: Call, ready: PreparedCall, work: StepWork): Promise<boolean> {
  return denies(await gatherFacts(call, ready, work), work.hands.policy)
}

/** What was started was allowed for the tool as it was then. */
function changed(call: Call, tool: RegisteredTool): boolean {
  return call.effect !== 'pure' && call.definitionHash !== null && call.definitionHash !== tool.definitionHash
}
