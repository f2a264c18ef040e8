/** An MCP server with one tool, `ask`, that asks whoever is there for the fields of the schema it was given. */
import { createInterface } from 'node:readline'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly result?: unknown
}

const requestedSchema: unknown = JSON.parse(process.argv[2] ?? '{}')
const write = (value: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`)
const tool = { name: 'ask', description: 'Asks.', inputSchema: { type: 'object', properties: {} } }
const serverInfo = { name: 'curious', version: '1' }
let call: Message['id']

function take({ id, method, result }: Message): void {
  if (method === undefined && id === 'question')
    write({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } })
  else if (method === 'initialize')
    write({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } })
  else if (method === 'tools/list') write({ id, result: { tools: [tool] } })
  else if (method === 'tools/call') {
    call = id
    const params = { message: 'How \x1b[31mold?', requestedSchema }
    write({ id: 'question', method: 'elicitation/create', params })
  } else if (method === 'ping') write({ id, result: {} })
  else if (id !== undefined) write({ id, error: { code: -32_601, message: 'Method not found' } })
}

createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line) as Message))
