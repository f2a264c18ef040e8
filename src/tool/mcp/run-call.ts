import type { JsonObject } from '../../contract/message.ts'
import type { ToolContext, ToolOutput } from '../../contract/tool.ts'
import { visible } from '../../lib/visible.ts'
import { callTool } from './call-tool.ts'
import type { Connection } from './connection.ts'
import type { JudgedTool } from './judge-tools.ts'
import { readResult } from './read-result.ts'
import type { ToolSettings } from './tool-settings.ts'
import { CONNECTION_LOST, Refused, fateOf, needsNewConnection, plainReason, wantsAuthorization } from './trouble.ts'

/** What a call needs of the server it goes to. */
export interface CallHost {
  readonly name: string
  readonly maxQuestions: number
  /** The connection, as soon as there is one; an error that says why there is none. */
  ready(signal: AbortSignal): Promise<Connection>
  /** the tool as the server offers it now */
  offered(tool: string): JudgedTool | undefined
  began(): void
  ended(isAnswered: boolean): void
  /** Something is odd: look soon whether the server is well. */
  checkSoon(): void
}

/**
 * Calls a tool. An error without `effect: 'unknown'` means that the server said no, or never heard of it: an answer that
 * says "error" counts as no effect, as with every other tool. What was sent and not answered is in doubt; only what may
 * run twice is then sent again, once, and not after somebody stopped it.
 */
export async function runCall(
  host: CallHost,
  tool: JudgedTool,
  { effect = 'unsafe' }: ToolSettings,
  args: JsonObject,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const key = effect === 'keyed' ? ctx.idempotencyKey : undefined
  try {
    return await attempt(host, tool, key, args, ctx)
  } catch (error) {
    const isInDoubt = (error as { effect?: unknown }).effect === 'unknown'
    if (effect === 'unsafe' || !isInDoubt || ctx.signal.aborted) throw error
    return attempt(host, tool, key, args, ctx)
  }
}

async function attempt(
  host: CallHost,
  tool: JudgedTool,
  key: string | undefined,
  args: JsonObject,
  ctx: ToolContext,
): Promise<ToolOutput> {
  let connection: Connection | undefined
  let isAnswered = false
  // From here on nobody stops the server to make room.
  host.began()
  try {
    connection = await host.ready(ctx.signal)
    const wire = trusted(host, tool)
    connection.running.add(ctx)
    const { name: server, maxQuestions } = host
    const result = await callTool(connection, { server, tool: tool.name, wire, args, key, maxQuestions }, ctx)
    isAnswered = true
    return readResult(result)
  } catch (error) {
    throw connection === undefined ? error : explain(error, host, connection, ctx)
  } finally {
    connection?.running.delete(ctx)
    host.ended(isAnswered)
  }
}

/** The definition, if it is still the one that was offered to the model. */
function trusted(host: CallHost, tool: JudgedTool): JsonObject {
  const offered = host.offered(tool.name)
  if (offered?.state === 'pinned' && offered.hash === tool.hash && offered.wire !== undefined) return offered.wire
  const why = offered?.reason ?? 'the server offers another one now, or none'
  throw new Refused(`The tool "${visible(tool.name)}" of the MCP server "${host.name}" is not what it was: ${why}.`)
}

/** What a failed call means for the model, and for the connection. */
function explain(error: unknown, host: CallHost, connection: Connection, ctx: ToolContext): unknown {
  const { sdk } = connection
  const fate = fateOf(error, sdk)
  if (needsNewConnection(error, sdk) && !ctx.signal.aborted) connection.drop(plainReason(error, sdk))
  else if (fate === 'lost' || wantsAuthorization(error, sdk)) host.checkSoon()
  if (fate === 'answered' && !sdk.SdkHttpError.isInstance(error)) return error
  const reason = plainReason(error, sdk)
  const says = `The MCP server "${host.name}" failed: ${reason === CONNECTION_LOST ? (connection.why ?? reason) : reason}.`
  if (fate === 'answered') return new Error(says)
  if (fate === 'not sent') return new Error(`${says} Nothing was sent to it.`)
  return Object.assign(new Error(`${says} Nobody knows whether the call was carried out.`), { effect: 'unknown' })
}
