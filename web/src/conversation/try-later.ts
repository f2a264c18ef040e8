/** How long is waited after one failure, two, … */
const WAITS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000]

let failures = 0
let due = Infinity
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Tries again later: after what the server said, else after longer and longer times. However many ask for it, it is one
 * try, at the earliest of these times.
 */
export function tryLater(again: () => void, waitMs = backoffMs()): void {
  const at = Date.now() + waitMs
  if (at >= due) return
  clearTimeout(timer)
  due = at
  timer = setTimeout(() => {
    due = Infinity
    failures += 1
    again()
  }, waitMs)
}

/** The server is there. */
export function settled(): void {
  failures = 0
}

const backoffMs = (): number => (WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0) * (0.8 + Math.random() * 0.4)
