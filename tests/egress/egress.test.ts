import { getEventListeners, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asFetch, createEgress, type Egress, type EgressOptions } from '../../src/egress/index.ts'
import { verifies } from '../support/verifies.ts'
import { CERTIFICATE } from './support/certificate.ts'
import { createInternet, type Internet } from './support/internet.ts'

/** At its default it takes seconds. */
const packBrotli = (data: Buffer): Buffer =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

type Route = (request: IncomingMessage, response: ServerResponse) => void

const [A, B, SECURE] = ['93.184.216.34', '140.82.121.4', '151.101.1.69']
const MB = 1024 * 1024

let internet: Internet
let egress: Egress
const routes = new Map<string, Route>()
const opened: Egress[] = []
const trusted = getCACertificates()

/** What the server was asked, in order. */
const seen: { url: string; method: string; headers: IncomingMessage['headers']; body: string; socket: Socket }[] = []

beforeAll(async () => {
  setDefaultCACertificates([...trusted, CERTIFICATE])
  internet = await createInternet((request, response) => {
    const url = `${request.headers.host}${request.url}`
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers, socket } = request
      seen.push({ url, method, headers, body: Buffer.concat(chunks).toString(), socket })
      const route = routes.get(url)
      if (route) route(request, response)
      else response.end(`hello from ${url}`)
    })
  })
  internet.host(A, B, SECURE)
  internet.name('a.example.com', [A])
  internet.name('b.example.com', [B])
  internet.name('same.example.com', [A])
  internet.name('secure.example.com', [SECURE])
  internet.name('wrong.example.com', [SECURE])
})

afterAll(async () => {
  setDefaultCACertificates(trusted)
  await internet.close()
})

beforeEach(() => {
  egress = egressWith()
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  routes.clear()
  seen.length = 0
  internet.dialled.length = 0
  internet.resolved.length = 0
})

function egressWith(options: EgressOptions = {}): Egress {
  const made = createEgress({ ...internet.ports, ...options })
  opened.push(made)
  return made
}

function redirect(from: string, status: number, to: string): void {
  routes.set(from, (_request, response) => response.writeHead(status, { location: to }).end())
}

const text = async (url: string, init: Parameters<Egress['fetch']>[1] = {}, by = egress): Promise<string> =>
  (await by.fetch(url, init)).text()

/** An endless answer, and what became of its connection. */
function endless(
  url: string,
  piece: Buffer,
  headers: Record<string, string> = {},
): { sent: number; closed: Promise<unknown> } {
  const closed = Promise.withResolvers<void>()
  const state = { sent: 0, closed: closed.promise }
  routes.set(url, (_request, response) => {
    response.writeHead(200, headers)
    const write = (): void => {
      while (!response.destroyed) {
        state.sent += piece.length
        if (!response.write(piece)) return
      }
    }
    response.on('drain', write).on('close', closed.resolve)
    write()
  })
  return state
}

describe('a request', () => {
  test('goes to the checked address and says the name', async () => {
    expect(await text('http://a.example.com/x?y=1#z')).toBe('hello from a.example.com/x?y=1')
    expect(internet.dialled).toEqual([A])
    expect(seen[0]?.headers.host).toBe('a.example.com')
  })

  test('is one of fetch: method, headers, body and answer', async () => {
    routes.set('a.example.com/', (_request, response) =>
      response.writeHead(201, { 'x-one': 'ü', 'set-cookie': ['a=1', 'b=2'] }).end('{"ok":true}'),
    )
    const body = new URLSearchParams({ grant: 'code' })
    const response = await egress.fetch('http://a.example.com/', {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer x' },
    })
    expect([response.status, response.url, response.redirected]).toEqual([201, 'http://a.example.com/', false])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.json()).toEqual({ ok: true })
    expect(seen[0]).toMatchObject({ method: 'POST', body: 'grant=code', headers: { authorization: 'Bearer x' } })
    expect(seen[0]?.headers['content-type']).toContain('x-www-form-urlencoded')
  })

  test('cannot name another host or another length in its headers', async () => {
    const headers = {
      host: 'b.example.com',
      'content-length': '3',
      'transfer-encoding': 'chunked',
      connection: 'upgrade',
    }
    await text('http://a.example.com/', { method: 'POST', headers, body: 'whole' })
    expect(seen[0]).toMatchObject({ url: 'a.example.com/', body: 'whole' })
  })

  test('brings no cookies of earlier answers, and asks no proxy', async () => {
    process.env['HTTP_PROXY'] = `http://127.0.0.1:${internet.witness.port}`
    routes.set('a.example.com/', (_request, response) => response.writeHead(200, { 'set-cookie': 'a=1' }).end())
    await text('http://a.example.com/')
    await text('http://a.example.com/again')
    delete process.env['HTTP_PROXY']
    expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
    expect(internet.witness.visits).toBe(0)
  })

  test('has no answer body for HEAD and 204', async () => {
    routes.set('a.example.com/none', (_request, response) => response.writeHead(204).end())
    expect((await egress.fetch('http://a.example.com/none')).body).toBeNull()
    const head = await egress.fetch('http://a.example.com/', { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, null])
  })

  test('streams: each piece arrives when it is sent', async () => {
    const out = Promise.withResolvers<ServerResponse>()
    routes.set('a.example.com/sse', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      out.resolve(response)
    })
    const unlimited = { maxBytes: Infinity, totalMs: Infinity }
    const response = await egress.fetch('http://a.example.com/sse', unlimited)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const next = async (): Promise<string> => Buffer.from((await reader.read()).value ?? []).toString()
    expect(await next()).toBe('data: 1\n\n')
    ;(await out.promise).write('data: 2\n\n')
    expect(await next()).toBe('data: 2\n\n')
    ;(await out.promise).end()
    expect(await next()).toBe('')
  })

  test('of a client with limits of its own is not cut short, and refused like any other', async () => {
    const narrow = egressWith({ headersMs: 1, totalMs: 1, maxBytes: 1 })
    routes.set('a.example.com/', (_request, response) => void setTimeout(() => response.end('a whole answer'), 20))
    await expect(text('http://a.example.com/', {}, narrow)).rejects.toMatchObject({ code: 'timeout' })
    const fetch = asFetch(narrow)
    expect(await (await fetch('http://a.example.com/')).text()).toBe('a whole answer')
    await expect(fetch('http://127.0.0.1/')).rejects.toMatchObject({ name: 'EgressRefused' })
    await expect(fetch(new Request('http://a.example.com/'))).rejects.toThrow('not a Request')
  })

  verifies('REL-6', 'is secure only with a certificate of the name it asked for', async () => {
    expect(await text('https://secure.example.com/')).toBe('hello from secure.example.com/')
    await expect(text('https://wrong.example.com/')).rejects.toMatchObject({ name: 'EgressFailed', code: 'tls' })
    setDefaultCACertificates(trusted)
    await expect(text('https://secure.example.com/', {}, egressWith())).rejects.toMatchObject({ code: 'tls' })
    setDefaultCACertificates([...trusted, CERTIFICATE])
    expect(await text('https://93.184.216.34/')).toBe('hello from 93.184.216.34/')
  })

  test('takes the next address when one does not answer, and says so when none does', async () => {
    internet.name('several.example.com', ['1.1.1.1', A])
    internet.name('dead.example.com', ['1.1.1.1'])
    const dial: EgressOptions['dial'] = (at) => {
      const socket = internet.ports.dial(at)
      if (at.address === '1.1.1.1')
        socket.destroy(Object.assign(new Error('connect ECONNREFUSED 1.1.1.1'), { code: 'ECONNREFUSED' }))
      return socket
    }
    const picky = egressWith({ dial })
    expect(await text('http://several.example.com/', {}, picky)).toContain('several')
    const failing = text('http://dead.example.com/', {}, picky)
    await expect(failing).rejects.toMatchObject({ code: 'connect' })
    await expect(failing).rejects.toThrow('ECONNREFUSED')
    await expect(failing).rejects.not.toThrow('1.1.1.1')
  })
})

describe('connections', () => {
  verifies('REL-6', 'are pinned: a name is resolved once for each request, and never when connecting', async () => {
    internet.name('pinned.example.com', [A], [B])
    expect(await text('http://pinned.example.com/')).toContain('pinned')
    expect([internet.resolved, internet.dialled]).toEqual([['pinned.example.com'], [A]])
    expect(await text('http://pinned.example.com/')).toContain('pinned')
    expect([internet.resolved.length, internet.dialled]).toEqual([2, [A, B]])
  })

  verifies('REL-6', 'are used again for the same origin and address only', async () => {
    await text('http://a.example.com/1')
    await setImmediate()
    await text('http://a.example.com/2')
    expect(internet.dialled).toEqual([A])
    await text('http://same.example.com/')
    await text('http://a.example.com:8080/')
    expect(internet.dialled).toEqual([A, A, A])
    expect(seen[0]?.socket).toBe(seen[1]?.socket)
    expect(new Set(seen.map(({ socket }) => socket)).size).toBe(3)
  })

  test('that are kept do not help a name that is private now', async () => {
    internet.name('kept.example.com', [A], ['10.0.0.1'])
    await text('http://kept.example.com/')
    await expect(text('http://kept.example.com/')).rejects.toMatchObject({ code: 'address' })
  })

  test('many origins do not keep many pools, and none breaks', async () => {
    for (let i = 0; i < 80; i++) {
      internet.name(`many-${i}.example.com`, [A])
      expect(await text(`http://many-${i}.example.com/`)).toContain(`many-${i}`)
    }
    expect(await text('http://many-0.example.com/')).toContain('many-0')
  })
})

describe('redirects', () => {
  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ])('of %i turn %s into %s on the same origin', async (status, method, becomes) => {
    redirect('a.example.com/', status, '/next')
    const response = await egress.fetch('http://a.example.com/', {
      method,
      body: 'b',
      headers: { 'x-key': 'k', 'content-type': 'text/x' },
    })
    expect([response.url, response.redirected]).toEqual(['http://a.example.com/next', true])
    const kept = becomes === 'GET' ? '' : 'b'
    expect(seen[1]).toMatchObject({ method: becomes, body: kept, headers: { 'x-key': 'k' } })
    expect(seen[1]?.headers['content-type']).toBe(kept === '' ? undefined : 'text/x')
  })

  verifies('REL-6', 'to another origin leave behind every header of the caller that says who it is', async () => {
    redirect('a.example.com/', 302, 'http://b.example.com/')
    const headers = {
      authorization: 'Bearer x',
      cookie: 'a=1',
      'x-api-key': 'k',
      accept: 'text/html',
      referer: 'http://x',
    }
    await text('http://a.example.com/', { headers })
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'k', authorization: 'Bearer x' })
    const { host, connection, accept, ...rest } = seen[1]?.headers ?? {}
    expect([host, connection, accept]).toEqual(['b.example.com', 'keep-alive', 'text/html'])
    expect(Object.keys(rest)).toEqual(['accept-encoding', 'user-agent'])
  })

  test('to another origin are not sent a body', async () => {
    redirect('a.example.com/', 307, 'http://b.example.com/')
    await expect(text('http://a.example.com/', { method: 'POST', body: 'secret' })).rejects.toMatchObject({
      code: 'redirect',
    })
    expect(seen.length).toBe(1)
  })

  test('from https to http are refused, the other way followed', async () => {
    redirect('secure.example.com/down', 301, 'http://a.example.com/')
    redirect('a.example.com/up', 301, 'https://secure.example.com/')
    await expect(text('https://secure.example.com/down')).rejects.toMatchObject({ code: 'redirect' })
    expect(await text('http://a.example.com/up')).toBe('hello from secure.example.com/')
  })

  test('are read as the UTF-8 that servers write', async () => {
    redirect('a.example.com/', 302, Buffer.from('/caf\u00E9/\u043F').toString('latin1'))
    expect((await egress.fetch('http://a.example.com/')).url).toBe('http://a.example.com/caf%C3%A9/%D0%BF')
  })

  test('end after a number of hops', async () => {
    redirect('a.example.com/', 302, '/')
    await expect(text('http://a.example.com/', { maxRedirects: 3 })).rejects.toMatchObject({
      code: 'too_many_redirects',
    })
    expect(seen.length).toBe(4)
  })

  test('are returned when they are not wanted, and other 3xx always', async () => {
    redirect('a.example.com/', 302, 'http://b.example.com/x')
    redirect('a.example.com/odd', 300, 'http://b.example.com/x')
    redirect('a.example.com/bad', 302, 'http://[bad')
    const asked: string[] = []
    const follow = (to: URL): boolean => asked.push(to.href) < 0
    expect((await egress.fetch('http://a.example.com/', { follow })).status).toBe(302)
    expect(asked).toEqual(['http://b.example.com/x'])
    expect((await egress.fetch('http://a.example.com/bad', { redirect: 'manual' })).status).toBe(302)
    expect((await egress.fetch('http://a.example.com/odd')).status).toBe(300)
    await expect(text('http://a.example.com/bad')).rejects.toMatchObject({ code: 'redirect' })
    await expect(text('http://a.example.com/', { redirect: 'error' })).rejects.toMatchObject({ code: 'redirect' })
  })
})

describe('an origin the operator named', () => {
  verifies('REL-6', 'may be private, exactly as it was named and without redirects', async () => {
    internet.name('n8n', ['10.0.0.7'])
    internet.host('10.0.0.7')
    redirect('n8n:5678/away', 302, 'http://a.example.com/')
    redirect('n8n:5678/own', 302, '/')
    redirect('a.example.com/in', 302, 'http://n8n:5678/')
    const inside = egressWith({ privateOrigins: ['http://n8n:5678'] })
    expect(await text('http://N8N.:5678/hook', {}, inside)).toBe('hello from n8n:5678/hook')
    for (const url of ['http://n8n/', 'http://n8n:5679/', 'https://n8n:5678/', 'http://10.0.0.7:5678/'])
      await expect(text(url, {}, inside), url).rejects.toMatchObject({ name: 'EgressRefused' })
    for (const url of ['http://n8n:5678/away', 'http://n8n:5678/own', 'http://a.example.com/in'])
      await expect(text(url, {}, inside), url).rejects.toMatchObject({ code: 'redirect' })
    await expect(text('http://u:p@n8n:5678/', {}, inside)).rejects.toMatchObject({ code: 'credentials' })
  })

  test('is an origin and nothing more', () => {
    expect(() => createEgress({ privateOrigins: ['http://n8n:5678/path'] })).toThrow('expected an origin')
  })
})

describe('limits', () => {
  verifies('REL-6', 'end a body that is too large, early', async () => {
    const flood = endless('a.example.com/', Buffer.alloc(64 * 1024))
    await expect(text('http://a.example.com/', { maxBytes: MB })).rejects.toMatchObject({ code: 'too_large' })
    await flood.closed
    expect(flood.sent).toBeLessThan(40 * MB)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', packBrotli],
  ])('end a bomb of %s before it is unpacked', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64 * MB))
    routes.set('a.example.com/', (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    )
    const before = process.memoryUsage().arrayBuffers
    for (const maxBytes of [2 * MB, Infinity]) {
      const response = await egress.fetch('http://a.example.com/', { maxBytes })
      const failing = readAll(response)
      await expect(failing.done).rejects.toMatchObject({ code: 'too_large' })
      expect(failing.bytes()).toBeLessThanOrEqual(Math.min(maxBytes, MB + 200 * bomb.length))
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MB)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', packBrotli],
    ['X-GZIP', gzipSync],
  ])('let an honest body of %s pass', async (encoding, pack) => {
    const honest = Array.from({ length: 50_000 }, (_, i) => `line ${i}`).join('\n')
    routes.set('a.example.com/', (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(Buffer.from(honest))),
    )
    const response = await egress.fetch('http://a.example.com/')
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(await response.text()).toBe(honest)
  })

  test('do not read encodings on top of each other, unknown or false ones', async () => {
    const bodies: Record<string, Buffer> = {
      'gzip, gzip': gzipSync(gzipSync('x')),
      zstd: Buffer.from('x'),
      gzip: Buffer.from('not gzip'),
    }
    for (const [encoding, body] of Object.entries(bodies)) {
      routes.set('a.example.com/', (_request, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(body),
      )
      await expect(text('http://a.example.com/'), encoding).rejects.toMatchObject({ code: 'unreadable' })
    }
  })

  test('end headers that are too many', async () => {
    routes.set('a.example.com/', (_request, response) =>
      response.writeHead(200, { 'x-long': 'x'.repeat(64 * 1024) }).end(),
    )
    await expect(text('http://a.example.com/')).rejects.toMatchObject({ code: 'too_large' })
  })

  test('end an answer that does not begin', async () => {
    const gone = Promise.withResolvers<void>()
    routes.set('a.example.com/', (request) => void request.socket.on('close', gone.resolve))
    await expect(text('http://a.example.com/', { headersMs: 1000 })).rejects.toMatchObject({ code: 'timeout' })
    await gone.promise
  })

  test('end a body that comes too slowly', async () => {
    const gone = Promise.withResolvers<void>()
    routes.set('a.example.com/', (request, response) => {
      response.writeHead(200).write('one')
      request.socket.on('close', gone.resolve)
    })
    await expect(text('http://a.example.com/', { totalMs: 1000 })).rejects.toMatchObject({ code: 'timeout' })
    await gone.promise
  })

  test('end a resolver and a connection that do not answer', async () => {
    const never = new Promise<never>(() => undefined)
    const deaf = egressWith({ resolve: () => never, connectMs: 50 })
    await expect(text('http://a.example.com/', {}, deaf)).rejects.toMatchObject({ code: 'timeout' })
    const mute = await createMute()
    const patient = egressWith({ dial: mute.dial, connectMs: 50 })
    await expect(text('https://secure.example.com/', {}, patient)).rejects.toMatchObject({ code: 'timeout' })
    await mute.close()
  })

  test('answers that are not HTTP are failures', async () => {
    routes.set('a.example.com/', (request) => void request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    routes.set('a.example.com/999', (_request, response) => response.writeHead(999).end())
    routes.set(
      'a.example.com/cut',
      (request) => void request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
    )
    for (const path of ['', '999'])
      await expect(text(`http://a.example.com/${path}`)).rejects.toMatchObject({ code: 'unreadable' })
    await expect(text('http://a.example.com/cut')).rejects.toMatchObject({ code: 'lost' })
  })
})

describe('ending', () => {
  test('the signal of the caller ends a request with its reason, before and after the head', async () => {
    routes.set('a.example.com/', () => undefined)
    const reason = new Error('enough')
    const early = new AbortController()
    const waiting = text('http://a.example.com/', { signal: early.signal })
    early.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    const flood = endless('a.example.com/flood', Buffer.alloc(1024))
    const late = new AbortController()
    const response = await egress.fetch('http://a.example.com/flood', { signal: late.signal })
    late.abort(reason)
    await expect(response.text()).rejects.toBe(reason)
    await flood.closed
    await expect(text('http://a.example.com/', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('a body that is not wanted ends its connection', async () => {
    const flood = endless('a.example.com/', Buffer.alloc(1024))
    const response = await egress.fetch('http://a.example.com/')
    await response.body?.cancel()
    await flood.closed
  })

  test('nothing is left behind on the signal of a caller', async () => {
    const { signal } = new AbortController()
    for (let i = 0; i < 5; i++) await text('http://a.example.com/', { signal })
    await expect(text('http://127.0.0.1/', { signal })).rejects.toThrow()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('says before the first byte leaves that it will, and not when nothing is sent', async () => {
    const sends: string[] = []
    await text('http://a.example.com/', { onSend: () => sends.push('a') })
    await expect(text('http://127.0.0.1/', { onSend: () => sends.push('b') })).rejects.toThrow()
    const aborted = AbortSignal.abort()
    await expect(text('http://a.example.com/', { signal: aborted, onSend: () => sends.push('c') })).rejects.toThrow()
    expect(sends).toEqual(['a'])
  })

  test('close ends everything under way, and nothing is sent afterwards', async () => {
    const flood = endless('a.example.com/flood', Buffer.alloc(1024))
    const asked = Promise.withResolvers<void>()
    routes.set('a.example.com/', () => asked.resolve())
    const own = egressWith()
    const streaming = await own.fetch('http://a.example.com/flood', { totalMs: Infinity })
    const waiting = expect(text('http://a.example.com/', {}, own)).rejects.toMatchObject({ code: 'closed' })
    await asked.promise
    await own.close()
    await waiting
    await expect(streaming.text()).rejects.toMatchObject({ code: 'closed' })
    await flood.closed
    await expect(text('http://a.example.com/', {}, own)).rejects.toMatchObject({ code: 'closed' })
  })

  test('close ends a connection that is still being made', async () => {
    const mute = await createMute()
    const own = egressWith({ dial: mute.dial })
    const waiting = expect(text('https://secure.example.com/', {}, own)).rejects.toMatchObject({ code: 'closed' })
    const visitor = await mute.visited
    const gone = once(visitor, 'close')
    await own.close()
    await waiting
    await gone
    await mute.close()
  })
})

function readAll(response: Response): { done: Promise<void>; bytes(): number } {
  let bytes = 0
  const read = async (): Promise<void> => {
    for await (const chunk of response.body as ReadableStream<Uint8Array>) bytes += chunk.length
  }
  return { done: read(), bytes: () => bytes }
}

/** Takes connections and never says a word. */
async function createMute(): Promise<{
  dial: NonNullable<EgressOptions['dial']>
  visited: Promise<Socket>
  close(): Promise<void>
}> {
  const visited = Promise.withResolvers<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume()
    visited.resolve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    dial: () => connect({ host: '127.0.0.1', port }),
    visited: visited.promise,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
