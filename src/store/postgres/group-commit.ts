import { isStoreAway, Problem } from '../../contract/problem.ts'
import { isLockTimeout } from './postgres-problem.ts'

/** The most changes in one call, so that answers do not take long. */
const MOST_AT_ONCE = 50

export interface Groupable {
  readonly sessionId: string
  /** it must be sent in a call of its own */
  readonly isAlone: boolean
}

/** Sends a group with at most one change per session; it calls `onStuck` while the database cannot be reached. */
export type Send<Entry, Answer> = (group: readonly Entry[], onStuck: (why: unknown) => void) => Promise<Answer[]>

interface Waiting<Entry, Answer> {
  readonly entry: Entry
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * A session's changes always wait in the same lane, and a lane sends one group at a time: a single change at once, many
 * together, each session's in order.
 */
export function groupCommit<Entry extends Groupable, Answer>(lanes: number, send: Send<Entry, Answer>) {
  type One = Waiting<Entry, Answer>
  const all = Array.from({ length: lanes }, () => ({ waiting: [] as One[], isBusy: false }))
  let closed = false
  let onIdle: (() => void) | undefined

  /** Takes the next group: the first change of each session. */
  function next(lane: { waiting: One[] }): One[] {
    const group: One[] = []
    const left: One[] = []
    const sessions = new Set<string>()
    for (const one of lane.waiting) {
      const { sessionId, isAlone } = one.entry
      const fits = group.length === 0 || (!isAlone && !group[0]?.entry.isAlone && group.length < MOST_AT_ONCE)
      if (fits && !sessions.has(sessionId)) group.push(one)
      else left.push(one)
      sessions.add(sessionId)
    }
    lane.waiting = left
    return group
  }

  async function work(lane: { waiting: One[]; isBusy: boolean }): Promise<void> {
    const onStuck = (why: unknown): void => {
      for (const { reject } of lane.waiting.splice(0)) reject(why)
    }
    while (lane.waiting.length > 0) await answer(next(lane), onStuck)
    lane.isBusy = false
    if (all.every(({ isBusy }) => !isBusy)) onIdle?.()
  }

  /** Resolves with the error, if there was one. */
  async function answer(group: readonly One[], onStuck: (why: unknown) => void): Promise<unknown> {
    try {
      const answers = await send(
        group.map(({ entry }) => entry),
        onStuck,
      )
      group.forEach((one, i) => one.resolve(answers[i] as Answer))
      return undefined
    } catch (error) {
      // A change that cannot be written must not fail the others.
      if (group.length > 1 && (!isStoreAway(error) || isLockTimeout(error))) await answerEach(group, onStuck)
      else for (const { reject } of group) reject(error)
      return error
    }
  }

  /** Sends one by one; a second lock timeout means that the lock concerns all of them. */
  async function answerEach(group: readonly One[], onStuck: (why: unknown) => void): Promise<void> {
    let held = 0
    for (const [i, one] of group.entries()) {
      const error = await answer([one], onStuck)
      if (!isLockTimeout(error) || ++held < 2) continue
      for (const { reject } of group.slice(i + 1)) reject(error)
      return onStuck(error)
    }
  }

  return {
    run(entry: Entry): Promise<Answer> {
      if (closed) return Promise.reject(new Problem('SHUTTING_DOWN', 'Segno is closed; open it again to go on.'))
      const lane = all[laneOf(entry.sessionId, lanes)] as (typeof all)[number]
      return new Promise<Answer>((resolve, reject) => {
        lane.waiting.push({ entry, resolve, reject })
        if (lane.isBusy) return
        lane.isBusy = true
        // Changes of the same turn of the event loop are sent together.
        setImmediate(() => void work(lane))
      })
    },
    /** Accepts nothing more and waits until all changes are answered. */
    async close(): Promise<void> {
      closed = true
      if (all.some(({ isBusy }) => isBusy)) await new Promise<void>((resolve) => (onIdle = resolve))
    },
  }
}

function laneOf(sessionId: string, lanes: number): number {
  let hash = 0
  for (let i = 0; i < sessionId.length; i++) hash = (hash * 31 + sessionId.charCodeAt(i)) | 0
  return Math.abs(hash) % lanes
}
