import { delay } from '../lib/delay.ts'
import type { Span } from './make-spans.ts'

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  encode(spans: readonly Span[]): string
  readonly fetch: typeof globalThis.fetch
  readonly limits?: Partial<ExporterLimits>
}

const LIMITS = {
  /** spans per request; a full batch is sent at once */
  batch: 512,
  /** spans that may wait before the oldest are dropped */
  queue: 2048,
  /** the longest a span waits for others */
  delayMs: 5000,
  timeoutMs: 10_000,
  attempts: 5,
  /** before the second attempt; doubled before each further one */
  retryBaseMs: 1000,
  /** the longest wait before another attempt, even if the collector asks for more */
  retryMaxMs: 30_000,
  closeMs: 3000,
}

export type ExporterLimits = Readonly<typeof LIMITS>

/** Sends spans in batches, one request at a time; errors never reach the caller. */
export function createExporter({ url, headers, encode, fetch, limits }: ExporterOptions) {
  const { batch, queue: most, closeMs, delayMs, timeoutMs, ...retry } = { ...LIMITS, ...limits }
  const queue: Span[] = []
  /** ends waiting for another attempt */
  const stopWaiting = new AbortController()
  /** ends requests under way */
  const stopSending = new AbortController()
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let closing: Promise<void> | undefined

  function push(span: Span): void {
    if (closing) return void (lost += 1)
    if (queue.length >= most) {
      queue.shift()
      lost += 1
    }
    queue.push(span)
    schedule()
  }

  function schedule(): void {
    if (sending) return
    if (queue.length >= batch) start()
    else if (queue.length > 0) timer ??= setTimeout(start, delayMs).unref()
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    sending ??= send(queue.length).finally(() => {
      sending = undefined
      if (!closing) schedule()
    })
  }

  /** Spans that arrive meanwhile wait for the next request, so that there are few. */
  async function send(count: number): Promise<void> {
    for (let left = count; left > 0; left -= batch) await deliver(queue.splice(0, Math.min(left, batch)))
  }

  async function deliver(spans: readonly Span[]): Promise<void> {
    if (spans.length === 0) return
    for (let attempt = 1; ; attempt++) {
      const answer = await post(spans)
      if (answer.kind === 'accepted') return
      if (answer.kind === 'refused' || attempt >= retry.attempts || closing) return void (lost += spans.length)
      const waitMs = answer.waitMs ?? retry.retryBaseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
      await delay(Math.min(waitMs, retry.retryMaxMs), stopWaiting.signal)
    }
  }

  async function post(spans: readonly Span[]): Promise<Answer> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: encode(spans),
        // The headers are meant for this collector only.
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopSending.signal]),
      })
      // The body is not needed, and failing to cancel it changes nothing.
      response.body?.cancel().catch(() => {})
      if (response.ok) return { kind: 'accepted' }
      return RETRYABLE.has(response.status) ? { kind: 'busy', waitMs: retryAfter(response) } : { kind: 'refused' }
    } catch {
      return { kind: 'busy', waitMs: undefined }
    }
  }

  /** Sends what is queued once, and resolves even if the collector does not answer. */
  async function close(): Promise<void> {
    clearTimeout(timer)
    stopWaiting.abort()
    const deadline = setTimeout(() => stopSending.abort(), closeMs)
    await sending
    while (queue.length > 0 && !stopSending.signal.aborted) await send(queue.length)
    lost += queue.splice(0).length
    clearTimeout(deadline)
  }

  return {
    push,
    /** spans that were dropped, refused or given up */
    lost: (): number => lost,
    close: (): Promise<void> => (closing ??= close()),
  }
}

type Answer = { kind: 'accepted' } | { kind: 'refused' } | { kind: 'busy'; waitMs: number | undefined }

/** The statuses the protocol says to retry. */
const RETRYABLE = new Set([429, 502, 503, 504])

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
