/** How long is waited after one failure, two, … */
const WAITS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000]

let failures = 0
let due = Infinity
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Tries again later: when the server said, else after longer and longer waits. Several calls make one try, at the
 * earliest time.
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

/** The server answered: the next failure waits the shortest time again. */
export function settled(): void {
  failures = 0
}

const backoffMs = (): number => (WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0) * (0.8 + Math.random() * 0.4)
