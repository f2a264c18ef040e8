import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../contract/problem.ts'
import type { Segno } from '../../segno.ts'

/** Asks a Segno, wherever it runs. A problem it answers with is thrown as one. */
export interface Reached {
  ask(method: string, path: string, body?: object): Promise<Response>
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
  if (options.server !== undefined) return over(options.server, options.key)
  try {
    const segno = await options.open()
    return {
      ask: (method, path, body) => answer(segno.fetch(request('http://localhost', method, path, undefined, body))),
      close: () => segno.close(),
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'STORE_BUSY') throw error
    const url = notedServer(options.home)
    if (url === undefined) throw error
    return over(url, options.key)
  }
}

function notedServer(home: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(home, NOTE), 'utf8')) as { url: string }).url
  } catch {
    return undefined
  }
}

function over(server: string, key: string | undefined): Reached {
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? ''))
    throw new Problem('VALIDATION_ERROR', `"${server}" is no address of a server, such as http://127.0.0.1:4747.`)
  return {
    ask: (method, path, body) =>
      answer(
        fetch(request(server, method, path, key, body)).catch((cause: unknown) => {
          throw new Problem('STORE_UNAVAILABLE', `Segno at ${server} cannot be reached. Is it running?`, { cause })
        }),
      ),
    close: () => Promise.resolve(),
  }
}

function request(server: string, method: string, path: string, key: string | undefined, body?: object): Request {
  return new Request(new URL(path, server), {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function answer(asked: Promise<Response>): Promise<Response> {
  const response = await asked
  const type = response.headers.get('content-type')
  const isOurs = (type === null && response.ok) || type?.includes('json')
  if (!isOurs) throw new Problem('STORE_UNAVAILABLE', `What answered is not Segno (status ${response.status}).`)
  if (response.ok) return response
  const { code, detail } = (await response.json()) as { code: Problem['code']; detail: string }
  throw new Problem(code, code === 'KEY_REQUIRED' ? `${detail} Commands take it from SEGNO_KEY.` : detail)
}
