import { later } from '../../lib/later.ts'
import { jsonOf, type Wire } from '../../stream/index.ts'
import { problemOf } from './problems.ts'

const PING_MS = 15_000
const SLOW_MS = 10_000
const STUCK_MS = 60_000

/** Where frames go: a connection, or a response somebody else writes to one. */
export interface Sink {
  /** False: the client has not taken it yet; nothing more is written before it has. */
  write(text: string): boolean
  /** Resolves when the client is ready for more. */
  ready(): Promise<void>
  end(): void
  /** Breaks the connection off. */
  break(): void
}

export interface SseOptions {
  /** aborted when the stream is over, however it ends; aborting it ends the stream */
  readonly stop: AbortController
  /** wait this long between two writes */
  readonly paceMs?: number
  /** called once, however the stream ends; `isWhole`: it was told to its end */
  readonly onClose?: (isWhole: boolean) => void
  /** aborted when the reader was dropped; then it has `slowMs` to read on before its connection is broken off */
  readonly dropped?: AbortSignal
  readonly slowMs?: number
}

export type Pump = ReturnType<typeof ssePump>

/**
 * Batches as they come, each in one write. Nothing is read ahead of the client: a slow one makes its queue wait, nobody
 * else, and one that stops reading altogether is let go.
 */
export function ssePump(batches: AsyncIterable<Wire[]>, sink: Sink, options: SseOptions) {
  const { stop, dropped, paceMs = 0, slowMs = SLOW_MS, onClose } = options
  const reader = batches[Symbol.asyncIterator]()
  let patience: NodeJS.Timeout | undefined
  /** since when the client is being waited for */
  let waitingSince: number | undefined = performance.now()
  /** resolves when the client has taken what was written last; undefined if it has */
  let isReady: Promise<void> | undefined
  let isOver = false
  let isWhole = false
  let lastWrite = -Infinity

  let isPingTaken = true
  const ping = setInterval(() => {
    if (waitingSince !== undefined && performance.now() - waitingSince >= STUCK_MS) giveUp()
    // A client that has not taken the last one needs no other.
    else if (waitingSince === undefined && isPingTaken) sendPing()
  }, PING_MS)
  ping.unref()

  function sendPing(): void {
    isPingTaken = sink.write(': ping\n\n')
    if (isPingTaken) return
    sink.ready().then(
      () => (isPingTaken = true),
      () => {},
    )
  }

  /** The client went away. */
  function leave(): void {
    if (isOver) return
    isOver = true
    clearInterval(ping)
    clearTimeout(patience)
    stop.abort(OVER)
    // What was being read ends with the signal; what was not must be told.
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

  /** Reads and writes the next batch; false if there is none. It keeps nothing of it: a client may take long. */
  async function step(): Promise<boolean> {
    const read: IteratorResult<Wire[], unknown> = await reader.next()
    if (isOver || read.done) return false
    if (read.value.length === 0) return true
    lastWrite = performance.now()
    // Asked at once: the client may be ready before anybody waits for it.
    isReady = sink.write(sseText(read.value)) ? undefined : sink.ready()
    return true
  }

  async function wait(): Promise<void> {
    waitingSince = lastWrite
    if (dropped?.aborted) onDropped()
    await isReady
    isReady = undefined
    waitingSince = undefined
    clearTimeout(patience)
  }

  /** Reads and writes until there is no more. Never rejects. */
  async function run(): Promise<void> {
    waitingSince = undefined
    clearTimeout(patience)
    try {
      for (;;) {
        if (paceMs > 0) await later(lastWrite + paceMs - performance.now(), stop.signal)
        // A model that says much at once is let speak: then it is one frame.
        else await tick()
        const isMore = await step()
        if (isReady) await wait()
        if (isOver) return
        if (!isMore) break
      }
      isWhole = true
    } catch (error) {
      if (isOver) return
      sink.write(sseText([{ event: 'error', data: problemOf(error) }]))
    }
    finish()
  }

  dropped?.addEventListener('abort', onDropped, { once: true })
  stop.signal.addEventListener('abort', finish, { once: true })
  return { run, leave }
}

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** One object for all: making an error for each stream that ends is not free. */
const OVER = new DOMException('the stream is over', 'AbortError')

function sseText(wires: readonly Wire[]): string {
  let text = ''
  for (const { id, event, data } of wires) {
    if (id !== undefined) text += `id: ${id}\n`
    text += `event: ${event}\ndata: ${jsonOf(data)}\n\n`
  }
  return text
}
