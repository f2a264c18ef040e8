import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { BUSY, httpOutside } from '../../../workflow/support/http-outside.ts'
import { FAILURE, type Asked, type Outside } from '../../../workflow/support/outside.ts'

/** A program outside that takes work over HTTP, remembers keys, and believes only what is signed for it. */
export interface Receiver extends Pick<
  Outside,
  'play' | 'returns' | 'asked' | 'begun' | 'wasAsked' | 'end' | 'isStopped' | 'leave'
> {
  readonly origin: string
  readonly url: string
  /** Believes this secret, too. */
  trust(secret: string | undefined): void
  /** The last request to start that came. */
  last(): Asked
}

/** Listens until the test ends. */
export async function receiver(): Promise<Receiver> {
  const trusted: Webhook[] = []
  const side = await httpOutside({
    refusal: { status: 422, body: { why: 'no such page' } },
    failure: { status: 500, body: { message: FAILURE } },
    busyHeaders: BUSY,
    begunBody: ({ id }) => JSON.stringify({ id }),
    other: () => undefined,
    isAllowed(headers, body) {
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers
      if (typeof id !== 'string' || id !== headers['idempotency-key'] || typeof given !== 'string') return false
      // Made anew, because the clock of a test may be far from that of the package.
      const right = trusted.map((one) => one.sign(id, new Date(Number(at) * 1000), body.toString()))
      return given.split(' ').some((one) => right.includes(one))
    },
  })
  onTestFinished(side.leave)
  return {
    ...side,
    origin: new URL(side.start).origin,
    url: side.start,
    trust: (secret = '') => void trusted.push(new Webhook(secret)),
    last() {
      const last = side.asked.at(-1)
      if (!last) throw new Error('nothing came')
      return last
    },
  }
}
