import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../src/app.ts'
import { serve } from '../../src/channel/http/index.ts'
import { problemSchema } from '../../src/channel/http/schemas.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Segno } from '../../src/segno.ts'
import { throwDice } from '../crash/dice.ts'
import { readOpenApi } from '../security/support/operations.ts'
import { createGenerator, type FuzzRequest } from './fuzz-requests.ts'
import { sendRaw, type RawAnswer } from './fuzz-socket.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  readonly onProgress?: (sent: number) => void
}

export interface FuzzReport {
  /** how often each status came; 0 stands for a connection that was closed without one */
  readonly statuses: ReadonlyMap<number, number>
  /** what must never happen, each with the request that did it */
  readonly faults: readonly string[]
}

const AT_ONCE = 8
const KEPT = 20

/** Sends nonsense to a real server and looks at every answer. */
export async function runFuzz({ seed, requests, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const home = mkdtempSync(join(tmpdir(), 'segno-fuzz-'))
  const segno = await compose(
    {
      home,
      env: { TWO_STAGE_ENABLED: 'on', SEGNO_LOG: 'off' },
      durability: 'normal',
      model: {},
      limits: { RATE_PER_MINUTE: 0, DRAIN_MS: 50, WAIT_MS: 1000, BODY_BYTES: 1_000_000 },
    },
    {},
  )
  const server = await serve(segno.fetch, { host: '127.0.0.1', port: 0, requestMs: 1000 })
  const faults: string[] = []
  const onCrash = (error: unknown): void => void faults.push(`the process: ${String((error as Error)?.stack ?? error)}`)
  process.on('uncaughtException', onCrash)
  process.on('unhandledRejection', onCrash)
  try {
    const port = Number(new URL(server.url).port)
    const statuses = await bombard(segno, port, home, { seed, requests, ...(onProgress && { onProgress }) }, faults)
    faults.push(...(await aftermath(segno, port)))
    return { statuses, faults }
  } finally {
    process.off('uncaughtException', onCrash)
    process.off('unhandledRejection', onCrash)
    await segno.close()
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function bombard(segno: Segno, port: number, home: string, options: FuzzOptions, faults: string[]) {
  const { seed, requests, onProgress } = options
  const dice = throwDice(seed)
  const generator = createGenerator(dice, await readOpenApi(segno))
  const { secret: key = '' } = await segno.keys.add(LOCAL_OWNER, { name: 'fuzz', role: 'super_admin' })
  const sessions = [(await segno.createSession()).id]
  const rounds = [(await segno.rounds.send(LOCAL_OWNER, sessions[0] ?? '', 'hello')).requestId]
  const statuses = new Map<number, number>()
  const look = home.slice(home.lastIndexOf('/') + 1)

  function learn({ status, body }: RawAnswer): void {
    const [, session] = /^\{"id":"([\w-]{36})","workspaceId"/.exec(body) ?? []
    const [, round] = /"requestId":"([\w-]{36})"/.exec(status === 202 ? body : '') ?? []
    if (session !== undefined) sessions.push(session)
    if (round !== undefined) rounds.push(round)
    for (const list of [sessions, rounds]) if (list.length > KEPT) list.shift()
  }

  let sent = 0
  async function client(): Promise<void> {
    while (sent < requests) {
      // Something that is there is asked for too, however much was deleted.
      if (++sent % 40 === 0) sessions.push((await segno.createSession()).id)
      if (sent % 1000 === 0) onProgress?.(sent)
      const request = generator.next({ sessions, rounds, key })
      const answer = await sendRaw(port, request.bytes, request.ends)
      statuses.set(answer.status ?? 0, (statuses.get(answer.status ?? 0) ?? 0) + 1)
      for (const fault of faultsOf(request, answer, look))
        faults.push(`${fault}\n${shown(request)}\n→ ${answer.body.slice(0, 500)}`)
      learn(answer)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return statuses
}

const INSIDES = /\n\s+at |node_modules\/|\.ts:\d|file:\/\/|\/work\/|\bundefined\b|\[object |Segno made a mistake/

/** A workspace says where its folder is, and who names another one is told where it may lie. */
const FOLDERS = /"folder":"[^"]*"|under a root of your tenant: [^"]*/g

function faultsOf({ ends, isHead }: FuzzRequest, { status, headers, body, silent }: RawAnswer, home: string): string[] {
  if (silent) return ['no answer came']
  // Where the request itself was cut off, closing the connection is an answer.
  if (status === undefined) return ends ? [] : ['the connection was closed without an answer']
  const faults: string[] = []
  if (status >= 500) faults.push(`status ${status}`)
  if (INSIDES.test(body)) faults.push(`an answer shows insides: ${INSIDES.exec(body)?.[0]}`)
  if (body.replaceAll(FOLDERS, '').includes(home)) faults.push('an answer shows where the data is')
  if (status >= 400 && !isHead && !isBare(headers, body)) faults.push(...documentFaults(status, headers, body))
  return faults
}

/** What the HTTP parser refuses does not get as far as a problem document: a status, and the end of the connection. */
const isBare = (headers: RawAnswer['headers'], body: string): boolean =>
  body === '' && !headers.has('x-request-id') && headers.get('connection')?.toLowerCase() === 'close'

function documentFaults(status: number, headers: RawAnswer['headers'], body: string): string[] {
  if (headers.get('content-type') !== 'application/problem+json') return [`status ${status} without a problem document`]
  try {
    const document = problemSchema.strict().parse(JSON.parse(body))
    if (document.status === status && document.requestId === headers.get('x-request-id')) return []
    return ['a problem document that is not of its answer']
  } catch {
    return ['a problem document that is none']
  }
}

/** After all that a normal client must find everything in order. */
async function aftermath(segno: Segno, port: number): Promise<string[]> {
  const faults: string[] = []
  const base = `http://127.0.0.1:${port}`
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' }
    return (await (await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as never
  }
  const { id } = await post('/api/sessions', {})
  const { content } = await post(`/api/sessions/${String(id)}/messages?wait=1`, { content: 'hello' })
  if (content !== 'Echo: hello') faults.push(`a normal round was answered with ${String(content)}`)
  const { ok, findings } = await segno.check()
  if (!ok) faults.push(...findings.map((finding) => `the store: ${finding}`))
  if (!(await streamsEnd(base))) faults.push('streams are still open that nobody reads')
  return faults
}

/** Readers that left are noticed; a moment may pass until then. */
async function streamsEnd(base: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const metrics = await (await fetch(`${base}/metrics`)).text()
    if (/^segno_streams_active 0$/m.test(metrics)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

const shown = ({ bytes }: FuzzRequest): string => JSON.stringify(bytes.toString('latin1').slice(0, 1500))
