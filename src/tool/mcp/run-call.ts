import type { JsonObject } from '../../contract/message.ts'
import type { AnswersLater, ToolContext, ToolOutput } from '../../contract/tool.ts'
import { visible } from '../../lib/visible.ts'
import { afterTrouble } from './after-trouble.ts'
import { callTool } from './call-tool.ts'
import type { Connection } from './connection.ts'
import type { Instance } from './instance.ts'
import type { JudgedTool } from './judge-tools.ts'
import { readResult } from './read-result.ts'
import { taskBegun } from './tasks.ts'
import type { ToolSettings } from './tool-settings.ts'
import { CONNECTION_LOST, Refused, fateOf, plainReason } from './trouble.ts'

/**
 * Calls a tool. An error without `effect: 'unknown'` means that nothing happened: the call was not sent, or the server
 * answered with an error. A call that was sent and not answered is sent once more if it may run twice.
 */
export async function runCall(
  server: Instance,
  tool: JudgedTool,
  { effect = 'unsafe' }: ToolSettings,
  args: JsonObject,
  ctx: ToolContext,
): Promise<ToolOutput | AnswersLater> {
  const key = effect === 'keyed' ? ctx.idempotencyKey : undefined
  try {
    return await attempt(server, tool, key, args, ctx)
  } catch (error) {
    const isInDoubt = (error as { effect?: unknown }).effect === 'unknown'
    if (effect === 'unsafe' || !isInDoubt || ctx.signal.aborted) throw error
    // Whatever comes of the second one, nobody knows what became of the first.
    return attempt(server, tool, key, args, ctx).catch(() => Promise.reject(error as Error))
  }
}

async function attempt(
  server: Instance,
  tool: JudgedTool,
  key: string | undefined,
  args: JsonObject,
  ctx: ToolContext,
): Promise<ToolOutput | AnswersLater> {
  let connection: Connection | undefined
  let isAnswered = false
  let wasAsked = false
  const asked = (): void => void (wasAsked = true)
  server.began()
  try {
    connection = await server.ready(ctx.signal)
    const wire = trusted(server, tool)
    connection.running.add(ctx)
    const result = await callTool(connection, { server: server.name, tool: tool.name, wire, args, key, asked }, ctx)
    isAnswered = true
    return taskBegun(server, result) ?? readResult(result)
  } catch (error) {
    throw connection === undefined ? error : explain(error, server, connection, ctx, wasAsked)
  } finally {
    connection?.running.delete(ctx)
    server.ended(isAnswered)
  }
}

/** The definition, if it is still the one the model saw. */
function trusted(server: Instance, tool: JudgedTool): JsonObject {
  const offered = server.judged.find(({ name }) => name === tool.name)
  if (offered?.state === 'pinned' && offered.hash === tool.hash && offered.wire !== undefined) return offered.wire
  const why = offered?.reason ?? 'the server offers another one now, or none'
  throw new Refused(`The tool "${visible(tool.name)}" of the MCP server "${server.name}" is not what it was: ${why}.`)
}

/**
 * Turns an error into one for the model, and drops or checks the connection if necessary. `wasAsked`: if this was not
 * sent, something before it was.
 */
function explain(
  error: unknown,
  server: Instance,
  connection: Connection,
  ctx: ToolContext,
  wasAsked: boolean,
): unknown {
  const { sdk } = connection
  const fate = fateOf(error, sdk)
  afterTrouble(error, server, connection, ctx.signal)
  if (fate === 'answered' && !sdk.SdkHttpError.isInstance(error)) return error
  const reason = plainReason(error, sdk)
  const says = `The MCP server "${server.name}" failed: ${reason === CONNECTION_LOST ? (connection.why ?? reason) : reason}.`
  if (fate === 'answered') return new Error(says)
  if (fate === 'not sent' && !wasAsked) return new Error(`${says} Nothing was sent to it.`)
  return Object.assign(new Error(`${says} Nobody knows whether the call was carried out.`), { effect: 'unknown' })
}
