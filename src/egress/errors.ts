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
 * A rule forbids this request. The sentence names the rule; it never names an address a name resolved to: whoever chose
 * the name, a model or the author of a page, could otherwise ask for the map of the network Segno runs in.
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

/** The request was allowed, and the network, the other side or a limit ended it. */
export class EgressFailed extends EgressError<EgressFailedCode> {
  override readonly name = 'EgressFailed'
}
