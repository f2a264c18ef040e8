import type { Context, MiddlewareHandler } from 'hono'
import type { Keys, Rate } from '../../account/index.ts'
import { LOCAL_OWNER } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import type { AppEnv } from './route.ts'

export interface Admission {
  readonly keys: Keys
  readonly rate: Rate
  readonly requireKey: boolean
  readonly corsOrigins: readonly string[]
}

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/

/** Who asks: the holder of a key, or the person at this machine. Everything after this knows an actor. */
export function who({ keys, rate, requireKey, corsOrigins }: Admission): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    refuseOtherSites(c, corsOrigins)
    await admit(c)
    const { tenant, id } = c.get('actor')
    const waitMs = rate.take(`${tenant} ${id}`)
    if (waitMs > 0)
      throw new Problem('RATE_LIMITED', 'Too many requests in a minute (limit RATE_PER_MINUTE); wait a little.', {
        retryAfterMs: waitMs,
      })
    return next()
  }

  async function admit(c: Context<AppEnv>): Promise<void> {
    const authorization = c.req.header('authorization')
    if (authorization !== undefined) {
      const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
      const admitted = await keys.admit(text)
      if (!admitted) throw new Problem('KEY_INVALID', 'This key is unknown, has expired or was revoked.')
      c.set('actor', admitted.actor)
      c.set('until', admitted.until)
      return
    }
    if (requireKey || !isLocal(c))
      throw new Problem('KEY_REQUIRED', 'A key is needed: send it as "Authorization: Bearer segno_…".')
    c.set('actor', LOCAL_OWNER)
  }
}

/**
 * From this machine, on its own behalf. A foreign Host is DNS rebinding or another machine, and what was forwarded
 * comes from somewhere else. Mounted in another server there is no socket to look at; then the Host decides.
 */
function isLocal(c: Context<AppEnv>): boolean {
  if (FORWARDING.some((name) => c.req.header(name) !== undefined)) return false
  const address = c.env?.incoming?.socket?.remoteAddress
  return LOOPBACK_HOST.test(hostOf(c)) && (address === undefined || LOOPBACK_ADDRESS.test(address))
}

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host

/** A page of another site must not use what this browser's owner may. Programs send neither of these headers. */
function refuseOtherSites(c: Context, allowed: readonly string[]): void {
  const origin = c.req.header('origin')
  if (origin !== undefined && allowed.includes(origin)) return
  const site = c.req.header('sec-fetch-site')
  const foreign = origin !== undefined && origin !== `http://${hostOf(c)}` && origin !== `https://${hostOf(c)}`
  if (foreign || site === 'cross-site' || site === 'same-site')
    throw new Problem('FOREIGN_ORIGIN', 'A page of another site asked for this (see SEGNO_CORS_ORIGINS).')
}
