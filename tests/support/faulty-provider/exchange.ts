import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'
import type { Dict } from '../strict-provider/values.ts'
import { speaker, type Speaker } from './speaker.ts'
import type { Wire } from './wires.ts'

/** A request and the means to answer it, well or badly. */
export interface Exchange {
  readonly wire: Wire
  readonly say: Speaker
  readonly response: ServerResponse
  readonly socket: Socket
  /** aborted when the client has left */
  readonly gone: AbortSignal
  /** Sends status and headers. */
  open(headers?: Readonly<Record<string, string>>, status?: number): void
  /** Resolves when there is room for more, or nobody is left. */
  send(bytes: string | Uint8Array): Promise<void>
  /** The same past all HTTP. */
  sendRaw(bytes: string | Uint8Array): Promise<void>
  wait(ms: number): Promise<void>
  /** Holds the connection and says nothing more. */
  stall(): Promise<void>
}

/** What a provider does with a request. */
export type Play = (exchange: Exchange) => void | Promise<void>

export function exchange(wire: Wire, body: Dict, id: string, response: ServerResponse): Exchange {
  const leaving = new AbortController()
  const socket = response.socket as Socket
  response.on('close', () => leaving.abort())
  response.on('error', () => {})
  const gone = leaving.signal
  const roomIn = async (stream: Socket | ServerResponse, hasRoom: boolean): Promise<void> => {
    if (!hasRoom && !gone.aborted) await once(stream, 'drain', { signal: gone }).catch(() => {})
  }
  return {
    wire,
    say: speaker(wire, body, id),
    response,
    socket,
    gone,
    open(headers = {}, status = 200) {
      response.writeHead(status, { 'content-type': wire.contentType, ...headers })
      response.flushHeaders()
    },
    send: async (bytes) => roomIn(response, response.write(bytes)),
    sendRaw: async (bytes) => roomIn(socket, socket.write(bytes)),
    wait: async (ms) => later(ms, undefined, { signal: gone }).catch(() => {}),
    stall: async () => {
      if (!gone.aborted) await once(gone, 'abort')
    },
  }
}
