import { eventSteps, type ListStore, type LogStore } from '../store/index.ts'
import { batchesOf, type Batches } from './batches.ts'
import { beforeRound } from './before-round.ts'
import { createEncoder, type Dialect } from './create-encoder.ts'
import type { Cursor } from './cursor.ts'
import { follow } from './follow.ts'
import type { Frame } from './frame.ts'
import type { Hub } from './hub.ts'
import { roundSoFar } from './round-so-far.ts'
import type { Encoder, EncoderOptions, Wire } from './wire.ts'

export interface StreamOptions extends EncoderOptions {
  readonly dialect: Dialect
  /** what the reader has; without it a round is told from its start, a session from its first event */
  readonly cursor?: Cursor
  /** only this round, and end with it */
  readonly requestId?: string
  /** the number after which that round begins, if it is known */
  readonly after?: number
  /** end also when that round rests, and nothing has moved it on yet */
  readonly endsAtRest?: boolean
  readonly signal?: AbortSignal
}

/** Batches of what a client is sent. */
export interface WireStream extends AsyncIterable<Wire[]> {
  /** aborted when the reader does not keep up and is dropped, while it may not even be reading */
  readonly dropped: AbortSignal
}

/** A session, or a round of it, in a dialect: from where the reader stands, and then as it happens. */
export function followEncoded(store: LogStore & ListStore, hub: Hub, options: StreamOptions): WireStream {
  const slow = new AbortController()
  return {
    dropped: slow.signal,
    [Symbol.asyncIterator]: () => wires(store, hub, options, () => slow.abort()),
  }
}

function wires(store: LogStore & ListStore, hub: Hub, options: StreamOptions, onDropped: () => void): Batches<Wire> {
  const { dialect, sessionId, requestId, cursor, signal } = options
  let source: Batches<Frame> | undefined
  let encoder: Encoder
  /** the last thing that was sent is that the round rests: where in the log that stands */
  let restSeq: number | undefined
  let isOver = false

  /** False if there is nothing to tell. */
  async function open(): Promise<boolean> {
    if (cursor && requestId !== undefined && (await hasAll(store, sessionId, requestId, cursor))) return false
    encoder = cursor ? await encoderAt(store, dialect, options, cursor) : createEncoder(dialect, options)
    const after =
      cursor?.seq ?? options.after ?? (requestId === undefined ? 0 : await beforeRound(store, sessionId, requestId))
    const outputs = options.outputs && (dialect === 'native' || dialect === 'phased')
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
      // The frames themselves are not kept: a reader may take long over what it is sent.
      restSeq = restIn(frames)
      const batch = frames.length === 1 ? wiresOf(frames[0] as Frame) : frames.flatMap(wiresOf)
      const news = encoder.newest?.(batch) ?? batch
      if (news.length > 0) return { done: false, value: news }
      if (await rests()) return end()
    }
  }

  function wiresOf(frame: Frame): Wire[] {
    return frame.kind === 'dropped' ? [{ event: 'dropped', data: { reason: frame.reason } }] : encoder.encode(frame)
  }

  return batchesOf(next, end)
}

/** The number of the event with which the round came to rest in these frames, if nothing moved it on in them. */
function restIn(frames: readonly Frame[]): number | undefined {
  const move = frames.findLast((frame) => frame.kind === 'event' && MOVES.has(frame.event.type))
  return move?.kind === 'event' && RESTS.has(move.event.type) ? move.event.seq : undefined
}

/**
 * An encoder for a reader that has everything up to the cursor: it was told what the reader has, from the start of the
 * round the reader stands in.
 */
async function encoderAt(
  store: LogStore & ListStore,
  dialect: Dialect,
  options: EncoderOptions,
  { seq, offset }: Cursor,
): Promise<Encoder> {
  const encoder = createEncoder(dialect, options)
  for await (const events of roundSoFar(store, options.sessionId, seq))
    for (const event of events) {
      if (encoder.see) encoder.see(event)
      else encoder.encode({ kind: 'event', event })
    }
  if (offset !== undefined) encoder.has?.(offset)
  return encoder
}

/** Who comes back with the end of a round would wait for it for ever. */
async function hasAll(
  store: LogStore & ListStore,
  sessionId: string,
  requestId: string,
  { seq }: Cursor,
): Promise<boolean> {
  const round = await store.roundIn(sessionId, requestId)
  return round?.endSeq !== undefined && round.endSeq <= seq
}

/** It came to rest at this number: is it still where it was? */
async function isAtRest(
  store: LogStore & ListStore,
  sessionId: string,
  requestId: string,
  seq: number,
): Promise<boolean> {
  const state = (await store.roundIn(sessionId, requestId))?.state
  if (state !== 'waiting' && state !== 'paused') return false
  // It rests, but perhaps not for the first time.
  for await (const events of eventSteps(store, sessionId, { after: seq }))
    if (events.some((event) => event.requestId === requestId && MOVES.has(event.type))) return false
  return true
}

const RESTS: ReadonlySet<string> = new Set(['round.waiting', 'round.paused'])
const MOVES: ReadonlySet<string> = new Set(['round.waiting', 'round.paused', 'round.resumed', 'round.ended'])
