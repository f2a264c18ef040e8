import type { CAUSES } from '../../../../src/model/call/causes.ts'
import type { WireName } from '../../../support/faulty-provider/wires.ts'

/** What every provider is asked about. */
export const KINDS = [
  'bad key',
  'no access',
  'unknown model',
  'bad schema',
  'too long',
  'no quota',
  'rate limit',
  'overloaded',
  'page',
  'server error',
] as const
type Kind = (typeof KINDS)[number]

/** An error as a provider sends it, and what must come of it. */
export interface ErrorCase {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** a text is sent as a page */
  readonly body: object | string
  /** the cause, or the reason itself where it has none */
  readonly means: keyof typeof CAUSES | { readonly reason: string }
  /** it is tried again, after so many milliseconds if it says so */
  readonly again?: true | number
  /** the provider itself is not well, and is left alone after too much of it */
  readonly outage?: true
  /** the window it names */
  readonly window?: number
}

export interface Family {
  readonly wire: WireName
  readonly cases: { readonly [kind in Kind]: ErrorCase } & Readonly<Record<string, ErrorCase>>
}

export const PAGE = '<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>nginx</body></html>'
/** At a base URL that is not the provider's. */
export const aPage: ErrorCase = { status: 404, body: PAGE, means: 'page' }
export const answered = (status: number, word?: string): { readonly reason: string } => ({
  reason: `the provider answered ${status}${word === undefined ? '' : ` (${word})`}`,
})
