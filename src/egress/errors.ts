export type EgressRefusedCode =
  | 'url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'name'
  | 'address'
  | 'redirect'
  | 'too_many_redirects'

/**
 * A rule forbids this request. The sentence names the rule; it never names an address a name resolved to: whoever chose
 * the name, a model or the author of a page, could otherwise ask for the map of the network Segno runs in.
 */
export class EgressRefused extends Error {
  readonly code: EgressRefusedCode

  constructor(code: EgressRefusedCode, message: string) {
    super(message)
    this.name = 'EgressRefused'
    this.code = code
  }
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
export class EgressFailed extends Error {
  readonly code: EgressFailedCode

  constructor(code: EgressFailedCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'EgressFailed'
    this.code = code
  }
}
