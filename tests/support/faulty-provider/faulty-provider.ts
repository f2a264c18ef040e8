import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textIn } from 'node:stream/consumers'
import { setTimeout as later } from 'node:timers/promises'
import type { Dict } from '../strict-provider/values.ts'
import { exchange, type Exchange, type Play } from './exchange.ts'
import { WIRE_NAMES, WIRES, wireSettings } from './wires.ts'

/** What is done with the requests of one conversation, told by their number from 1. */
export type Plan = (attempt: number, exchange: Exchange) => Play

/** One conversation as the provider sees it. */
export interface Visit {
  /** requests so far */
  readonly requests: number
  /** True as soon as no answer is under way, false if that takes longer. */
  settled(withinMs: number): Promise<boolean>
}

export interface FaultyProvider {
  readonly env: Readonly<Record<string, string>>
  /** Plays a plan to the conversation that has this mark. */
  visit(mark: string, plan: Plan): Visit
  /** Answers no more: connections are refused until it is opened again. */
  shut(): Promise<void>
  reopen(): Promise<void>
}

const MARK = /\[\[\w+-\d+\]\]/

/** A server on this machine that stands for every provider and behaves as badly as it is told. */
export async function startFaultyProvider(): Promise<FaultyProvider> {
  const visits = new Map<string, { plan: Plan; requests: number; open: number; settled: (() => void)[] }>()
  let requests = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1
    const wire = WIRE_NAMES.map((name) => WIRES[name]).find(({ path }) => path.test(request.url ?? ''))
    const text = await textIn(request)
    const visit = visits.get(MARK.exec(text)?.[0] ?? '')
    if (!wire || !visit) return void response.writeHead(404).end()
    visit.requests += 1
    visit.open += 1
    response.on('close', () => {
      visit.open -= 1
      if (visit.open === 0) for (const tell of visit.settled.splice(0)) tell()
    })
    const asked = exchange(wire, JSON.parse(text) as Dict, String(requests), response)
    await visit.plan(visit.requests, asked)(asked)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    env: wireSettings(`http://127.0.0.1:${port}`),
    visit(mark, plan) {
      const visit = { plan, requests: 0, open: 0, settled: [] as (() => void)[] }
      visits.set(mark, visit)
      return {
        get requests() {
          return visit.requests
        },
        async settled(withinMs) {
          if (visit.open === 0) return true
          const closed = new Promise<true>((resolve) => visit.settled.push(() => resolve(true)))
          return Promise.race([closed, later(withinMs, false, { ref: false })])
        },
      }
    },
    async shut() {
      const closed = new Promise((resolve) => void server.close(resolve))
      server.closeAllConnections()
      await closed
    },
    reopen: () => listen(port),
  }
}
