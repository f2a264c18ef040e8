import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'
import type { WireStream } from '../../stream/index.ts'
import { ssePump, type Pump, type Sink, type SseOptions } from './sse-pump.ts'

/** A stream as a Response, pulled as fast as the client reads. */
export function sseResponse(batches: WireStream, options: SseOptions): Response {
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
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers: batches.dialect.headers })
}

/** Writes a stream directly to the connection, which is much cheaper for each frame. */
export function sseOutgoing(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  batches: WireStream,
  options: SseOptions,
): void {
  let drained = Promise.withResolvers<void>()
  outgoing.writeHead(200, { ...batches.dialect.headers, ...headers })
  // Headers and the first frames go out together, but headers do not wait for frames.
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

/** Tells the Node adapter of Hono that the response was sent. */
export function alreadySent(c: Context): Response {
  c.set('isSent', true)
  // Reading the body keeps the adapter from sending it: it checks the header only then.
  void RESPONSE_ALREADY_SENT.body
  return RESPONSE_ALREADY_SENT
}
