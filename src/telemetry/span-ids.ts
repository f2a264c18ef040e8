import { sha256 } from '../lib/hash.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NONE = '0'.repeat(32)

/** 16 bytes in hex; a round's id is a UUID with as many, so its trace is easy to find. */
export function traceIdOf(requestId: string): string {
  const bare = UUID.test(requestId) ? requestId.replaceAll('-', '').toLowerCase() : NONE
  return bare === NONE ? sha256(requestId).slice(0, 32) : bare
}

/** 8 bytes in hex, the same in every process, so that spans fit together after a restart. */
export function spanIdOf(requestId: string, part: string): string {
  return sha256(`${requestId} ${part}`).slice(0, 16)
}
