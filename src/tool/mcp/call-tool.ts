import type { JsonObject } from '../../contract/message.ts'
import type { ToolContext } from '../../contract/tool.ts'
import { delay } from '../../lib/delay.ts'
import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'
import { askPerson } from './ask-person.ts'
import { AS_IT_CAME, rootsOf, type Connection } from './connection.ts'
import { isObject, type UnknownRecord } from '../../lib/type-guards.ts'
import { isTaskOnly } from './tasks.ts'
import { Refused } from './trouble.ts'

export interface WireCall {
  readonly server: string
  readonly tool: string
  readonly wire: JsonObject
  readonly args: JsonObject
  /** lets the server recognize a repeated call */
  readonly key: string | undefined
  /** Called when the server has the call, and asks for something before it goes on. */
  asked(): void
}

const SAY_EVERY_MS = 200
const SAID_CHARS = 500
const PAUSE_MS = 250
let calls = 0

/** One call up to its result; a server may ask for something first, and the request is then sent again with it. */
export async function callTool(connection: Connection, call: WireCall, ctx: ToolContext): Promise<unknown> {
  const token = `segno-${(calls += 1)}`
  connection.listeners.set(token, speaker(ctx))
  try {
    let more: UnknownRecord = {}
    for (let questions = 0; questions <= connection.maxQuestions; questions += 1) {
      const result = await request(connection, call, { ...more, token }, ctx)
      if (!isObject(result) || result['resultType'] !== 'input_required') return result
      call.asked()
      more = await answers(result, call, connection.maxQuestions, ctx)
    }
    throw new Refused('The server wants to know more than a call may ask.')
  } finally {
    connection.listeners.delete(token)
  }
}

async function request(
  { client, isModern, takesTasks, taskMs }: Connection,
  call: WireCall,
  { token, ...more }: UnknownRecord,
  ctx: ToolContext,
): Promise<unknown> {
  const params = {
    name: call.tool,
    arguments: call.args,
    ...(takesTasks && isTaskOnly(call.wire) && { task: { ttl: taskMs } }),
    ...more,
    _meta: { progressToken: token as string, ...(call.key !== undefined && { 'segno/idempotencyKey': call.key }) },
  }
  const options = {
    signal: ctx.signal,
    // The signal has the deadline, which is extended while a person is asked.
    timeout: LONGEST_TIMER_MS,
    allowInputRequired: true,
  }
  if (!isModern || !JSON.stringify(call.wire).includes('"x-mcp-header"')) {
    return client.request({ method: 'tools/call', params }, AS_IT_CAME, options)
  }
  // Only `callTool` also sends arguments as headers; the result is not checked, because the effect has happened.
  const { outputSchema: _, ...definition } = call.wire
  return client.callTool(params, { ...options, toolDefinition: definition as never })
}

/** Shows the progress of a call, at most once in `SAY_EVERY_MS`. */
function speaker(ctx: ToolContext): (params: UnknownRecord) => void {
  let last = -Infinity
  return ({ progress, total, message }) => {
    const now = performance.now()
    if (typeof progress !== 'number' || now - last < SAY_EVERY_MS) return
    last = now
    const far = typeof total === 'number' ? `${progress}/${total}` : `${progress}`
    ctx.say(`[${far}]${typeof message === 'string' ? ` ${message.slice(0, SAID_CHARS)}` : ''}\n`)
  }
}

async function answers(result: UnknownRecord, call: WireCall, most: number, ctx: ToolContext): Promise<UnknownRecord> {
  const wanted = isObject(result['inputRequests']) ? Object.entries(result['inputRequests']) : []
  const state = result['requestState']
  if (wanted.length > most) throw new Refused('The server wants to know more than a call may ask.')
  // The server only asks for another try.
  if (wanted.length === 0) await delay(PAUSE_MS, ctx.signal)
  const inputResponses: Record<string, unknown> = {}
  for (const [key, one] of wanted) inputResponses[key] = await answer(one, call, ctx)
  return { ...(wanted.length > 0 && { inputResponses }), ...(typeof state === 'string' && { requestState: state }) }
}

async function answer(one: unknown, { server }: WireCall, ctx: ToolContext): Promise<unknown> {
  if (isObject(one) && one['method'] === 'elicitation/create') return askPerson(one['params'], server, ctx)
  if (isObject(one) && one['method'] === 'roots/list') return { roots: rootsOf(ctx.folder) }
  throw new Refused('The server wants something for its answer that Segno does not give, such as a model.')
}
