/**
 * A server that speaks bare JSON-RPC over stdio and does what its arguments say, however wrong. The first argument is a
 * list of ways to behave, separated by commas; the second a file with its tools (read for every list).
 */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

type Message = { id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown }

const [ways = '', file = ''] = process.argv.slice(2)
const does = new Set(ways.split(','))

const write = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)
const reply = (id: unknown, result: unknown): void => write({ jsonrpc: '2.0', id, result })
const notify = (method: string, params?: unknown): void =>
  write({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })
const text = (words: string, more: object = {}): object => ({ content: [{ type: 'text', text: words }], ...more })

if (process.env['PID_FILE'] !== undefined) writeFileSync(process.env['PID_FILE'], String(process.pid))
if (does.has('crash-at-start')) process.exit(3)
if (does.has('one-effect') && existsSync(file)) process.exit(3)
if (does.has('ignore-sigterm')) process.on('SIGTERM', () => {})
if (does.has('ignore-eof')) setInterval(() => {}, 1000)
if (does.has('log')) process.stderr.write('first line\nsecond line\n')
if (does.has('flood-stderr')) setInterval(() => process.stderr.write('noise '.repeat(20_000)), 1)
if (does.has('flood-stdout')) {
  const flood = (): boolean => process.stdout.write('this is no message\n'.repeat(2000))
  // Before any answer, so that it is a flood from the beginning.
  flood()
  setInterval(flood, 1)
}
if (does.has('endless-line')) setInterval(() => process.stdout.write('x'.repeat(100_000)), 1)
if (does.has('die-soon')) setTimeout(() => process.exit(1), 200)

const TOOLS = [
  'echo',
  'pid',
  'env',
  'place',
  'effect',
  'crash',
  'hang',
  'big',
  'error',
  'twice',
  'mixed',
  'ask',
  'sample',
  'progress',
  'child',
  'meta',
  'cancelled',
  'strange',
  'flood',
  'pings',
]
const definition = (name: string): object => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
})

function tools(): unknown {
  if (file !== '' && existsSync(file) && file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8'))
  if (does.has('new-names')) return [1, 2, 3].map((n) => definition(`tool-${(named += 1)}-${n}`))
  if (does.has('many')) return Array.from({ length: 1000 }, (_, i) => definition(`tool${i}`))
  return TOOLS.map(definition)
}

let named = 0
const cancelled: unknown[] = []
const waiting = new Map<unknown, (message: Message) => void>()
let asked = 0
function ask(method: string, params: unknown): Promise<Message> {
  asked += 1
  const id = `ask-${asked}`
  write({ jsonrpc: '2.0', id, method, params })
  return new Promise((resolve) => void waiting.set(id, resolve))
}

const calls: Record<string, (id: number, params: Record<string, unknown>) => unknown> = {
  echo: (id, params) => reply(id, text(String((params['arguments'] as Record<string, unknown>)['text']))),
  pid: (id) => reply(id, text(String(process.pid))),
  env: (id) => reply(id, text(JSON.stringify(process.env))),
  place: (id) => reply(id, text(JSON.stringify({ folder: process.cwd(), holds: readdirSync('.') }))),
  meta: (id, params) => reply(id, text(JSON.stringify(params['_meta'] ?? null))),
  effect(id, params) {
    const { label, ms } = params['arguments'] as { label: string; ms?: number }
    appendFileSync(file, `${label}\n`)
    if (does.has('one-effect')) process.exit(9)
    setTimeout(() => reply(id, text(`did ${label}`)), ms ?? 0)
  },
  crash: () => process.exit(9),
  hang: () => {},
  big(id, params) {
    const { bytes } = params['arguments'] as { bytes: number }
    reply(id, text('x'.repeat(bytes)))
  },
  error: (id) => reply(id, text('no such thing', { isError: true })),
  // Answers under ids that are not this call's before it answers under the right one.
  twice(id) {
    for (const lie of [String(id), `0${id}`, `${id}.0`, -1, 99_999])
      reply(lie, text(`a lie under ${JSON.stringify(lie)}`))
    write({ jsonrpc: '2.0', id: null, result: text('a lie under null') })
    write({ jsonrpc: '2.0', id: [id], result: text('a lie under a list') })
    reply(id, text('the truth'))
    reply(id, text('a second truth'))
  },
  mixed: (id) =>
    reply(id, {
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a/b.txt', mimeType: 'text/plain', text: 'inside' } },
        { type: 'resource', resource: { uri: 'file:///a/c.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' } },
        { type: 'resource_link', uri: 'file:///a/d', name: 'd', mimeType: 'text/html' },
        { type: 'hologram', depth: 3 },
        { type: 'text', text: 'two' },
      ],
    }),
  async ask(id, params) {
    const { times = 1, task } = (params['arguments'] ?? {}) as { times?: number; task?: string }
    const meta = task === undefined ? {} : { _meta: { 'io.modelcontextprotocol/related-task': { taskId: task } } }
    const said: unknown[] = []
    for (let i = 0; i < times; i += 1) {
      const schema = { type: 'object', properties: { colour: { type: 'string' } } }
      said.push(
        (await ask('elicitation/create', { message: 'Which colour?', requestedSchema: schema, ...meta })).result,
      )
    }
    reply(id, text(JSON.stringify(said)))
  },
  async sample(id) {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Think for me.' } }]
    reply(id, text(JSON.stringify(await ask('sampling/createMessage', { messages, maxTokens: 10 }))))
  },
  progress(id, params) {
    const { progressToken } = params['_meta'] as { progressToken: number }
    notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'half' })
    reply(id, text('whole'))
  },
  child(id) {
    const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
    const { pid } = spawn(process.execPath, ['-e', script], { stdio: 'inherit' })
    reply(id, text(String(pid)))
  },
  cancelled: (id) => reply(id, text(JSON.stringify(cancelled))),
  strange: (id) => write({ jsonrpc: '2.0', id, result: 'no object', surprise: true }),
  flood() {
    setInterval(() => {
      for (let i = 0; i < 500; i += 1) notify('notifications/message', { level: 'info', data: 'noise' })
    }, 1)
  },
  pings() {
    process.stdin.pause()
    setInterval(() => {
      for (let i = 0; i < 500; i += 1) write({ jsonrpc: '2.0', id: `ping-${i}`, method: 'ping' })
    }, 1)
  },
}

function list(id: number, params: Record<string, unknown> | undefined): void {
  if (does.has('hang-on-list')) return
  if (does.has('crash-on-list')) process.exit(4)
  if (does.has('storm')) setInterval(() => notify('notifications/tools/list_changed'), 5)
  if (does.has('new-names')) setTimeout(() => notify('notifications/tools/list_changed'), 10)
  if (file.endsWith('.lists')) appendFileSync(file, 'list\n')
  const all = tools() as unknown[]
  if (does.has('change-at-once')) {
    lists += 1
    const late = lists > 1 ? [definition('late')] : []
    process.stdout.write(
      [
        { jsonrpc: '2.0', id, result: { tools: [...all, ...late] } },
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
      ]
        .slice(0, lists > 1 ? 1 : 2)
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(''),
    )
    return undefined
  }
  if (does.has('endless-pages')) return reply(id, { tools: all.slice(0, 2), nextCursor: String(Math.random()) })
  if (!does.has('pages')) return reply(id, { tools: all })
  const from = Number(params?.['cursor'] ?? 0)
  return reply(id, { tools: all.slice(from, from + 3), ...(from + 3 < all.length && { nextCursor: String(from + 3) }) })
}

let initialized = false
let lists = 0

function take(message: Message): void {
  const { id, method, params } = message
  if (method === undefined) return waiting.get(id)?.(message)
  if (method === 'notifications/cancelled') cancelled.push(params?.['requestId'])
  if (id === undefined) return undefined
  if (method === 'initialize') {
    if (does.has('hang-at-start')) return undefined
    if (does.has('not-json')) return void process.stdout.write('{"jsonrpc":"2.0","id":0,"result":\n')
    initialized = true
    const capabilities = { tools: { listChanged: true } }
    return reply(id, { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'wild', version: '1' } })
  }
  if (!initialized) {
    if (does.has('exit-on-question')) process.exit(1)
    if (does.has('silent-on-question') || does.has('hang-at-start')) return undefined
    return write({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })
  }
  if (method === 'ping') return does.has('deaf') ? undefined : reply(id, {})
  if (method === 'tools/list') return list(id as number, params)
  if (method === 'tools/call') {
    const { name } = params as { name: string }
    if (name === 'reload') notify('notifications/tools/list_changed')
    const does = calls[name] ?? ((one) => reply(one, text(`called ${name}`)))
    return void does(id as number, params ?? {})
  }
  return write({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })
}

createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line) as Message))
