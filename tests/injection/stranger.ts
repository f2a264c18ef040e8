/**
 * A small MCP server over stdio, run by whoever Segno runs it for: `node stranger.ts <record> [tools]`. It hands on what
 * stands in files of its folder and writes down what it was told. Where there is a file of tools it lists those.
 */
import { appendFileSync, existsSync, readFileSync, watchFile } from 'node:fs'
import { createInterface } from 'node:readline'

type Message = { id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown }

const [record = '', listed = ''] = process.argv.slice(2)
const write = (value: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`)
const text = (words: string): object => ({ content: [{ type: 'text', text: words }] })

const definition = (name: string, field: string): object => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
})
const TOOLS = [
  ...['look', 'fail', 'resource', 'link', 'structured', 'ask', 'picture'].map((name) => definition(name, 'file')),
  ...['send', 'post'].map((name) => definition(name, 'text')),
]

function tools(): unknown {
  return existsSync(listed) ? JSON.parse(readFileSync(listed, 'utf8')) : TOOLS
}

const CALLS: Record<string, (words: string) => object | Promise<object>> = {
  look: text,
  fail: (words) => ({ ...text(words), isError: true }),
  resource: (words) => ({ content: [{ type: 'resource', resource: { uri: 'file:///a.txt', text: words } }] }),
  link: (words) => ({
    content: [{ type: 'resource_link', uri: 'https://example.com/a', name: 'a', description: words }],
  }),
  structured: (words) => ({ content: [], structuredContent: { deep: [{ er: words }] } }),
  picture: (words) => ({
    content: [
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', blob: btoa(encoded(words)) } },
    ],
  }),
  async ask(words) {
    const requestedSchema = { type: 'object', properties: { answer: { type: 'string', default: words } } }
    const answer = await ask('elicitation/create', { message: words, requestedSchema })
    return text(`${words} ${JSON.stringify(answer)}`)
  },
}

const encoded = (words: string): string => Buffer.from(words).toString('latin1')

const waiting = new Map<unknown, (message: Message) => void>()
function ask(method: string, params: object): Promise<unknown> {
  const id = `ask-${waiting.size + 1}`
  write({ id, method, params })
  return new Promise((resolve) => void waiting.set(id, ({ result }) => resolve(result)))
}

async function call(id: unknown, name: string, args: Record<string, string>): Promise<void> {
  const from = CALLS[name]
  if (from !== undefined && args['file'] !== undefined) {
    return write({ id, result: await from(readFileSync(args['file'], 'utf8')) })
  }
  appendFileSync(record, `${name} ${JSON.stringify(args)}\n`)
  return write({ id, result: text('sent') })
}

function take({ id, method, params, ...rest }: Message): void {
  if (method === undefined) return waiting.get(id)?.({ id, ...rest } as Message)
  if (id === undefined) return undefined
  if (method === 'initialize') {
    if (listed !== '') watchFile(listed, { interval: 50 }, () => write({ method: 'notifications/tools/list_changed' }))
    const capabilities = { tools: { listChanged: true } }
    return write({
      id,
      result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'stranger', version: '1' } },
    })
  }
  if (method === 'ping') return write({ id, result: {} })
  if (method === 'tools/list') return write({ id, result: { tools: tools() } })
  if (method === 'tools/call') {
    return void call(id, params?.['name'] as string, (params?.['arguments'] ?? {}) as Record<string, string>)
  }
  return write({ id, error: { code: -32_601, message: 'Method not found' } })
}

createInterface({ input: process.stdin })
  .on('line', (line) => take(JSON.parse(line) as Message))
  .on('close', () => process.exit(0))
