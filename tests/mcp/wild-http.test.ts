import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { asFetch, createEgress } from '../../src/egress/index.ts'
import { verifies } from '../support/verifies.ts'
import { listening, type Listening } from './servers/http.ts'
import { call, eventually, mcpUnderTest } from './under-test.ts'

const unknownEffect: unknown = expect.objectContaining({ effect: 'unknown' })
const noEffect: unknown = expect.not.objectContaining({ effect: 'unknown' })

interface Request {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string }
}
type Behaviour = (id: number, response: ServerResponse, request: IncomingMessage) => void

const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const events = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })
const event = (value: unknown): string => `event: message\ndata: ${JSON.stringify(value)}\n\n`
const said = (id: unknown, words: string): object => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: words }] },
})

/** What tools of the server below do with a call. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  plain: (id, response) => json(response, said(id, 'plain')),
  stream: (id, response) => void events(response).end(event(said(id, 'stream'))),
  cut: (_id, response) => void events(response).end(': nothing to say\n\n'),
  torn: (_id, response) => {
    events(response).write(': nothing yet\n\n')
    setImmediate(() => response.destroy())
  },
  huge: (id, response) => json(response, said(id, 'x'.repeat(3_000_000))),
  endless(_id, response) {
    events(response)
    const more = (): void =>
      void (response.destroyed || response.write(`data: ${'x'.repeat(100_000)}\n`, () => setImmediate(more)))
    more()
  },
  flood(_id, response) {
    events(response)
    const noise = event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'noise' } })
    const more = (): void => void (response.destroyed || response.write(noise.repeat(100), () => setImmediate(more)))
    more()
  },
  lies(id, response) {
    const lies = [said(String(id), 'a lie'), said(id + 1000, 'a lie'), said(null, 'a lie')]
    events(response).end([...lies, said(id, 'the truth'), said(id, 'another')].map(event).join(''))
  },
  broken: (_id, response) => json(response, { message: 'secret-in-body' }, 500),
  refused: (_id, response) => json(response, { message: 'secret-in-body' }, 422),
  late: (_id, response) => void response.writeHead(408).end(),
  moved: (_id, response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
  html: (_id, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>'),
  hang: () => {},
  gone: (_id, response) =>
    json(response, { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'no session' } }, 404),
}

async function wildServer(): Promise<Listening & { readonly handshakes: () => number }> {
  let handshakes = 0
  const tools = Object.keys(BEHAVIOURS).map((name) => ({ name, inputSchema: { type: 'object' } }))
  const listen = await listening((request, response) => {
    void readText(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method, params } = JSON.parse(body) as Request
      if (id === undefined) return response.writeHead(202).end()
      const reply = (result: unknown): void => json(response, { jsonrpc: '2.0', id, result })
      if (method === 'initialize') {
        handshakes += 1
        const serverInfo = { name: 'wild', version: '1' }
        return reply({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
      }
      if (method === 'tools/list') return reply({ tools })
      if (method === 'ping') return reply({})
      if (method === 'tools/call') return BEHAVIOURS[params?.name ?? '']?.(id, response, request)
      return json(response, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })
    })
  })
  return { ...listen, handshakes: () => handshakes }
}

verifies(
  'REL-5',
  'survives every way an HTTP server can answer a call, and says what is known of its effect',
  async () => {
    const { url } = await wildServer()
    const { tools } = mcpUnderTest({ wild: { url } }, { limits: { messageBytes: 1_000_000, floodMessages: 300 } })
    const found = await tools()
    const run = (name: string): Promise<string> => call(found[`wild__${name}`])
    expect(await run('plain')).toBe('plain')
    expect(await run('stream')).toBe('stream')
    expect(await run('lies')).toBe('the truth')
    for (const lost of ['cut', 'torn', 'huge', 'endless', 'broken', 'late', 'html']) {
      await expect(run(lost), lost).rejects.toEqual(unknownEffect)
    }
    await expect(run('refused')).rejects.toEqual(noEffect)
    for (const one of ['broken', 'refused']) await expect(run(one)).rejects.not.toThrow('secret-in-body')
    await expect(run('moved')).rejects.toThrow('HTTP status 307')
    await expect(run('flood')).rejects.toThrow('too many messages')
    expect(await run('plain')).toBe('plain')
  },
)

verifies('COO-8', 'waits once and not long for an HTTP server that never answers', async () => {
  const silent = await listening(() => {})
  const { url } = await wildServer()
  const limits = { connectMs: 300, startMs: 1000 }
  const { mcp, tools } = mcpUnderTest({ silent: { url: silent.url }, wild: { url } }, { limits })
  const started = Date.now()
  expect(await tools()).toHaveProperty('wild__plain')
  const between = Date.now()
  await tools()
  expect([between - started < 1000, Date.now() - between < 100]).toEqual([true, true])
  const error = (): string | undefined => mcp.status().find(({ name }) => name === 'silent')?.error
  await eventually(() => error() !== undefined)
  expect(error()).toBe('it did not start in time')
})

test('stops waiting for an HTTP server when the call is cancelled', async () => {
  const { url } = await wildServer()
  const { tools } = mcpUnderTest({ wild: { url } })
  const found = await tools()
  const stop = new AbortController()
  const going = call(found['wild__hang'], {}, { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(going).rejects.toEqual(unknownEffect)
})

verifies(
  'COO-8',
  'shakes hands anew with an HTTP server that lost its session, and with one that was away',
  async () => {
    const { url, handshakes, server } = await wildServer()
    const { mcp, tools } = mcpUnderTest({ wild: { url } }, { limits: { connectMs: 300 } })
    const found = await tools()
    await expect(call(found['wild__gone'])).rejects.toEqual(noEffect)
    await eventually(() => handshakes() === 2)
    const { port } = server.address() as { port: number }
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await expect(call(found['wild__plain'])).rejects.toEqual(noEffect)
    expect(mcp.status()[0]?.error).toBe('it cannot be reached (connect)')
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
    await eventually(() => mcp.status()[0]?.state === 'ready')
    expect(await call(found['wild__plain'])).toBe('plain')
  },
)

test('reaches no address that the rules of egress forbid, and repeats none of it', async () => {
  const asked: string[] = []
  const { url } = await listening((request, response) => {
    asked.push(request.url ?? '')
    response.end()
  })
  const egress = createEgress()
  const { mcp, tools } = mcpUnderTest({ near: { url: `${url}?key=secret` } }, { fetchOf: () => asFetch(egress) })
  expect(await tools()).toEqual({})
  expect(asked).toEqual([])
  expect(mcp.status()[0]?.error).toBe('its address may not be reached from here')
  expect(JSON.stringify(mcp.status())).not.toContain('secret')
  await egress.close()
})
