import type { Frame } from '../../stream/index.ts'
import { sseFrame, type FrameOptions, type Place } from './native-frames.ts'

const PING_MS = 15_000

export interface SseOptions extends FrameOptions {
  readonly place: Place
  /** true when the stream is over after this frame */
  readonly ends: (frame: Frame) => boolean
}

/** Frames as they come. Nothing is read ahead of the client: a slow one makes its queue wait, nobody else. */
export function sseResponse(frames: AsyncIterable<Frame>, stop: AbortController, options: SseOptions): Response {
  const encoder = new TextEncoder()
  const reader = frames[Symbol.asyncIterator]()
  let ping: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      ping = setInterval(() => controller.enqueue(encoder.encode(': ping\n\n')), PING_MS)
    },
    async pull(controller) {
      const next = await reader.next()
      if (next.done) return finish(controller)
      controller.enqueue(encoder.encode(sseFrame(next.value, options.place, options)))
      if (options.ends(next.value)) return finish(controller)
    },
    cancel() {
      clearInterval(ping)
      stop.abort()
    },
  })

  function finish(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearInterval(ping)
    stop.abort()
    controller.close()
  }

  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
