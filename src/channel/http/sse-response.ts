import type { Frame } from '../../stream/index.ts'
import { sseFrame, type FrameOptions, type Place } from './native-frames.ts'

const PING_MS = 15_000

export interface SseOptions extends FrameOptions {
  readonly place: Place
  /** true when the stream is over after this frame */
  readonly ends: (frame: Frame) => boolean
}

/**
 * Frames as they come. Nothing is read ahead of the client: a slow one makes its queue wait, nobody else, and one that
 * never reads (a HEAD, a dropped response) starts nothing.
 */
export function sseResponse(frames: AsyncIterable<Frame>, stop: AbortController, options: SseOptions): Response {
  const encoder = new TextEncoder()
  const reader = frames[Symbol.asyncIterator]()
  let ping: NodeJS.Timeout | undefined

  function leave(): void {
    clearInterval(ping)
    stop.abort()
  }

  function startPings(controller: ReadableStreamDefaultController<Uint8Array>): void {
    ping = setInterval(() => {
      try {
        controller.enqueue(encoder.encode(': ping\n\n'))
      } catch {
        leave()
      }
    }, PING_MS)
    ping.unref()
  }

  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      if (!ping) startPings(controller)
      try {
        const next = await reader.next()
        if (!next.done) controller.enqueue(encoder.encode(sseFrame(next.value, options.place, options)))
        if (!next.done && !options.ends(next.value)) return
        leave()
        controller.close()
      } catch (error) {
        leave()
        throw error
      }
    },
    cancel: leave,
  }
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
