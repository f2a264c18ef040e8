import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Change, Store } from '../../../src/store/index.ts'

/** What is durable, and in what order things happened: of two moments the earlier one has the smaller number. */
interface Durable {
  /** when event `seq` of a session was on disk */
  event(sessionId: string, seq: number): number
  /** when the message of a round was, as an input or in the log */
  message(requestId: string): number
  /** the number of this moment */
  now(): number
}

export interface LateStore {
  readonly durable: Durable
  wrap(open: () => Store): Store
}

/**
 * A store in which everything takes `ms` longer than it was asked for. With `tellsEarly` it has the bug that must be
 * caught: whoever subscribes hears of a commit before it is made.
 */
export function lateStore(ms: number, tellsEarly = false): LateStore {
  let moment = 0
  const events = new Map<string, number>()
  const messages = new Map<string, number>()

  function wrap(open: () => Store): Store {
    const store = open()
    const listeners = new Set<Parameters<Store['subscribe']>[0]>()
    const tell = (sessionId: string, stored: readonly StoredEvent[]): void => {
      for (const listener of listeners) listener(sessionId, stored)
    }
    if (!tellsEarly) store.subscribe(tell)
    return {
      ...store,
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      async commit(change) {
        if (tellsEarly) tell(change.sessionId, asIfStored(change))
        await sleep(ms)
        const result = await store.commit(change)
        if (result.kind === 'committed')
          for (const { sessionId, seq, type, requestId } of result.events) {
            events.set(`${sessionId} ${seq}`, ++moment)
            if (type === 'round.started' && !messages.has(requestId ?? '')) messages.set(requestId ?? '', ++moment)
          }
        return result
      },
      async putInput(input, ...more) {
        await sleep(ms)
        const result = await store.putInput(input, ...more)
        if (input.body.kind === 'message') messages.set(input.body.requestId, ++moment)
        return result
      },
    }
  }

  return {
    wrap,
    durable: {
      event: (sessionId, seq) => events.get(`${sessionId} ${seq}`) ?? Infinity,
      message: (requestId) => messages.get(requestId) ?? Infinity,
      now: () => ++moment,
    },
  }
}

const asIfStored = ({ sessionId, expected, events }: Change): StoredEvent[] =>
  events.map((event, at) => ({ ...event, sessionId, seq: expected + 1 + at }))
