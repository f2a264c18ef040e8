import { eventSteps, type ListStore, type LogStore } from '../store/index.ts'
import { batchesOf, type Batches } from './batches.ts'
import type { Cursor } from './cursor.ts'
import { DIALECTS, type DialectName } from './dialects.ts'
import { follow } from './follow.ts'
import type { Frame } from './frame.ts'
import type { Hub } from './hub.ts'
import { beforeRound, hasAll, roundSoFar } from './round-range.ts'
import { encode, type Dialect, type Encoder, type EncoderOptions, type StreamError, type Wire } from './wire.ts'

export interface StreamOptions extends EncoderOptions {
  readonly dialect: DialectName
  /** what the reader has; without it a stream starts with the round or the session */
  readonly cursor?: Cursor | undefined
  /** only this round, and end with it */
  readonly requestId?: string
  /** the number of the event before that round, if known */
  readonly after?: number
  /** end also when that round rests and nothing has resumed it yet */
  readonly endsAtRest?: boolean
  readonly signal?: AbortSignal
}

export interface WireStream extends AsyncIterable<Wire[]> {
  /** aborted when the reader is dropped because it is too slow, even while it is not reading */
  readonly dropped: AbortSignal
  readonly dialect: Dialect
  /** The last frame when the stream breaks. */
  error(problem: StreamError): Wire
}

/** A session, or a round of it, in a dialect: from the reader's cursor on, then live. */
export function followEncoded(store: LogStore & ListStore, hub: Hub, options: StreamOptions): WireStream {
  const slow = new AbortController()
  const dialect = DIALECTS[options.dialect]
  const encoder = dialect.encoder(options)
  return {
    dialect,
    dropped: slow.signal,
    error: encoder.error,
    [Symbol.asyncIterator]: () => wires(store, hub, options, encoder, () => slow.abort()),
  }
}

function wires(
  store: LogStore & ListStore,
  hub: Hub,
  options: StreamOptions,
  encoder: Encoder,
  onDropped: () => void,
): Batches<Wire> {
  const { sessionId, requestId, cursor, signal } = options
  let source: Batches<Frame> | undefined
  /** the event with which the round came to rest, if it was in the last batch */
  let restSeq: number | undefined
  let isOver = false

  /** False if the reader already has everything. */
  async function open(): Promise<boolean> {
    if (cursor && requestId !== undefined && (await hasAll(store, sessionId, requestId, cursor.seq))) return false
    if (cursor) await bringTo(store, encoder, sessionId, cursor)
    const after =
      cursor?.seq ?? options.after ?? (requestId === undefined ? 0 : await beforeRound(store, sessionId, requestId))
    const outputs = options.outputs && DIALECTS[options.dialect].hasOutputs
    const following = {
      after,
      onDropped,
      outputs,
      ...(requestId !== undefined && { requestId }),
      ...(signal && { signal }),
    }
    source = follow(store, hub, sessionId, following)
    return true
  }

  function end(): IteratorReturnResult<undefined> {
    isOver = true
    void source?.return?.()
    return { done: true, value: undefined }
  }

  async function rests(): Promise<boolean> {
    if (restSeq === undefined || options.endsAtRest !== true || requestId === undefined) return false
    return isAtRest(store, sessionId, requestId, restSeq)
  }

  async function next(): Promise<IteratorResult<Wire[], undefined>> {
    if (isOver || (!source && !(await open())) || (await rests())) return end()
    for (;;) {
      const { done, value: frames } = await (source as Batches<Frame>).next()
      if (done) return end()
      // The frames themselves are not kept, because a reader may be slow.
      restSeq = restIn(frames)
      const batch =
        frames.length === 1 ? encode(encoder, frames[0] as Frame) : frames.flatMap((frame) => encode(encoder, frame))
      const news = encoder.newest?.(batch) ?? batch
      if (news.length > 0) return { done: false, value: news }
      if (await rests()) return end()
    }
  }

  return batchesOf(next, end)
}

/** The event with which the round came to rest in these frames, if they do not resume it. */
function restIn(frames: readonly Frame[]): number | undefined {
  const move = frames.findLast((frame) => frame.kind === 'event' && MOVES.has(frame.event.type))
  return move?.kind === 'event' && RESTS.has(move.event.type) ? move.event.seq : undefined
}

/** Gives the encoder what the reader already has of the cursor's round. */
async function bringTo(
  store: LogStore & ListStore,
  encoder: Encoder,
  sessionId: string,
  { seq, offset }: Cursor,
): Promise<void> {
  for await (const events of roundSoFar(store, sessionId, seq))
    for (const event of events) {
      if (encoder.see) encoder.see(event)
      else encode(encoder, { kind: 'event', event })
    }
  if (offset !== undefined) encoder.has?.(offset)
}

/** Whether the round still rests as it did at this event. */
async function isAtRest(
  store: LogStore & ListStore,
  sessionId: string,
  requestId: string,
  seq: number,
): Promise<boolean> {
  const state = (await store.roundIn(sessionId, requestId))?.state
  if (state !== 'waiting' && state !== 'paused') return false
  // It may have gone on and come to rest again.
  for await (const events of eventSteps(store, sessionId, { after: seq }))
    if (events.some((event) => event.requestId === requestId && MOVES.has(event.type))) return false
  return true
}

const RESTS: ReadonlySet<string> = new Set(['round.waiting', 'round.paused'])
const MOVES: ReadonlySet<string> = new Set(['round.waiting', 'round.paused', 'round.resumed', 'round.ended'])
