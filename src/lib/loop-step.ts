const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop of its own, in order, so that work cut into small steps leaves room for others.
 */
export function loopStep(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}

/** How much of a log is handled in one step: a millisecond or two. */
export const STEP = { limit: 256, chars: 64_000 } as const
