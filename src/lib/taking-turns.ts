import { abortable } from './abortable.ts'

/**
 * Does at most so much at once. Of what waits, everybody's first goes before anybody's second; whoever leaves before
 * their turn is not waited for.
 */
export function takingTurns(atOnce: number) {
  /** whose turn it is, in order, with what they wait for */
  const waiting = new Map<string, PromiseWithResolvers<void>[]>()
  let going = 0

  function next(): void {
    for (const [who, queue] of waiting) {
      waiting.delete(who)
      const first = queue.shift()
      // Whoever waits for more comes after everybody else.
      if (queue.length > 0) waiting.set(who, queue)
      if (!first) continue
      going += 1
      return first.resolve()
    }
  }

  /** False if the turn had come already. */
  function leave(who: string, turn: PromiseWithResolvers<void>): boolean {
    const queue = waiting.get(who) ?? []
    const left = queue.filter((one) => one !== turn)
    if (left.length > 0) waiting.set(who, left)
    else waiting.delete(who)
    return left.length < queue.length
  }

  function end(): void {
    going -= 1
    next()
  }

  async function comeTo(who: string, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>()
    waiting.set(who, [...(waiting.get(who) ?? []), turn])
    try {
      await abortable(turn.promise, signal)
    } catch (error) {
      if (!leave(who, turn)) end()
      throw error
    }
  }

  return async <T>(who: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    if (going < atOnce) going += 1
    else await comeTo(who, signal)
    try {
      return await work()
    } finally {
      end()
    }
  }
}
