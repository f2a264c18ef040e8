import { setTimeout } from 'node:timers/promises'
import { LOCAL_OWNER } from '../../../../src/contract/actor.ts'
import { parseCursor, type DialectName, type Wire } from '../../../../src/stream/index.ts'
import type { SegnoUnderTest } from '../../../support/segno-under-test.ts'

export interface Seen {
  readonly id?: string
  readonly event: string
  readonly data: SeenData
}

/** Of all that frames of any dialect say, what tests look at. */
interface SeenData {
  readonly seq?: number
  readonly kind?: string
  readonly turn?: number
  readonly index?: number
  readonly offset?: number
  readonly text?: string
  readonly content?: string
  readonly data?: Said
  readonly [more: string]: unknown
}

interface Said {
  readonly turn?: number
  readonly offset?: number
  readonly content?: string
  readonly shown?: boolean
}

export interface Reading {
  readonly dialect: DialectName
  readonly requestId?: string
  readonly endsAtRest?: boolean
}

/** When a client loses its connection: after so many frames or so many milliseconds, whatever comes first. */
export interface Patience {
  readonly frames: number
  /** from when something has come */
  readonly ms: number
  /** from when it connected: it may be gone before anything has come */
  readonly isHasty?: boolean
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
  const where = { sessionId: u.sessionId, workspaceId: 'p', outputs: false }
  const batches = u.segno.stream(LOCAL_OWNER, {
    ...reading,
    ...where,
    ...(cursor && { cursor }),
    signal: stop.signal,
  })
  const reader = batches[Symbol.asyncIterator]()
  const goes = (): Promise<undefined>[] =>
    patience.ms === Infinity ? [] : [setTimeout(patience.ms, undefined, { ref: false })]
  let gone = patience.isHasty ? goes() : []
  let coming: ReturnType<typeof reader.next> | undefined
  try {
    for (let left = patience.frames; left > 0;) {
      const next = await Promise.race([(coming = reader.next()), ...gone])
      if (!next) return false
      if (next.done) return true
      if (gone.length === 0) gone = goes()
      const taken = next.value.slice(0, left)
      left -= taken.length
      seen.push(...taken.map(parsed))
    }
    return false
  } finally {
    stop.abort()
    // Who comes back before that asks for more and more where the database is slow.
    await coming
  }
}

/** A client that loses its connection again and again, and comes back with the last id it has until it has all. */
export async function comeBack(
  u: SegnoUnderTest,
  reading: Reading,
  patience: () => Patience,
  /** told with what it comes back; may say that it has only so many characters of the last text it got */
  onReturn: (last: Seen | undefined) => number | undefined,
): Promise<Seen[]> {
  const seen: Seen[] = []
  while (!(await connect(u, reading, seen, seen.at(-1)?.id, patience()))) {
    // What came after the last id comes again.
    seen.length = seen.findLastIndex(({ id }) => id !== undefined) + 1
    const kept = onReturn(seen.at(-1))
    if (kept !== undefined) seen.push(shortened(seen.pop() as Seen, kept))
  }
  return seen
}

/** How much text a delta with an id has; 0 for anything else. */
export const charsIn = (last: Seen | undefined): number =>
  last?.id === undefined ? 0 : (last.data.text ?? last.data.data?.content ?? '').length

/** A delta of which only the first characters arrived. */
function shortened({ id = '', event, data }: Seen, kept: number): Seen {
  const { seq, offset = 0 } = parseCursor(id) ?? { seq: 0 }
  const shorter = `${seq}.${offset - charsIn({ id, event, data }) + kept}`
  if (data.text !== undefined) return { id: shorter, event, data: { ...data, text: data.text.slice(0, kept) } }
  const content = data.data?.content?.slice(0, kept) ?? ''
  return { id: shorter, event, data: { ...data, data: { ...data.data, content } } }
}

function parsed({ data, ...wire }: Wire): Seen {
  return { ...wire, data: JSON.parse(typeof data === 'string' ? data : JSON.stringify(data)) as Seen['data'] }
}
