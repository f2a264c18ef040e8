/** A word and no error, which would hold on to everything around it. */
const DONE = 'done'

/** Resolves after a while, or as soon as the machine is online again or somebody looks. */
export function nextTry(waitMs: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const go = (): void => {
      clearTimeout(timer)
      done.abort(DONE)
      resolve()
    }
    const timer = setTimeout(go, waitMs * (0.8 + Math.random() * 0.4))
    addEventListener('online', go, { signal: done.signal })
    until.addEventListener('abort', go, { signal: done.signal })
  })
}

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

/** Does something once the page was hidden for so long. What it returns ends that. */
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
