import { DatabaseError } from 'pg'
import { Problem } from '../../contract/problem.ts'

/**
 * Turns an error of the server or the connection into a Problem in our own words, because the server's may quote
 * content.
 */
export function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (isClosed(error)) return new Problem('SHUTTING_DOWN', 'Segno is closed; open it again to go on.', { cause: error })
  const why = whyUnavailable(error)
  if (why !== undefined) {
    return new Problem('STORE_UNAVAILABLE', `The database cannot be used now: ${why}.`, { cause: error })
  }
  if (codeOf(error) === UNIQUE) {
    return new Problem('CONFLICT', 'Something with this id is already there.', { cause: error })
  }
  return error
}

/** A serialization failure or deadlock: the same statement can be tried again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && AGAIN.has(error.code ?? '')
}

/** True if the connection ended before the answer, so that the statement may have been executed. */
export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return isConnection(error)
  return error.severity === 'FATAL' || error.severity === 'PANIC' || /^(08|57P|40003)/.test(error.code ?? '')
}

export function isLockTimeout(error: unknown): boolean {
  const code = codeOf(error instanceof Problem ? error.cause : error)
  return code === '55P03' || code === '40P01'
}

export const UNIQUE = '23505'
const AGAIN: ReadonlySet<string> = new Set(['40001', '40P01'])

const CERTIFICATE =
  'its certificate is signed by nobody who is trusted here. Name who signed it with sslrootcert in SEGNO_DATABASE_URL, or in NODE_EXTRA_CA_CERTS'
const BROKE = 'the connection to it broke'
const NO_SSL = 'it speaks no TLS. Turn that on there, or leave sslmode out of SEGNO_DATABASE_URL'

/** By error code or its first characters; the longest match counts. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '08': BROKE,
  '25006': 'it is read-only, as a standby is. Nothing was stored; give SEGNO_DATABASE_URL the server that may write',
  '25P': 'this node stood still in the middle of a transaction. Nothing was stored; try again',
  '28': 'it does not let this user in. Look at user and password in SEGNO_DATABASE_URL, and at pg_hba.conf',
  '3D': 'there is no such database. Create it, or name another in SEGNO_DATABASE_URL',
  '40001': 'others were in the way too often. Nothing was stored; try again',
  '40P01': 'others were in the way too often. Nothing was stored; try again',
  '42501': 'this user may not use its tables. Let the user of SEGNO_DATABASE_URL own them',
  '53': 'it has no room left. Nothing was stored; make room and try again',
  '53100': 'its disk is full. Nothing was stored; make room and try again',
  '53300': 'it has too many connections. Raise its max_connections, or lower DB_CONNECTIONS of the nodes',
  '55P03': 'others hold what is needed for too long. Nothing was stored; try again',
  '57014': 'a statement took too long and was ended. Nothing was stored; try again',
  '57': 'it is starting, stopping or was told to end the connection',
  '58': 'its disk reported an error. Look at the logs of the server',
  ECONNREFUSED: 'nobody listens there. Start it, or look at host and port in SEGNO_DATABASE_URL',
  ENOTFOUND: 'there is no such host. Look at the host in SEGNO_DATABASE_URL',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  EAI_AGAIN: 'the name of its host cannot be looked up now',
}

function whyUnavailable(error: unknown): string | undefined {
  const code = codeOf(error) ?? ''
  if (error instanceof DatabaseError) {
    for (let length = 5; length >= 2; length--) {
      const why = UNAVAILABLE[code.slice(0, length)]
      if (why !== undefined) return why
    }
    return undefined
  }
  if (!isConnection(error)) return undefined
  if (/does not support SSL/.test((error as Error).message)) return NO_SSL
  return UNAVAILABLE[code] ?? (isTimeout(error as Error) ? 'it does not answer in time' : BROKE)
}

/** Connection errors have a system code, but some of the driver's only a message. */
function isConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const code = codeOf(first) ?? ''
  return /^E[A-Z_]+$|^ERR_(SOCKET|SSL|TLS)|CERT|SIGNATURE/.test(code) || DRIVER.test(error.message) || isTimeout(error)
}

const DRIVER =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|The server does not support SSL|There was an error establishing an SSL)/
const TIMEOUT = /^(Query read timeout|timeout expired|timeout exceeded|Connection terminated due to connection timeout)/
const isTimeout = (error: Error): boolean => TIMEOUT.test(error.message) || codeOf(error) === 'ETIMEDOUT'
const isClosed = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Cannot use a pool after')

/** The code of the server or of the system. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  if (typeof code === 'string') return code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined
}
