import { sha256 } from '../lib/hash.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NONE = '0'.repeat(32)

/** 16 bytes in hex. The id of a round is a UUID and has as many, so its trace can be found without a table. */
export function traceIdOf(requestId: string): string {
  const bare = UUID.test(requestId) ? requestId.replaceAll('-', '').toLowerCase() : NONE
  return bare === NONE ? sha256(requestId).slice(0, 32) : bare
}

/** 8 bytes in hex, the same in every process: spans made before and after a restart fit together. */
export function spanIdOf(requestId: string, part: string): string {
  return sha256(`${requestId} ${part}`).slice(0, 16)
}
