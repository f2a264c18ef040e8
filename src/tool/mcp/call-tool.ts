import type { JsonObject } from '../../contract/message.ts'
import type { ToolContext } from '../../contract/tool.ts'
import { later } from '../../lib/later.ts'
import { LONGEST_TIMER_MS } from '../../lib/longest-timer.ts'
import { askPerson } from './ask-person.ts'
import { AS_IT_CAME, rootsOf, type Connection } from './connection.ts'
import { isObject, type Loose } from '../../lib/is.ts'
import { Refused } from './trouble.ts'

export interface WireCall {
  readonly server: string
  readonly tool: string
  readonly wire: JsonObject
  readonly args: JsonObject
  /** for a server that knows a repeated call by it */
  readonly key: string | undefined
  readonly maxQuestions: number
}

const SAY_EVERY_MS = 200
const SAID_CHARS = 500
const PAUSE_MS = 250
let calls = 0

/**
 * One call from the first request to its result. A server of the newer protocol may answer that it needs something
 * first; the request is then sent again with it, as often as a call may ask.
 */
export async function callTool(connection: Connection, call: WireCall, ctx: ToolContext): Promise<unknown> {
  const token = `segno-${(calls += 1)}`
  connection.listeners.set(token, speaker(ctx))
  try {
    let more: Loose = {}
    for (let questions = 0; questions <= call.maxQuestions; questions += 1) {
      const result = await request(connection, call, { ...more, token }, ctx)
      if (!isObject(result) || result['resultType'] !== 'input_required') return result
      more = await answers(result, call, ctx)
    }
    throw new Refused('The server wants to know more than a call may ask.')
  } finally {
    connection.listeners.delete(token)
  }
}

async function request(
  { client, isModern }: Connection,
  call: WireCall,
  { token, ...more }: Loose,
  ctx: ToolContext,
): Promise<unknown> {
  const params = {
    name: call.tool,
    arguments: call.args,
    ...more,
    _meta: { progressToken: token as string, ...(call.key !== undefined && { 'segno/idempotencyKey': call.key }) },
  }
  const options = {
    signal: ctx.signal,
    // The deadline of the call is the signal's; it stands still while a person is asked.
    timeout: LONGEST_TIMER_MS,
    allowInputRequired: true,
  }
  if (!isModern || !JSON.stringify(call.wire).includes('"x-mcp-header"')) {
    return client.request({ method: 'tools/call', params }, AS_IT_CAME, options)
  }
  // Some arguments are sent as headers too, which only this way does. What it returned is not checked against a schema
  // afterwards: the effect has happened.
  const { outputSchema: _, ...definition } = call.wire
  return client.callTool(params, { ...options, toolDefinition: definition as never })
}

/** Shows how far a call has come, without letting a server flood those who watch. */
function speaker(ctx: ToolContext): (params: Loose) => void {
  let last = -Infinity
  return ({ progress, total, message }) => {
    const now = performance.now()
    if (typeof progress !== 'number' || now - last < SAY_EVERY_MS) return
    last = now
    const far = typeof total === 'number' ? `${progress}/${total}` : `${progress}`
    ctx.say(`[${far}]${typeof message === 'string' ? ` ${message.slice(0, SAID_CHARS)}` : ''}\n`)
  }
}

async function answers(result: Loose, call: WireCall, ctx: ToolContext): Promise<Loose> {
  const wanted = isObject(result['inputRequests']) ? Object.entries(result['inputRequests']) : []
  const state = result['requestState']
  if (wanted.length > call.maxQuestions) throw new Refused('The server wants to know more than a call may ask.')
  // Nothing is asked, only to come again.
  if (wanted.length === 0) await later(PAUSE_MS, ctx.signal)
  const inputResponses: Record<string, unknown> = {}
  for (const [key, one] of wanted) inputResponses[key] = await answer(one, call, ctx)
  return { ...(wanted.length > 0 && { inputResponses }), ...(typeof state === 'string' && { requestState: state }) }
}

async function answer(one: unknown, { server }: WireCall, ctx: ToolContext): Promise<unknown> {
  if (isObject(one) && one['method'] === 'elicitation/create') return askPerson(one['params'], server, ctx)
  if (isObject(one) && one['method'] === 'roots/list') return { roots: rootsOf(ctx.folder) }
  throw new Refused('The server wants something for its answer that Segno does not give, such as a model.')
}
