/** Batches of something, as they come. */
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
