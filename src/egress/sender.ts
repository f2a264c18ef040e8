import { checkedAddresses, ownAddresses, systemResolve } from './checked-addresses.ts'
import { dialTcp } from './connect.ts'
import { createConnections } from './connections.ts'
import type { EgressInit, EgressOptions } from './egress.ts'
import { EgressRefused } from './errors.ts'
import { type Answer, type Call, exchange } from './exchange.ts'
import { type Lifetime, startLifetime } from './lifetime.ts'
import { readCall } from './read-call.ts'
import { redirected, redirectOf } from './redirect.ts'
import { readTarget, type Target } from './target.ts'
import { toResponse } from './to-response.ts'

const DEFAULTS = {
  connectMs: 10_000,
  headersMs: 30_000,
  totalMs: 60_000,
  maxBytes: 10 * 1024 * 1024,
  headerBytes: 32 * 1024,
  maxRedirects: 5,
}

export type Sender = ReturnType<typeof createSender>

/** Sends allowed requests and follows redirects. */
export function createSender(options: EgressOptions, privateOrigins: ReadonlySet<string>, closing: AbortSignal) {
  const { resolve = systemResolve, dial = dialTcp, own = ownAddresses } = options
  const limits = { ...DEFAULTS, ...options }
  const { connectMs, headerBytes } = limits
  const connections = createConnections({ dial, connectMs }, headerBytes)

  const addressesOf = (target: Target, life: Lifetime): Promise<readonly string[]> =>
    life.within(connectMs, `Looking up "${target.host}"`, checkedAddresses(target, resolve, own, life.signal))

  const answerTo = async (call: Call, headersMs: number, life: Lifetime, onSend: () => void): Promise<Answer> => {
    const addresses = await addressesOf(call.target, life)
    const pool = await connections.to(call.target, addresses)
    const answer = exchange(pool, call, life.signal, onSend)
    return life.within(headersMs, `The answer of "${call.target.host}"`, answer)
  }

  const follow = async (first: Call, init: EgressInit, life: Lifetime): Promise<Response> => {
    const { maxRedirects = limits.maxRedirects, headersMs = limits.headersMs, maxBytes = limits.maxBytes } = init
    let call = first
    for (let hops = 0; ; hops++) {
      const answer = await answerTo(call, headersMs, life, init.onSend ?? (() => undefined))
      const to = init.redirect === 'manual' ? undefined : redirectOf(answer, call.target.url)
      if (to === undefined || init.follow?.(to) === false)
        return toResponse(answer, { call, isRedirected: hops > 0, maxBytes, life })
      answer.body.destroy()
      if (init.redirect === 'error') throw new EgressRefused('redirect', `${call.target.url.host} redirects.`)
      if (hops >= maxRedirects)
        throw new EgressRefused('too_many_redirects', `More than ${maxRedirects} redirects are not followed.`)
      call = redirected(call, answer.status, readTarget(to, privateOrigins))
    }
  }

  return {
    async send(target: Target, init: EgressInit): Promise<Response> {
      const life = startLifetime(init.totalMs ?? limits.totalMs, closing, init.signal)
      try {
        return await follow(await readCall(target, init), init, life)
      } catch (error) {
        life.fail(error)
        throw error
      }
    },
    async check(target: Target): Promise<void> {
      const life = startLifetime(connectMs, closing)
      try {
        await addressesOf(target, life)
      } finally {
        life.over()
      }
    },
    close: connections.close,
  }
}
