import type { Context, MiddlewareHandler } from 'hono'
import { Problem } from '../../contract/problem.ts'
import type { Reporter, SignedRequest } from '../../workflow/index.ts'
import { addressOf, headerNames, noteFailure } from './asked-from.ts'
import type { AppEnv, Services } from './route.ts'

/** What programs show that hold no key: they sign what they send, or carry the token of the run they report. */

const HOOK = /^\/api\/hooks\/[^/]+$/
const RESULT = /^\/api\/invocations\/[^/]+\/result$/

/** Its bytes are read as they came, because a signature is made of them. */
const isRaw = ({ req }: Context<AppEnv>): boolean =>
  req.method === 'POST' && (HOOK.test(req.path) || RESULT.test(req.path))

/** Read as text first, bytes that are none would be lost. */
export const bytesFirst: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (isRaw(c)) await c.req.arrayBuffer()
  return next()
}

/** Whether it is no actor who asks; who signs is nobody else, on this machine too and with a key. */
export const showsProof = (c: Context<AppEnv>): boolean =>
  isRaw(c) && (HOOK.test(c.req.path) || hasSigned(c) || tokenOf(c) !== undefined)

export async function reporterOf(c: Context<AppEnv>): Promise<Reporter> {
  if (hasSigned(c)) return { signed: await signedOf(c) }
  const token = tokenOf(c)
  return token === undefined ? { actor: c.get('actor') } : { token }
}

export async function signedOf(c: Context<AppEnv>): Promise<SignedRequest> {
  return {
    id: c.req.header('webhook-id'),
    timestamp: c.req.header('webhook-timestamp'),
    signature: c.req.header('webhook-signature'),
    body: new Uint8Array(await c.req.arrayBuffer()),
  }
}

const hasSigned = (c: Context<AppEnv>): boolean => headerNames(c).some((name) => name.startsWith('webhook-'))

function tokenOf(c: Context<AppEnv>): string | undefined {
  const [, text] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  return text?.startsWith('segno_') ? undefined : text
}

const NO_PROOF =
  'This is not signed as it should be, or not any more, or there is nothing it is for. What is signed are the bytes of the body as they are sent, with a timestamp of the last minutes.'

/** Who shows something false is recorded, and soon has to wait; whoever shows something true never does. */
export async function orTurnedAway<T>(services: Services, c: Context<AppEnv>, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'KEY_INVALID') throw error
    const address = addressOf(c) ?? 'unknown'
    await noteFailure(services, address, '')
    const retryAfterMs = services.rate(`address ${address}`)
    if (retryAfterMs === 0) throw new Problem('KEY_INVALID', NO_PROOF)
    const why = 'Too many requests in a minute that were not signed as they should be; wait a little.'
    throw new Problem('RATE_LIMITED', why, { retryAfterMs })
  }
}

const DEPTH = /^\d{1,6}$/

/** How many automations led to a request, as it says; what cannot be read counts as the most. */
export function depthOf(c: Context<AppEnv>, most: number): number {
  const told = c.req.header('segno-depth')
  if (told === undefined) return 0
  return DEPTH.test(told) ? Number(told) : most
}
