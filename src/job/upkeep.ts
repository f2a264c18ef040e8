import { Problem } from '../contract/problem.ts'
import type { CheckReport, Compacted, UpkeepOptions, UpkeepProgress, UpkeepStore } from '../store/index.ts'

/** Long work on the database as a whole, with a view of how far it is and a way to stop it. */
export interface Upkeep {
  /** Who asks while it is checked hears what the others hear; it goes on for as long as somebody is left. */
  check(signal?: AbortSignal): Promise<CheckReport>
  /** The same for giving back room. What was given back when it is stopped stays given back. */
  compact(signal?: AbortSignal): Promise<Compacted>
  /** What goes on now. */
  work(): WorkView | undefined
  /** False if nothing goes on. */
  stopWork(): boolean
}

export interface WorkView extends UpkeepProgress {
  readonly what: 'check' | 'compact'
  readonly startedAt: number
}

/** `rewriteUpTo`: how large an old file may be that is written anew by `compact`; `checkIt`: more than the store knows of */
export function createUpkeep<S extends UpkeepStore>(
  store: S,
  now: () => number,
  rewriteUpTo: number,
  checkIt = (one: S, options: UpkeepOptions) => one.check(options),
): Upkeep {
  const check = together('check', (options) => checkIt(store, options), now)
  const compact = together('compact', (options) => store.compact({ ...options, rewriteUpTo }), now)
  return {
    check: check.join,
    compact: compact.join,
    work: () => check.view() ?? compact.view(),
    stopWork: () => [check.stop(), compact.stop()].includes(true),
  }
}

interface Going<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  readonly startedAt: number
  progress(): UpkeepProgress
  waiting: number
}

/** Work that is done once for all who ask while it goes on. */
function together<T>(what: WorkView['what'], work: (options: UpkeepOptions) => Promise<T>, now: () => number) {
  let going: Going<T> | undefined

  function start(): Going<T> {
    const stop = new AbortController()
    let progress: UpkeepProgress = { doing: 'waiting', done: 0, total: 0 }
    const onProgress = (told: UpkeepProgress): void => void (progress = told)
    const one: Going<T> = {
      stop,
      startedAt: now(),
      waiting: 0,
      progress: () => progress,
      result: work({ signal: stop.signal, onProgress }).finally(() => {
        if (going === one) going = undefined
      }),
    }
    // Whoever asked may have left before it ends.
    one.result.catch(() => {})
    return one
  }

  function end(one: Going<T>, why: string): void {
    if (going === one) going = undefined
    one.stop.abort(new Problem('CONFLICT', why))
  }

  return {
    async join(signal?: AbortSignal): Promise<T> {
      const one = (going ??= start())
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
    view: (): WorkView | undefined => going && { what, startedAt: going.startedAt, ...going.progress() },
    stop(): boolean {
      if (!going) return false
      end(going, 'Somebody stopped it. Ask again to begin anew.')
      return true
    },
  }
}
