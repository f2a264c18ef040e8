import type { IncomingMessage, ServerResponse } from 'node:http'
import { listening } from './http.ts'
import { taskServer, type Message, type Way } from './task-server.ts'

export interface TasksOverHttp {
  readonly url: string
  /** Answers as if it had been restarted: the connection begins anew, the tasks are there. */
  restart(): void
  isAway: boolean
  /** Refuses the next request of this method, as a proxy in front of it may. */
  refuseOnce(method: string, status: number): void
}

interface Options {
  readonly ways?: readonly Way[]
  /** Called when a request was carried out, before it is answered; true: it never is. */
  onDone?(method: string): boolean
}

/** The task server over HTTP, in this process: it lives on when Segno does not. */
export async function tasksOverHttp(folder: string, { ways = [], onDone }: Options = {}): Promise<TasksOverHttp> {
  const answer = taskServer(folder, ways)
  let session = 1
  const refusals = new Map<string, number>()
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    if (it.isAway) return void response.writeHead(503).end()
    const message = JSON.parse(Buffer.concat(pieces).toString()) as Message
    const isOurs = message.id === undefined || message.method === 'initialize'
    const refusal = refusals.get(message.method ?? '')
    refusals.delete(message.method ?? '')
    if (refusal !== undefined) return void response.writeHead(refusal).end()
    if (!isOurs && request.headers['mcp-session-id'] !== `s${session}`) return void response.writeHead(404).end()
    const reply = answer(message)
    if (onDone?.(message.method ?? '')) return
    if (!reply) return void response.writeHead(202).end()
    const headers = { 'content-type': 'application/json', 'mcp-session-id': `s${session}` }
    return void response.writeHead(200, headers).end(JSON.stringify(reply))
  }
  const { url } = await listening((request, response) => void serve(request, response))
  const it: TasksOverHttp = {
    url,
    restart: () => void (session += 1),
    isAway: false,
    refuseOnce: (method, status) => void refusals.set(method, status),
  }
  return it
}
