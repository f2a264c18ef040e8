import { later } from '../../lib/later.ts'
import type { Wire } from '../../stream/index.ts'
import { problemOf } from './problems.ts'

const PING_MS = 15_000
const SLOW_MS = 10_000
/** A response nobody begins to read (a HEAD, a client that is gone) is let go after this. */
const UNREAD_MS = 60_000

export interface SseOptions {
  /** aborted when the response is over, however it ends; aborting it ends the response */
  readonly stop: AbortController
  /** wait this long between two writes */
  readonly paceMs?: number
  /** true when the stream is over with this */
  readonly ends?: (wire: Wire) => boolean
  /** called once, however the response ends */
  readonly onClose?: () => void
  /** aborted when the reader was dropped; then it has `slowMs` to read on before its connection is broken off */
  readonly dropped?: AbortSignal
  readonly slowMs?: number
}

type Controller = ReadableStreamDefaultController<Uint8Array>

/**
 * Batches as they come, each in one write. Nothing is read ahead of the client: a slow one makes its queue wait, nobody
 * else, and one that never reads starts nothing.
 */
export function sseResponse(batches: AsyncIterable<Wire[]>, options: SseOptions): Response {
  const { stop, dropped, paceMs = 0, slowMs = SLOW_MS, ends = () => false, onClose } = options
  const encoder = new TextEncoder()
  const reader = batches[Symbol.asyncIterator]()
  let ping: NodeJS.Timeout | undefined
  let patience: NodeJS.Timeout | undefined
  let isReading = false
  let isOver = false
  let lastWrite = -Infinity

  function leave(): void {
    if (isOver) return
    isOver = true
    clearInterval(ping)
    clearTimeout(patience)
    stop.abort()
    // What was being read ends with the signal; what was not must be told.
    Promise.try(() => reader.return?.()).catch(() => {})
    onClose?.()
  }

  function finish(controller: Controller): void {
    const isOpen = !isOver
    leave()
    if (isOpen) controller.close()
  }

  function waitForReader(controller: Controller, ms: number): void {
    if (isOver || isReading) return
    clearTimeout(patience)
    patience = setTimeout(() => {
      leave()
      controller.error(new Error('the client does not read'))
    }, ms)
    patience.unref()
  }

  function startPings(controller: Controller): void {
    ping = setInterval(() => {
      // A client that does not read, or has not taken the last one, needs no other.
      if (isReading && controller.desiredSize === 0) controller.enqueue(encoder.encode(': ping\n\n'))
    }, PING_MS)
    ping.unref()
  }

  /** The next batch that says something; undefined at the end. */
  async function next(): Promise<{ text: string; isLast: boolean } | undefined> {
    await later(lastWrite + paceMs - performance.now(), stop.signal)
    for (;;) {
      const batch = await reader.next()
      if (batch.done) return undefined
      const at = batch.value.findIndex(ends)
      const wires = at < 0 ? batch.value : batch.value.slice(0, at + 1)
      if (wires.length > 0) return { text: wires.map(sseText).join(''), isLast: at >= 0 }
    }
  }

  async function pull(controller: Controller): Promise<void> {
    isReading = true
    clearTimeout(patience)
    if (!ping) startPings(controller)
    const batch = await next().catch((error: unknown) => ({
      text: sseText({ event: 'error', data: problemOf(error) }),
      isLast: true,
    }))
    isReading = false
    if (isOver) return
    if (batch) controller.enqueue(encoder.encode(batch.text))
    lastWrite = performance.now()
    if (!batch || batch.isLast) finish(controller)
    else if (dropped?.aborted) waitForReader(controller, slowMs)
  }

  const source = {
    start(controller: Controller) {
      waitForReader(controller, UNREAD_MS)
      dropped?.addEventListener('abort', () => waitForReader(controller, slowMs), { once: true })
      stop.signal.addEventListener('abort', () => finish(controller), { once: true })
    },
    pull,
    cancel: leave,
  }
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

function sseText({ id, event, data }: Wire): string {
  const json = typeof data === 'string' ? data : JSON.stringify(data)
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`
}
