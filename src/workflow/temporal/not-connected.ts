/** Nothing was sent. */
export class NotConnected extends Error {
  override readonly name = 'NotConnected'
  /** Trying again does not help. */
  readonly isRefused: boolean

  constructor(message: string, isRefused = false, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.isRefused = isRefused
  }
}
