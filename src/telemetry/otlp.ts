import { later } from '../lib/later.ts'
import type { Span } from './make-spans.ts'

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  encode(spans: readonly Span[]): string
  readonly fetch: typeof globalThis.fetch
  readonly limits?: Partial<ExporterLimits>
}

export interface ExporterLimits {
  /** spans in one request; as many make it go out at once */
  readonly batch: number
  /** spans that may wait; then the oldest are lost */
  readonly queue: number
  /** the longest a span waits for others */
  readonly delayMs: number
  /** of one request */
  readonly timeoutMs: number
  readonly attempts: number
  /** before the second attempt; doubled before each further one */
  readonly retryBaseMs: number
  /** the longest wait before another attempt, also if the collector asks for more */
  readonly retryMaxMs: number
  /** how long closing may take */
  readonly closeMs: number
}

const STANDARD: ExporterLimits = {
  batch: 512,
  queue: 2048,
  delayMs: 5000,
  timeoutMs: 10_000,
  attempts: 5,
  retryBaseMs: 1000,
  retryMaxMs: 30_000,
  closeMs: 3000,
}

/** Sends spans in batches, one request at a time. Nothing that goes wrong here reaches whoever pushes. */
export function createExporter({ url, headers, encode, fetch, limits }: ExporterOptions) {
  const { batch, queue: most, closeMs, delayMs, timeoutMs, ...retry } = { ...STANDARD, ...limits }
  const queue: Span[] = []
  /** ends waiting for another attempt */
  const hurry = new AbortController()
  /** ends requests under way */
  const abandon = new AbortController()
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
    arrange()
  }

  function arrange(): void {
    if (sending) return
    if (queue.length >= batch) start()
    else if (queue.length > 0) timer ??= setTimeout(start, delayMs).unref()
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    sending ??= send(queue.length).finally(() => {
      sending = undefined
      if (!closing) arrange()
    })
  }

  /** What comes meanwhile waits for its own time, so that requests stay few. */
  async function send(count: number): Promise<void> {
    for (let left = count; left > 0; left -= batch) await deliver(queue.splice(0, Math.min(left, batch)))
  }

  async function deliver(spans: readonly Span[]): Promise<void> {
    if (spans.length === 0) return
    for (let attempt = 1; ; attempt++) {
      const answer = await post(spans)
      if (answer.kind === 'taken') return
      if (answer.kind === 'refused' || attempt >= retry.attempts || closing) return void (lost += spans.length)
      const waitMs = answer.waitMs ?? retry.retryBaseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
      await later(Math.min(waitMs, retry.retryMaxMs), hurry.signal)
    }
  }

  async function post(spans: readonly Span[]): Promise<Answer> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: encode(spans),
        // The headers are for this collector and no other.
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), abandon.signal]),
      })
      // What it says is of no use; whether the rest of it comes does not change what was answered.
      response.body?.cancel().catch(() => {})
      if (response.ok) return { kind: 'taken' }
      return RETRYABLE.has(response.status) ? { kind: 'busy', waitMs: retryAfter(response) } : { kind: 'refused' }
    } catch {
      return { kind: 'busy', waitMs: undefined }
    }
  }

  /** Sends what waits, once. Resolves also when the collector does not answer. */
  async function close(): Promise<void> {
    clearTimeout(timer)
    hurry.abort()
    const deadline = setTimeout(() => abandon.abort(), closeMs)
    await sending
    while (queue.length > 0 && !abandon.signal.aborted) await send(queue.length)
    lost += queue.splice(0).length
    clearTimeout(deadline)
  }

  return {
    push,
    /** spans that did not arrive: pushed out of the queue, refused, or given up */
    lost: (): number => lost,
    close: (): Promise<void> => (closing ??= close()),
  }
}

type Answer = { kind: 'taken' } | { kind: 'refused' } | { kind: 'busy'; waitMs: number | undefined }

/** The protocol names these; every other failure would only fail again. */
const RETRYABLE = new Set([429, 502, 503, 504])

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
