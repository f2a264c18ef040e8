import type { ChildProcess } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTemporal } from '../../workflow/support/temporal-server.ts'

/**
 * What the other side does with a request: `answers`: it does the work and says so; `begins`: its result comes later;
 * `busy`: the first time it does nothing; `breaks`: the first time it does the work, and its answer is lost
 */
export type Conduct = 'answers' | 'begins' | 'busy' | 'breaks'

/** A request as it came. */
export interface Came {
  readonly to: 'work' | 'told'
  /** what it does once only */
  readonly key: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** nothing was done with it, and the other side knows that */
  readonly isRefused: boolean
  /** it is the first with its key that was not refused */
  readonly isEffect: boolean
}

/** The world outside: it remembers keys, and is asked by nobody who may be killed. */
export interface Receiver {
  readonly origin: string
  /** of the Temporal server, which does as it is told here and remembers keys itself */
  readonly temporal: string
  readonly came: readonly Came[]
  /** Kills it while a request waits for its answer. */
  killDuring(point: string, child: ChildProcess): void
  close(): Promise<void>
}

const NAMES = ['', ' second', ' third']

export async function startReceiver(conduct: Conduct): Promise<Receiver> {
  const came: Came[] = []
  let dies: { point: string; child: ChildProcess } | undefined

  function take(to: Came['to'], conduct: string, headers: Came['headers'], body: string): Came {
    const key = String(headers[to === 'work' ? 'idempotency-key' : 'webhook-id'])
    const earlier = came.filter((one) => one.to === to && one.key === key)
    const isRefused = conduct === 'busy' && earlier.length === 0
    const isEffect = !isRefused && !earlier.some((one) => one.isEffect)
    const request = { to, key, body, headers, isRefused, isEffect }
    came.push(request)
    return request
  }

  function isToDie(to: Came['to']): boolean {
    const nth = came.filter((one) => one.to === to).length
    const isHere = dies?.point === `during the${NAMES[nth - 1]} ${to === 'work' ? 'request' : 'delivery'}`
    return isHere && dies?.child.kill('SIGKILL') === true
  }

  const temporal = await startTemporal((run) => {
    if (conduct === 'answers') run.complete({ done: true })
  })
  temporal.onStart(({ workflowId, input, memo }) => {
    const headers = { 'idempotency-key': workflowId, 'segno-invocation': String(memo['segno-invocation']) }
    take('work', conduct, headers, JSON.stringify(input))
    isToDie('work')
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    if (request.url === '/came') return void response.end(JSON.stringify(came))
    if (request.url === '/end') {
      for (const run of temporal.runs) if (run.isRunning) run.complete({ done: true })
      return void response.end('{}')
    }
    const [, to, conduct] = String(request.url).split('/') as ['', Came['to'], string]
    const { isRefused } = take(to, conduct, request.headers as Came['headers'], body)
    const isFirst = came.filter((one) => one.to === to).length === 1
    if (isToDie(to) || (conduct === 'breaks' && isFirst)) return void request.socket.destroy()
    if (isRefused) return void response.writeHead(503, { 'retry-after': '1' }).end()
    response.writeHead(conduct === 'begins' ? 202 : 200, { 'content-type': 'application/json' }).end('{"done":true}')
  }

  // Half a request from a process that died in the middle of it is no request.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    temporal: temporal.address,
    came,
    killDuring: (point, child) => void (dies = { point, child }),
    async close() {
      server.closeAllConnections()
      await Promise.all([temporal.close(), new Promise((resolve) => server.close(resolve))])
    },
  }
}
