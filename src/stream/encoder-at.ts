import type { Store } from '../store/index.ts'
import { createEncoder, type Dialect } from './create-encoder.ts'
import type { Cursor } from './cursor.ts'
import type { Encoder, EncoderOptions } from './wire.ts'

const PAGE = 256

/**
 * An encoder for a reader that has everything up to the cursor: it was told what the reader has, from the start of the
 * round the reader stands in.
 */
export async function encoderAt(
  store: Store,
  dialect: Dialect,
  options: EncoderOptions,
  { seq, offset }: Cursor,
): Promise<Encoder> {
  const encoder = createEncoder(dialect, options)
  const round = seq === 0 ? undefined : await store.roundAt(options.sessionId, seq)
  for (let after = round ? round.startSeq - 1 : seq; after < seq;) {
    const events = await store.read(options.sessionId, { after, upTo: seq, limit: PAGE })
    for (const event of events) encoder.encode({ kind: 'event', event })
    after = events.at(-1)?.seq ?? seq
  }
  if (offset !== undefined) encoder.has?.(offset)
  return encoder
}
