import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** How far a signed request's time may be off; all nodes use the database's time. */
export const SIGNED_FOR_MS = 30_000

const NODE = 'segno-node'
const TIME = 'segno-time'
const SIGNATURE = 'segno-signature'

export interface SignedRequest {
  readonly method: string
  /** with its query */
  readonly path: string
  readonly body: string
}

/** Shows that two nodes have the same secret without revealing it. */
export function secretHash(secret: string): string {
  return createHmac('sha256', secret).update('segno cluster').digest('hex')
}

export function signedHeaders(
  secret: string,
  nodeId: string,
  now: number,
  request: SignedRequest,
): Record<string, string> {
  const time = String(now)
  return { [NODE]: nodeId, [TIME]: time, [SIGNATURE]: signature(secret, nodeId, time, request) }
}

/** The node id of a validly signed, recent request; undefined for any other. */
export function signedBy(
  secret: string,
  now: number,
  header: (name: string) => string | undefined,
  request: SignedRequest,
): string | undefined {
  const nodeId = header(NODE) ?? ''
  const time = header(TIME) ?? ''
  const isNow = /^\d{1,15}$/.test(time) && Math.abs(now - Number(time)) <= SIGNED_FOR_MS
  if (!isNow || !/^[\w-]{1,64}$/.test(nodeId)) return undefined
  const given = Buffer.from(header(SIGNATURE) ?? '')
  const wanted = Buffer.from(signature(secret, nodeId, time, request))
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? nodeId : undefined
}

function signature(secret: string, nodeId: string, time: string, { method, path, body }: SignedRequest): string {
  const hash = createHash('sha256').update(body).digest('hex')
  return createHmac('sha256', secret).update(['segno 1', method, path, time, nodeId, hash].join('\n')).digest('hex')
}
