import type { ListStore, LogStore } from '../store/index.ts'
import { createEncoder, type Dialect } from './create-encoder.ts'
import type { Cursor } from './cursor.ts'
import { roundSoFar } from './round-so-far.ts'
import type { Encoder, EncoderOptions } from './wire.ts'

/**
 * An encoder for a reader that has everything up to the cursor: it was told what the reader has, from the start of the
 * round the reader stands in.
 */
export async function encoderAt(
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
