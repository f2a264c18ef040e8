import { happened } from '../contract/event.ts'
import type { ToolContext } from '../contract/tool.ts'
import { phaseChanges, type Call } from '../session/index.ts'
import { runTool, type RegisteredTool, type RunOptions, type RunResult } from '../tool/index.ts'
import { appendResult } from './call-results.ts'
import { Stopping } from './owned-session.ts'
import type { PreparedCall } from './prepare-call.ts'
import { isStopping } from './why-stopped.ts'
import { roundOf, type Work } from './work.ts'

/** A call that may run, with the tool that runs it. */
export interface Ready {
  readonly call: Call
  readonly ready: PreparedCall & { readonly tool: RegisteredTool }
}

/** Records that calls start, then runs them. */
export async function execute(row: readonly Ready[], work: Work): Promise<void> {
  const { session, signal } = work
  session.append(...phaseChanges(roundOf(work), 'execution'))
  for (const { call, ready } of row) {
    session.append(
      happened('tool.started', {
        callId: call.callId,
        idempotencyKey: `segno-${call.eventId}`,
        effect: ready.tool.effect,
        definitionHash: ready.tool.definitionHash,
        reserved: ready.tool.tool.cost ?? 0,
      }),
    )
  }
  // What has no effect may start before its start is stored: nobody can tell the difference afterwards.
  if (row.some(({ ready }) => ready.tool.effect !== 'pure')) await session.flush(signal)
  await finish(row, work)
}

/** Runs calls whose start is recorded, and appends their results in the order asked. */
export async function finish(row: readonly Ready[], work: Work, again = false): Promise<void> {
  const { session, mailbox, signal } = work
  const options = runOptions(work)
  const folder = await folderOf(work)
  const results = await Promise.all(
    row.map(({ call, ready }) => runTool(ready.tool, ready.args, contextOf(call, work, folder), options)),
  )
  if (isStopping(signal)) throw new Stopping('stopped during a tool')
  // What came during the calls came before their results: a pause asked for meanwhile is due after them.
  mailbox.fold()
  row.forEach(({ call, ready }, i) => {
    const { effect, ...run } = results[i] as RunResult
    // That it did not run this time says nothing of the time before the process died.
    const said = again && effect === 'none' ? undefined : effect
    appendResult(call, ready.tool, said === undefined ? run : { ...run, effect: said }, session)
  })
}

/** A tool may ask for more time than is usual; a client that lowered the limit lowered it for every tool. */
export function runOptions(work: Work): RunOptions {
  const { settings } = work.hands
  const { toolMs } = roundOf(work).started.limits
  const maxTimeoutMs = toolMs < settings.toolMs ? toolMs : settings.toolMaxMs
  const { outputChars, fileBytes, resultFiles } = settings
  return { timeoutMs: toolMs, maxTimeoutMs, outputChars, fileBytes, resultFiles, signal: work.signal }
}

/** The folder file tools may touch. */
export async function folderOf({ session, hands }: Work): Promise<string> {
  const { actor, workspaceId } = session.state
  return (await hands.workspace(actor.tenant, workspaceId)).folder
}

export function contextOf(call: Call, work: Work, folder: string): ToolContext {
  const { session, signal } = work
  const { requestId, started } = roundOf(work)
  return {
    idempotencyKey: call.idempotencyKey ?? `segno-${call.eventId}`,
    callId: call.callId,
    sessionId: session.id,
    requestId,
    actorId: started.actor.id,
    folder,
    signal,
  }
}
