import type { McpLimits } from './mcp.ts'

const MOST_DOUBLINGS = 2

/** How long a server that failed this often in a row is left alone; `isOpen`: longer, because that is too often. */
export function restAfter(
  failures: number,
  { restartMs, breakerMs, breakerFailures }: McpLimits,
): { isOpen: boolean; ms: number } {
  const isOpen = breakerFailures > 0 && failures >= breakerFailures
  const doublings = Math.min(Math.max(0, failures - 1), MOST_DOUBLINGS)
  return { isOpen, ms: isOpen ? breakerMs : restartMs * 2 ** doublings }
}
