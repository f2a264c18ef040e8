export type EgressRefusedCode =
  | 'url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'name'
  | 'address'
  | 'redirect'
  | 'too_many_redirects'

class EgressError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/**
 * A rule forbids this request. The message never names a resolved address, so that a model or page cannot map the
 * private network.
 */
export class EgressRefused extends EgressError<EgressRefusedCode> {
  override readonly name = 'EgressRefused'
}

export type EgressFailedCode =
  | 'unresolved'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'unreadable'
  | 'lost'
  | 'closed'

/** The request was allowed, but the network, the server or a limit ended it. */
export class EgressFailed extends EgressError<EgressFailedCode> {
  override readonly name = 'EgressFailed'
}
