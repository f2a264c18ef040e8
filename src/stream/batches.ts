import type { Frame } from './frame.ts'

export type Batches<T> = AsyncIterableIterator<T[], undefined>

export function batchesOf<T>(
  next: () => Promise<IteratorResult<T[], undefined>>,
  end: () => IteratorReturnResult<undefined>,
): Batches<T> {
  const batches: Batches<T> = {
    next,
    return: () => Promise.resolve(end()),
    [Symbol.asyncIterator]: () => batches,
  }
  return batches
}

export async function* oneByOne(batches: AsyncIterable<Frame[]>, signal?: AbortSignal): AsyncGenerator<Frame, void> {
  for await (const batch of batches) {
    for (const frame of batch) {
      if (signal?.aborted) return
      yield frame
    }
  }
}
