import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'
import type { Wire } from '../../stream/index.ts'
import { ssePump, type Pump, type Sink, type SseOptions } from './sse-pump.ts'

const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

/** A stream as a response: something else writes it to a client, as fast as that one reads. */
export function sseResponse(batches: AsyncIterable<Wire[]>, options: SseOptions): Response {
  const encoder = new TextEncoder()
  let pump: Pump | undefined
  let isRead = false
  let pulled = Promise.withResolvers<void>()

  function sinkOf(controller: ReadableStreamDefaultController<Uint8Array>): Sink {
    return {
      write(text) {
        controller.enqueue(encoder.encode(text))
        return false
      },
      ready: () => pulled.promise,
      end: () => controller.close(),
      break: () => controller.error(new Error('the client does not read')),
    }
  }

  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      pump = ssePump(batches, sinkOf(controller), options)
    },
    pull() {
      if (!isRead) void pump?.run()
      isRead = true
      pulled.resolve()
      pulled = Promise.withResolvers()
    },
    cancel: () => pump?.leave(),
  }
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers: SSE_HEADERS })
}

/** A stream straight to the connection of a Node server, where there is one: much cheaper for each frame. */
export function sseOutgoing(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  batches: AsyncIterable<Wire[]>,
  options: SseOptions,
): void {
  let drained = Promise.withResolvers<void>()
  outgoing.writeHead(200, { ...SSE_HEADERS, ...headers })
  // What is there already goes out together with the headers; if there is nothing, they do not wait for it.
  const opening = setImmediate(() => outgoing.flushHeaders())
  const pump = ssePump(
    batches,
    {
      write: (text) => outgoing.write(text),
      ready: () => drained.promise,
      end: () => void outgoing.end(),
      break: () => void outgoing.destroy(),
    },
    options,
  )
  outgoing.on('drain', () => {
    drained.resolve()
    drained = Promise.withResolvers()
  })
  outgoing.on('close', () => {
    clearImmediate(opening)
    pump.leave()
    drained.resolve()
  })
  outgoing.on('error', () => pump.leave())
  void pump.run()
}

/** Tells the adapter of Hono for Node that the answer has been taken care of. */
export function alreadySent(c: Context): Response {
  c.set('isSent', true)
  // Made after that adapter replaced the global Response, it would be sent without a look at its headers until its body is read.
  void RESPONSE_ALREADY_SENT.body
  return RESPONSE_ALREADY_SENT
}
