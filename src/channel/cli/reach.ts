import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../contract/problem.ts'
import type { Segno } from '../../segno.ts'

/** Asks a Segno, wherever it runs. A problem it answers with is thrown as one. */
export interface Reached {
  /** `once`: a key under which it happens once, however often it is asked */
  ask(method: string, path: string, body?: object, once?: string): Promise<Response>
  /** Opens a stream of events; it ends when it is aborted. */
  stream(path: string, signal: AbortSignal): Promise<Response>
  /** the address of the server; undefined where Segno runs in this process */
  readonly server: string | undefined
  /** the folder of this machine's Segno */
  readonly home: string
  close(): Promise<void>
}

export interface ReachOptions {
  readonly home: string
  readonly key: string | undefined
  readonly server: string | undefined
  open(): Promise<Segno>
}

const NOTE = 'server.json'

/** The server that has the database open says where it is, for commands on the same machine. */
export function noteServer(home: string, url: string): () => void {
  const file = join(home, NOTE)
  writeFileSync(file, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** The server that was named, the one that has the database, or this process itself if nobody has it. */
export async function reach(options: ReachOptions): Promise<Reached> {
  if (options.server !== undefined) return over(options.server, options)
  try {
    const segno = await options.open()
    const here = 'http://localhost'
    return {
      ask: (method, path, body, once) => answer(segno.fetch(request(here, { method, path, body, once }))),
      stream: (path, signal) => answer(segno.fetch(request(here, { method: 'GET', path, signal }))),
      server: undefined,
      home: options.home,
      close: () => segno.close(),
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'STORE_BUSY') throw error
    const url = notedServer(options.home)
    if (url === undefined) throw error
    return over(url, options)
  }
}

function notedServer(home: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(home, NOTE), 'utf8')) as { url: string }).url
  } catch {
    return undefined
  }
}

function over(server: string, { key, home }: ReachOptions): Reached {
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? ''))
    throw new Problem('VALIDATION_ERROR', `"${server}" is no address of a server, such as http://127.0.0.1:4747.`)
  const send = (asked: Asked): Promise<Response> =>
    answer(
      fetch(request(server, { ...asked, key })).catch((cause: unknown) => {
        throw new Problem('STORE_UNAVAILABLE', `Segno at ${server} cannot be reached. Is it running?`, { cause })
      }),
    )
  return {
    ask: (method, path, body, once) => send({ method, path, body, once }),
    stream: (path, signal) => send({ method: 'GET', path, signal }),
    server,
    home,
    close: () => Promise.resolve(),
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object | undefined
  readonly once?: string | undefined
  readonly key?: string | undefined
  /** for a stream: ends it */
  readonly signal?: AbortSignal
}

function request(server: string, { method, path, body, once, key, signal }: Asked): Request {
  return new Request(new URL(path, server), {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(once !== undefined && { 'idempotency-key': once }),
      ...(body && { 'content-type': 'application/json' }),
      ...(signal && { accept: 'text/event-stream' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

/** What Segno answers with; anything else was said by somebody else. */
const OURS = /json|^text\/(event-stream|markdown)/

async function answer(asked: Promise<Response>): Promise<Response> {
  const response = await asked
  const type = response.headers.get('content-type')
  const isOurs = (type === null && response.ok) || OURS.test(type ?? '')
  if (!isOurs) throw new Problem('STORE_UNAVAILABLE', `What answered is not Segno (status ${response.status}).`)
  if (response.ok) return response
  const { code, detail } = (await response.json()) as { code: Problem['code']; detail: string }
  throw new Problem(code, code === 'KEY_REQUIRED' ? `${detail} Commands take it from SEGNO_KEY.` : detail)
}
