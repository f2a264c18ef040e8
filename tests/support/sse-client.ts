import { setTimeout as sleep } from 'node:timers/promises'
import { shownText, type ShownText } from './shown-text.ts'
import { splitFrames, type SseFrame } from './sse-frames.ts'

export interface SseRequest {
  readonly url: string
  /** with a body it is a POST, which is repeated as it is when the connection is lost */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** the client has what it came for; default: the end of a round, in any dialect */
  readonly ends?: (frame: SseFrame) => boolean
  /** default true */
  readonly comesBack?: boolean
  readonly lastId?: string
  readonly onFrame?: (frame: SseFrame) => void
}

/** A reader of a stream that comes back by itself, with the last id it has, until it has what it came for. */
export interface SseClient {
  /** all it ever got, over all its connections */
  readonly frames: readonly SseFrame[]
  /** what no reader may be sent: an id twice or out of order, a hole in a text, a refusal */
  readonly faults: readonly string[]
  readonly shown: ShownText
  readonly lastId: string | undefined
  /** how often it was let in */
  readonly connections: number
  /** how often a connection broke off instead of being ended */
  readonly broken: number
  /** resolves when it has what it came for, was told that there is no more, or has left */
  readonly over: Promise<void>
  readonly isOver: boolean
  /** The first frame for which this holds, had or to come. */
  until(holds: (frame: SseFrame) => boolean): Promise<SseFrame>
  /** Breaks off its connection; it comes back by itself. */
  lose(): void
  leave(): void
}

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 250

export function followStream(request: SseRequest): SseClient {
  const { comesBack = true, ends = endsRound } = request
  const frames: SseFrame[] = []
  const faults: string[] = []
  const shown = shownText()
  const left = new AbortController()
  const watchers = new Set<(frame: SseFrame) => void>()
  let lastId = request.lastId
  let connections = 0
  let broken = 0
  let wait = FIRST_WAIT_MS
  let connection = new AbortController()

  function take(frame: SseFrame): void {
    wait = FIRST_WAIT_MS
    frames.push(frame)
    if (frame.id !== undefined) {
      const fault = orderFault(lastId, frame)
      if (fault !== undefined) faults.push(fault)
      lastId = frame.id
    }
    faults.push(...shown.see(frame))
    request.onFrame?.(frame)
    for (const watcher of watchers) watcher(frame)
  }

  /** One connection; true when there is nothing more to come back for. */
  async function connect(): Promise<boolean> {
    const { url, body, headers } = request
    connection = new AbortController()
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: {
        accept: 'text/event-stream',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([left.signal, connection.signal]),
    })
    if (response.status === 204) return true
    if (response.status !== 200) {
      const said = `${response.status} ${await response.text()}`
      if (response.status !== 429 && response.status < 500) throw new Refused(said)
      return false
    }
    connections += 1
    for await (const frame of splitFrames(response.body as ReadableStream<Uint8Array>)) {
      take(frame)
      if (ends(frame)) return true
    }
    return false
  }

  async function follow(): Promise<void> {
    while (!left.signal.aborted) {
      try {
        if (await connect()) return
      } catch (error) {
        if (error instanceof Refused) return void faults.push(error.message)
        // Anything else is a connection that was lost, or that nobody took.
        broken += 1
      }
      if (!comesBack) return
      await sleep(wait, undefined, { signal: left.signal }).catch(() => {})
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
  }

  const over = follow().finally(() => left.abort())
  return {
    frames,
    faults,
    shown,
    over,
    get lastId() {
      return lastId
    },
    get connections() {
      return connections
    },
    get broken() {
      return broken
    },
    get isOver() {
      return left.signal.aborted
    },
    async until(holds) {
      const had = frames.find(holds)
      if (had) return had
      return new Promise((resolve, reject) => {
        const watcher = (frame: SseFrame): void => {
          if (!holds(frame)) return
          watchers.delete(watcher)
          resolve(frame)
        }
        watchers.add(watcher)
        void over.then(() => reject(new Error(`the stream was over before that; ${faults.join('; ')}`)))
      })
    },
    lose: () => connection.abort(),
    leave: () => left.abort(),
  }
}

class Refused extends Error {
  override name = 'Refused'
}

/** The last frame of a round. An `error` without an id is about the connection. */
export const endsRound = ({ event, id }: SseFrame): boolean =>
  event === 'round.ended' || event === 'done' || event === 'completed' || (event === 'error' && id !== undefined)

const TAKES_BACK: ReadonlySet<string> = new Set(['reset', 'message.start', 'turn'])

/** A turn is shown again while its calls come, under the id of the text that stands in it. */
function orderFault(last: string | undefined, { id = '', event }: SseFrame): string | undefined {
  if (last === undefined) return undefined
  const [seq, offset] = place(last)
  const [newSeq, newOffset] = place(id)
  const ahead = newSeq - seq || newOffset - offset
  // What takes text back says that the reader has none of it.
  if (TAKES_BACK.has(event) && newSeq === seq && newOffset === 0) return undefined
  if (ahead > 0 || (ahead === 0 && event === 'turn')) return undefined
  return `${event} has the id ${id} after ${last}`
}

export function place(id: string): [seq: number, offset: number] {
  const [seq = '', offset = '0'] = id.split('.')
  return [Number(seq), Number(offset)]
}
