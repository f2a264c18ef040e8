import type { Tool, Verification } from '../contract/tool.ts'
import { denies } from '../policy/index.ts'
import type { Call } from '../session/index.ts'
import { runTool, type RegisteredTool } from '../tool/index.ts'
import { appendResult, appendUnknown } from './call-results.ts'
import { contextOf, finish, runOptions } from './execute.ts'
import { Stopping, isStopping } from './stopping.ts'
import { folderOf, gatherFacts, prepareCall, type PreparedCall } from './prepare-call.ts'
import { attend, OpenQuestions } from './open-questions.ts'
import type { StepWork } from './work.ts'

/** Runs a call again that was started before the process died, with the same key and no second start event. */
export async function performRerun(call: Call, work: StepWork): Promise<void> {
  const { session } = work
  const ready = await prepareCall(call, work)
  const { tool } = ready
  if (!tool || ready.schemaError !== undefined || changed(call, tool))
    return appendUnknown(call, 'the tool is not what it was', session)
  if (await isDenied(call, ready, work)) return appendUnknown(call, 'the policy does not allow it any more', session)
  await finish([{ call, ready: { ...ready, tool } }], work, await folderOf(work), true)
}

/** Looks up whether a call that was started before the process died has happened. */
export async function performVerify(call: Call, work: StepWork): Promise<void> {
  const { session } = work
  const ready = await prepareCall(call, work)
  const { tool } = ready
  if (!tool?.tool.verify || ready.schemaError !== undefined || changed(call, tool))
    return appendUnknown(call, 'it cannot be looked up', session)
  let answer = { happened: 'unknown' } as Verification
  const run: Tool['run'] = async (args, ctx) => {
    answer = (await tool.tool.verify?.(args, ctx)) ?? answer
    return answer.happened === true ? answer.output : null
  }
  const lookup = { ...tool, tool: { ...tool.tool, run } }
  const options = runOptions(work)
  const folder = await folderOf(work)
  const context = contextOf(call, work, folder)
  const result = await attend(runTool(lookup, ready.args, context, options), new OpenQuestions([call]), work)
  context.end()
  if (isStopping(work.signal)) throw new Stopping('stopped during a look-up')
  const did = answer.happened
  if (result.outcome !== 'ok' || did === 'unknown') return appendUnknown(call, 'looking it up gave no answer', session)
  if (!did && call.isDoubtful)
    return appendUnknown(call, 'it was not found, but the node that began it may still be at it', session)
  if (!did && (await isDenied(call, ready, work)))
    return appendUnknown(call, 'the policy does not allow it any more', session)
  if (did) appendResult(call, { ...ready, tool }, result, context.spent(result), work)
  // It surely did not happen before.
  else await finish([{ call, ready: { ...ready, tool } }], work, folder)
}

async function isDenied(call: Call, ready: PreparedCall, work: StepWork): Promise<boolean> {
  return denies(await gatherFacts(call, ready, work), work.deps.policy)
}

/** A call was allowed for the tool's definition at its start. */
function changed(call: Call, tool: RegisteredTool): boolean {
  return call.effect !== 'pure' && call.definitionHash !== null && call.definitionHash !== tool.definitionHash
}
