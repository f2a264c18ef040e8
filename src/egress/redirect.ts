import { EgressRefused } from './errors.ts'
import type { Answer, Call } from './exchange.ts'
import type { Target } from './target.ts'

const STATUSES = [301, 302, 303, 307, 308]

/** Headers that may go to another origin, because they say nothing about the caller. */
const HARMLESS_HEADERS = ['accept', 'accept-encoding', 'accept-language', 'user-agent']
const BODY_HEADERS = ['content-type', 'content-language', 'content-encoding', 'content-location']

/** Where a response redirects to, if it does. */
export function redirectOf({ status, headers }: Answer, from: URL): URL | undefined {
  const { location } = headers
  if (!STATUSES.includes(status) || location === undefined) return undefined
  const to = typeof location === 'string' ? URL.parse(textOf(location), from.href) : null
  if (to === null) throw new EgressRefused('redirect', `${from.host} redirects to something that is not a URL.`)
  return to
}

/** Header values have one character per byte, but servers write UTF-8. */
const textOf = (header: string): string => Buffer.from(header, 'latin1').toString()

/** The request after a redirect, by the rules of fetch and stricter ones; throws EgressRefused. */
export function redirected(call: Call, status: number, to: Target): Call {
  const { target: from } = call
  if (from.isPrivate || to.isPrivate)
    throw new EgressRefused(
      'redirect',
      `${from.url.host} redirects, and origins of a private network are only used directly.`,
    )
  if (from.isSecure && !to.isSecure)
    throw new EgressRefused('redirect', `${from.url.host} redirects from https: to http:, which is not followed.`)
  const isSame = from.url.origin === to.url.origin
  const becomesGet =
    status === 303 ? !['GET', 'HEAD'].includes(call.method) : [301, 302].includes(status) && call.method === 'POST'
  const body = becomesGet ? undefined : call.body
  // Unlike fetch, because a body is as private as the headers left out here.
  if (!isSame && body !== undefined)
    throw new EgressRefused('redirect', `${from.url.host} redirects to another origin, which is not sent the body.`)
  const kept = [...call.headers].filter(([name]) => {
    if (BODY_HEADERS.includes(name)) return body !== undefined
    return isSame || HARMLESS_HEADERS.includes(name)
  })
  return { target: to, method: becomesGet ? 'GET' : call.method, headers: new Headers(kept), body }
}
