const MOST_CHARS = 40
const DAY_MS = 24 * 60 * 60 * 1000

/** The header Retry-After in milliseconds, at most a day: seconds or a date. Undefined if it says nothing. */
export function retryAfterMs(said: string | null, now: number): number | undefined {
  if (said === null || said.length > MOST_CHARS) return undefined
  const ms = /^\d{1,9}$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY_MS)
}
