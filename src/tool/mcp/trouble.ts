import { Problem } from '../../contract/problem.ts'
import type { SdkErrorCode } from '@modelcontextprotocol/client'
import { EgressFailed, EgressRefused, type EgressFailedCode } from '../../egress/index.ts'
import type { Sdk } from './sdk.ts'

/** A server broke the rules; the message is our own. */
export class Misbehaviour extends Error {}

/** An error for the model to read: what a server answered, or why its question got no answer. */
export class Refused extends Error {}

/** The message was not sent. */
export class NotSent extends Error {}

/** Marks an error of our own: the answer will never come, or cannot be read. */
export const LOST = Symbol('lost')

export const CONNECTION_LOST = 'the connection was lost'

/** What an error means for a request; `lost`: it was sent, and nobody knows what happened. */
type Fate = 'answered' | 'not sent' | 'lost'

/** Failures before the first byte was sent. */
const BEFORE_SENDING: readonly EgressFailedCode[] = ['unresolved', 'connect', 'tls']

export function fateOf(error: unknown, sdk: Sdk): Fate {
  if (error instanceof Refused) return 'answered'
  if (sdk.ProtocolError.isInstance(error)) return error.data === LOST ? 'lost' : 'answered'
  if (wantsAuthorization(error, sdk) || isNotSent(error)) return 'not sent'
  if (sdk.SdkHttpError.isInstance(error)) return isRefusal(error.status) ? 'answered' : 'lost'
  if (sdk.SdkError.isInstance(error)) return error.code === sdk.SdkErrorCode.NotConnected ? 'not sent' : 'lost'
  return 'lost'
}

/** Whether only a new connection helps, because the session is over or the server cannot be reached. */
export function needsNewConnection(error: unknown, sdk: Sdk): boolean {
  if (sdk.SdkHttpError.isInstance(error)) return [400, 404, 410].includes(error.status ?? 0)
  return fateOf(error, sdk) === 'not sent' && !wantsAuthorization(error, sdk)
}

export function wantsAuthorization(error: unknown, sdk: Sdk): boolean {
  return (
    sdk.UnauthorizedError.isInstance(error) ||
    sdk.InsufficientScopeError.isInstance(error) ||
    (sdk.SdkHttpError.isInstance(error) && error.status === 401)
  )
}

/** Why something failed, in our own words, because it is shown in lists and logs. */
export function plainReason(error: unknown, sdk: Sdk): string {
  if (error instanceof Misbehaviour) return error.message
  if (error instanceof EgressRefused) return 'its address may not be reached from here'
  if (error instanceof EgressFailed) return isNotSent(error) ? `it cannot be reached (${error.code})` : CONNECTION_LOST
  if (wantsAuthorization(error, sdk)) return 'it wants authorization'
  if (sdk.OAuthError.isInstance(error)) return `its login failed (${isPlainCode(error.code) ? error.code : 'unknown'})`
  if (sdk.OAuthClientFlowError.isInstance(error)) return `its login failed (${error.constructor.name})`
  if (sdk.SdkHttpError.isInstance(error)) return `it answered with HTTP status ${error.status ?? 'unknown'}`
  if (sdk.SdkError.isInstance(error)) {
    return error.cause instanceof Error ? plainReason(error.cause, sdk) : sdkReason(error.code, sdk)
  }
  if (sdk.ProtocolError.isInstance(error)) {
    return error.data === LOST ? CONNECTION_LOST : `it answered with error ${error.code}`
  }
  const lost = causes(error).find((one) => one instanceof Problem && one.code === 'SECRET_KEY_ERROR')
  if (lost) return (lost as Problem).message.replace(/\.$/, '')
  const [code] = codes(error)
  if (code === 'ENOENT') return 'its command or folder was not found'
  if (code === 'EACCES') return 'its command may not be run'
  if (code !== undefined) return `it cannot be reached (${code})`
  if (isNotSent(error)) return CONNECTION_LOST
  const misbehaviour = causes(error).find((one) => one instanceof Misbehaviour)
  return misbehaviour?.message ?? 'it failed'
}

function sdkReason(code: SdkErrorCode, { SdkErrorCode }: Sdk): string {
  if (code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.NotConnected) return CONNECTION_LOST
  if (code === SdkErrorCode.RequestTimeout) return 'it did not answer in time'
  return `it did not keep to the protocol (${code})`
}

const isPlainCode = (code: string): boolean => /^[a-z_]{1,40}$/.test(code)

function isNotSent(error: unknown): boolean {
  if (error instanceof EgressFailed) return BEFORE_SENDING.includes(error.code)
  if (error instanceof NotSent || error instanceof EgressRefused) return true
  // The SDK has no code for it.
  return error instanceof Error && error.message === 'Not connected'
}

const REQUEST_TIMEOUT = 408

/** With 408 somebody in between may have given up waiting, whatever became of the request. */
const isRefusal = (status = 0): boolean => status >= 400 && status < 500 && status !== REQUEST_TIMEOUT

function codes(error: unknown): string[] {
  return causes(error).flatMap(({ code }) => (typeof code === 'string' && /^[A-Z_]+$/.test(code) ? [code] : []))
}

/** An error, what caused it, and so on. */
function causes(error: unknown): (Error & { code?: unknown })[] {
  const found: Error[] = []
  for (let one = error; one instanceof Error && found.length < 5; one = one.cause) found.push(one)
  return found
}
