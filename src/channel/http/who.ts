import type { Context, MiddlewareHandler } from 'hono'
import { LOCAL_OWNER } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { actorKey } from '../../lib/key-of.ts'
import { isForwarding } from './is-forwarding.ts'
import { addressOf, headerNames, noteFailure } from './asked-from.ts'
import { showsProof } from './proof.ts'
import type { AppEnv, Services } from './route.ts'

const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/

/** Finds the actor: the holder of a key, or the owner of this machine; there is none where a program shows a proof. */
export function who(services: Services): MiddlewareHandler<AppEnv> {
  const { keys, rate } = services
  const { requireKey, corsOrigins } = services.settings
  return async (c, next) => {
    refuseOtherSites(c, corsOrigins)
    if (showsProof(c)) return next()
    await authenticate(c)
    const waitMs = rate(actorKey(c.get('actor')))
    if (waitMs > 0)
      throw new Problem('RATE_LIMITED', 'Too many requests in a minute (limit RATE_PER_MINUTE); wait a little.', {
        retryAfterMs: waitMs,
      })
    return next()
  }

  async function authenticate(c: Context<AppEnv>): Promise<void> {
    const authorization = c.req.header('authorization')
    if (authorization !== undefined) {
      const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
      const admitted = await keys.authenticate(text)
      if (!admitted) {
        await noteFailure(services, addressOf(c) ?? 'unknown', text)
        throw new Problem('KEY_INVALID', 'This key is unknown, has expired or was revoked.')
      }
      c.set('actor', admitted.actor)
      c.set('until', admitted.until)
      return
    }
    const because = requireKey ? '' : whyNotLocal(c)
    if (because !== undefined)
      throw new Problem('KEY_REQUIRED', `A key is needed${because}: send it as "Authorization: Bearer segno_…".`)
    c.set('actor', LOCAL_OWNER)
  }
}

/**
 * Undefined if the request comes from this machine and was not forwarded. A foreign Host means DNS rebinding or another
 * machine. Mounted in another server there is no socket; then the Host decides.
 */
function whyNotLocal(c: Context<AppEnv>): string | undefined {
  const forwarding = headerNames(c).find(isForwarding)
  if (forwarding !== undefined) return ` (the header ${forwarding} says that it was passed on)`
  // Only some proxies still use it.
  if (c.env?.incoming?.httpVersion === '1.0') return ''
  // Only a proxy is asked for a whole URL.
  if (c.env?.incoming?.url?.startsWith('/') === false) return ' (it asks for a whole address, as one asks a proxy)'
  const host = hostOf(c)
  const address = addressOf(c)
  const isHere = LOOPBACK_HOST.test(host) && URL.canParse(`http://${host}/`)
  if (!isHere) return ' (the Host it asks for is not this machine)'
  return address === undefined || LOOPBACK_ADDRESS.test(address) ? undefined : ''
}

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host

/** Pages of other sites must not use the rights of the browser's owner. Programs send neither of these headers. */
function refuseOtherSites(c: Context, allowed: readonly string[]): void {
  const origin = c.req.header('origin')
  if (origin !== undefined && allowed.includes(origin)) return
  const site = c.req.header('sec-fetch-site')
  const foreign = origin !== undefined && origin !== `http://${hostOf(c)}` && origin !== `https://${hostOf(c)}`
  if (foreign || site === 'cross-site' || site === 'same-site')
    throw new Problem('FOREIGN_ORIGIN', 'A page of another site asked for this (see SEGNO_CORS_ORIGINS).')
}
