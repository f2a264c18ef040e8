import type { Actor } from '../contract/actor.ts'
import type { Json } from '../contract/message.ts'
import { Problem } from '../contract/problem.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { keyOf } from '../lib/key-of.ts'
import type { Claim } from './inbox.ts'

/** The claim for an idempotency key of this actor, undefined without a key. */
export function claimOf(
  kind: string,
  actor: Actor,
  once: string | undefined,
  wanted: object,
  result: Json,
): Claim | undefined {
  if (once === undefined) return undefined
  return { key: keyOf(kind, actor.tenant, actor.id, once), hash: sha256(canonicalJson(wanted)), result }
}

/** The result of the earlier request with the same key, if it was the same request. */
export function earlierResult<T>(found: Claim, wanted: Claim | undefined): T {
  if (found.hash === wanted?.hash) return found.result as T
  throw keyUsedTwice()
}

export const keyUsedTwice = (): Problem =>
  new Problem('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used for another request; give each its own.')
