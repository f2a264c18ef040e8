/**
 * Reads something again and again, once at a time. Whoever asks while it is read waits until it was read once more after
 * that, so that nothing older comes last.
 */
export function readingAnew(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined
  return function again(): Promise<void> {
    if (!reading) return (reading = read().finally(() => (reading = undefined)))
    return (next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined
        return again()
      }))
  }
}
