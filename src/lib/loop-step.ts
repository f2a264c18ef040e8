const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop that no other step has: of all that wait here one goes on in each turn, in the
 * order they came. Work that is cut into steps of a few milliseconds so leaves room for everybody, however many do it.
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

/** How much of a log is read, told and written in one step: a millisecond or two. */
export const STEP = { limit: 256, chars: 64_000 } as const
