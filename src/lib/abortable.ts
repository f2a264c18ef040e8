/** Waits for `promise`, but rejects as soon as `signal` aborts; what the promise does after that is ignored. */
export function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason as Error)
    // Before the check below, so that a rejection is never unhandled.
    void promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', abort))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
