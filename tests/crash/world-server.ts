/**
 * An MCP server with one tool of each class that may be sent: what it does is a request to the ledger. It does not stop
 * at the end of its input, so that only its Segno, or what watches over it, can end it. Arguments: ledger, home, a mark.
 */
import { createInterface } from 'node:readline'
import type { JsonObject } from '../../src/contract/message.ts'
import type { EffectClass } from '../../src/contract/outcome.ts'
import { delay } from '../../src/lib/delay.ts'
import { post } from './effect-tools.ts'

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { name: string; arguments: JsonObject; _meta?: Record<string, unknown> }
}

const [ledger = '', home = ''] = process.argv.slice(2)
const EFFECTS: readonly EffectClass[] = ['pure', 'keyed', 'unsafe']
const PROPERTIES = { item: { type: 'string' }, ms: { type: 'number' }, dies: { enum: ['before', 'after'] } }
const TOOLS = EFFECTS.map((effect) => ({
  name: effect,
  description: `Does something ${effect}.`,
  inputSchema: { type: 'object', properties: PROPERTIES, required: ['item'] },
}))

setInterval(() => {}, 60_000)

function reply(id: number | undefined, more: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...more })}\n`)
}

async function call({ name, arguments: args, _meta = {} }: NonNullable<Request['params']>): Promise<object> {
  const { item, ms, dies } = args
  const key = _meta['segno/idempotencyKey']
  const mayDie = dies !== undefined && (await post({ ledger }, '/first-time', { home, item })).happened
  if (mayDie && dies === 'before') process.kill(process.pid, 'SIGKILL')
  await post({ ledger }, '/effect', { home, key: key ?? '', effect: name, args: { item }, callId: '' })
  if (mayDie) process.kill(process.pid, 'SIGKILL')
  if (typeof ms === 'number') await delay(ms)
  return { content: [{ type: 'text', text: `did ${JSON.stringify(item)}` }] }
}

async function take({ id, method, params }: Request): Promise<void> {
  if (id === undefined) return
  if (method === 'initialize') {
    const serverInfo = { name: 'world', version: '1' }
    reply(id, { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') reply(id, { result: { tools: TOOLS } })
  else if (method === 'tools/call' && params) reply(id, { result: await call(params) })
  else if (method === 'ping') reply(id, { result: {} })
  else reply(id, { error: { code: -32_601, message: 'Method not found' } })
}

createInterface({ input: process.stdin }).on('line', (line) => void take(JSON.parse(line) as Request))
