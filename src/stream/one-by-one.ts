import type { Frame } from './frame.ts'

/** For who wants single frames. */
export async function* oneByOne(batches: AsyncIterable<Frame[]>, signal?: AbortSignal): AsyncGenerator<Frame, void> {
  for await (const batch of batches) {
    for (const frame of batch) {
      if (signal?.aborted) return
      yield frame
    }
  }
}
