import { delay } from '../../lib/delay.ts'
import type { Wire, WireStream } from '../../stream/index.ts'
import { problemOf } from './problems.ts'

const PING_MS = 15_000
const SLOW_MS = 10_000
const STUCK_MS = 60_000

/** Where frames go: a connection or a Response. */
export interface Sink {
  /** False: wait for `ready` before the next write. */
  write(text: string): boolean
  ready(): Promise<void>
  end(): void
  break(): void
}

export interface SseOptions {
  /** aborted when the stream is over; aborting it ends the stream */
  readonly stop: AbortController
  /** called once; `isWhole`: the stream came to its end */
  readonly onClose?: (isWhole: boolean) => void
  /** how long a dropped reader may stall before its connection is closed */
  readonly slowMs?: number
}

export type Pump = ReturnType<typeof ssePump>

/** Writes each batch when the client is ready for it, and gives up on a client that stops reading. */
export function ssePump(batches: WireStream, sink: Sink, options: SseOptions) {
  const { stop, slowMs = SLOW_MS, onClose } = options
  const { dropped, dialect } = batches
  const reader = batches[Symbol.asyncIterator]()
  let patience: NodeJS.Timeout | undefined
  /** since when we wait for the client */
  let waitingSince: number | undefined = performance.now()
  /** resolves when the client is ready for more; undefined if it is */
  let isReady: Promise<void> | undefined
  let isOver = false
  let isWhole = false
  let lastWrite = -Infinity

  let isPingTaken = true
  const ping = setInterval(() => {
    if (waitingSince !== undefined && performance.now() - waitingSince >= STUCK_MS) giveUp()
    else if (waitingSince === undefined && isPingTaken) sendPing()
  }, PING_MS)
  ping.unref()

  function sendPing(): void {
    isPingTaken = sink.write(dialect.ping)
    if (isPingTaken) return
    sink.ready().then(
      () => (isPingTaken = true),
      () => {},
    )
  }

  /** Ends everything but the connection. */
  function leave(): void {
    if (isOver) return
    isOver = true
    clearInterval(ping)
    clearTimeout(patience)
    stop.abort(OVER)
    // A pending read ends with the signal; otherwise the iterator must be closed.
    Promise.try(() => reader.return?.()).catch(() => {})
    onClose?.(isWhole)
  }

  function finish(): void {
    const isOpen = !isOver
    leave()
    if (isOpen) sink.end()
  }

  function giveUp(): void {
    if (isOver) return
    leave()
    sink.break()
  }

  function onDropped(): void {
    if (isOver || waitingSince === undefined) return
    clearTimeout(patience)
    patience = setTimeout(giveUp, slowMs)
    patience.unref()
  }

  /** Writes the next batch; false if there is none. It holds no reference to it, because a client may take long. */
  async function step(): Promise<boolean> {
    const read: IteratorResult<Wire[], unknown> = await reader.next()
    if (isOver || read.done) return false
    if (read.value.length === 0) return true
    lastWrite = performance.now()
    // Now, because the client may be ready before we wait.
    isReady = sink.write(dialect.text(read.value)) ? undefined : sink.ready()
    return true
  }

  async function wait(): Promise<void> {
    waitingSince = lastWrite
    if (dropped.aborted) onDropped()
    await isReady
    isReady = undefined
    waitingSince = undefined
    clearTimeout(patience)
  }

  /** Never rejects. */
  async function run(): Promise<void> {
    waitingSince = undefined
    clearTimeout(patience)
    try {
      for (;;) {
        if (dialect.paceMs > 0) await delay(lastWrite + dialect.paceMs - performance.now(), stop.signal)
        // Everything that arrives in this tick becomes one write.
        else await tick()
        const isMore = await step()
        if (isReady) await wait()
        if (isOver) return
        if (!isMore) break
      }
      isWhole = true
    } catch (error) {
      if (isOver) return
      const { code, detail } = problemOf(error)
      sink.write(dialect.text([batches.error({ code, message: detail })]))
    }
    finish()
  }

  dropped.addEventListener('abort', onDropped, { once: true })
  stop.signal.addEventListener('abort', finish, { once: true })
  return { run, leave }
}

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** Shared, because creating an error for each stream is expensive. */
const OVER = new DOMException('the stream is over', 'AbortError')
