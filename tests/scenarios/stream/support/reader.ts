import { setTimeout } from 'node:timers/promises'
import { LOCAL_OWNER } from '../../../../src/contract/actor.ts'
import { parseCursor, type Dialect, type Wire } from '../../../../src/stream/index.ts'
import type { SegnoUnderTest } from '../../../support/segno-under-test.ts'

export interface Seen {
  readonly id?: string
  readonly event: string
  readonly data: Record<string, any>
}

export interface Reading {
  readonly dialect: Dialect
  readonly requestId?: string
}

/** When a client loses its connection: after so many frames or so many milliseconds, whatever comes first. */
export interface Patience {
  readonly frames: number
  readonly ms: number
}

/** One connection, until the stream ends or the patience does. `true`: it ended by itself. */
export async function connect(
  u: SegnoUnderTest,
  reading: Reading,
  seen: Seen[],
  lastId?: string,
  patience: Patience = { frames: Infinity, ms: Infinity },
): Promise<boolean> {
  const stop = new AbortController()
  const cursor = lastId === undefined ? undefined : parseCursor(lastId)
  const where = { sessionId: u.sessionId, projectId: 'p', outputs: false }
  const batches = u.segno.stream(LOCAL_OWNER, {
    ...reading,
    ...where,
    ...(cursor && { cursor }),
    signal: stop.signal,
  })
  const reader = batches[Symbol.asyncIterator]()
  const gone = patience.ms === Infinity ? [] : [setTimeout(patience.ms, undefined, { ref: false })]
  try {
    for (let left = patience.frames; left > 0;) {
      const next = await Promise.race([reader.next(), ...gone])
      if (!next) return false
      if (next.done) return true
      const taken = next.value.slice(0, left)
      left -= taken.length
      seen.push(...taken.map(parsed))
    }
    return false
  } finally {
    stop.abort()
  }
}

/** A client that loses its connection again and again, and comes back with the last id it has until it has all. */
export async function comeBack(
  u: SegnoUnderTest,
  reading: Reading,
  patience: () => Patience,
  onReturn: () => void,
): Promise<Seen[]> {
  const seen: Seen[] = []
  while (!(await connect(u, reading, seen, seen.at(-1)?.id, patience()))) {
    // What came after the last id comes again.
    seen.length = seen.findLastIndex(({ id }) => id !== undefined) + 1
    onReturn()
  }
  return seen
}

function parsed({ data, ...wire }: Wire): Seen {
  return { ...wire, data: JSON.parse(typeof data === 'string' ? data : JSON.stringify(data)) as Seen['data'] }
}
