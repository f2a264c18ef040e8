export class CallIsComplete extends Error {}

/**
 * Some providers end a call before they go on, others only with the whole stream, be it cut or not; then the end is
 * already at hand when the call is. A call that is there while its stream goes on is complete.
 */
export function nextAtHand<T>(read: Promise<T>, soon: Promise<void>): Promise<T> {
  read.catch(() => {})
  return Promise.race([
    read,
    soon.then(() => {
      throw new CallIsComplete()
    }),
  ])
}
