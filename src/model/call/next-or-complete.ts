export class CallIsComplete extends Error {}

/**
 * Some providers end a call right away, others only with the whole stream, cut or not. A call whose stream goes on is
 * complete; if the stream ends at once, that end decides.
 */
export function nextOrComplete<T>(read: Promise<T>, soon: Promise<void>): Promise<T> {
  read.catch(() => {})
  return Promise.race([
    read,
    soon.then(() => {
      throw new CallIsComplete()
    }),
  ])
}
