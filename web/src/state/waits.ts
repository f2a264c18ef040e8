/** A string as the reason: an error would keep its stack, and all it holds, in memory. */
const DONE = 'done'

/** Resolves when the page is visible. */
export function seen(until: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const done = new AbortController()
    const go = (): void => {
      done.abort(DONE)
      resolve()
    }
    document.addEventListener('visibilitychange', go, { signal: done.signal })
    until.addEventListener('abort', go, { signal: done.signal })
  })
}

/** Does something once the page was hidden for this long; returns how to cancel it. */
export function whenUnseen(ms: number, act: () => void): () => void {
  const done = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(act, ms)
  }
  document.addEventListener('visibilitychange', look, { signal: done.signal })
  look()
  return () => {
    clearTimeout(timer)
    done.abort(DONE)
  }
}
