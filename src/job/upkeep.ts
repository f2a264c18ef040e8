import { Problem } from '../contract/problem.ts'
import type { CheckReport, Compacted, UpkeepOptions, UpkeepProgress, UpkeepStore } from '../store/index.ts'

/** Long work on the whole database, with progress and a way to stop it. */
export interface Upkeep {
  /** Callers share a running check, which is aborted when the last of them leaves. */
  check(signal?: AbortSignal): Promise<CheckReport>
  /** Like `check`; space that was freed before a stop stays freed. */
  compact(signal?: AbortSignal): Promise<Compacted>
  /** What is running now. */
  work(): WorkView | undefined
  /** False if nothing is running. */
  stopWork(): boolean
}

export interface WorkView extends UpkeepProgress {
  readonly what: 'check' | 'compact'
  readonly startedAt: number
}

/** `rewriteUpTo`: the largest old file that `compact` may rewrite; `checkIt` may check more than the store does */
export function createUpkeep<S extends UpkeepStore>(
  store: S,
  now: () => number,
  rewriteUpTo: number,
  checkIt = (one: S, options: UpkeepOptions) => one.check(options),
): Upkeep {
  const check = shared('check', (options) => checkIt(store, options), now)
  const compact = shared('compact', (options) => store.compact({ ...options, rewriteUpTo }), now)
  return {
    check: check.join,
    compact: compact.join,
    work: () => check.view() ?? compact.view(),
    stopWork: () => [check.stop(), compact.stop()].includes(true),
  }
}

interface Running<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  readonly startedAt: number
  progress(): UpkeepProgress
  waiting: number
}

/** Work that is done once for everybody who asks while it is running. */
function shared<T>(what: WorkView['what'], work: (options: UpkeepOptions) => Promise<T>, now: () => number) {
  let running: Running<T> | undefined

  function start(): Running<T> {
    const stop = new AbortController()
    let progress: UpkeepProgress = { doing: 'waiting', done: 0, total: 0 }
    const onProgress = (next: UpkeepProgress): void => void (progress = next)
    const one: Running<T> = {
      stop,
      startedAt: now(),
      waiting: 0,
      progress: () => progress,
      result: work({ signal: stop.signal, onProgress }).finally(() => {
        if (running === one) running = undefined
      }),
    }
    // Every caller may have left before it ends.
    one.result.catch(() => {})
    return one
  }

  function end(one: Running<T>, why: string): void {
    if (running === one) running = undefined
    one.stop.abort(new Problem('CONFLICT', why))
  }

  return {
    async join(signal?: AbortSignal): Promise<T> {
      const one = (running ??= start())
      one.waiting += 1
      const leave = (): void => {
        one.waiting -= 1
        if (one.waiting === 0) end(one, 'Nobody waits for it any more.')
      }
      if (signal?.aborted) leave()
      signal?.addEventListener('abort', leave, { once: true })
      try {
        return await one.result
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },
    view: (): WorkView | undefined => running && { what, startedAt: running.startedAt, ...running.progress() },
    stop(): boolean {
      if (!running) return false
      end(running, 'Somebody stopped it. Ask again to begin anew.')
      return true
    },
  }
}
