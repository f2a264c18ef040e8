import { sha256 } from '../lib/hash.ts'
import type { HandOver } from './engine.ts'
import { isMessageId } from './standard-webhooks.ts'

/** A key as engines see it: one that could not stand in a header is sent as its hash. */
export const sentKey = (key: string): string => (isMessageId(key) ? key : sha256(key))

/** What every request that starts a workflow carries. */
export function workHeaders({ key, invocationId, depth, callback }: HandOver): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'idempotency-key': sentKey(key),
    'segno-invocation': invocationId,
    'segno-depth': String(depth),
    ...(callback && { 'segno-callback-url': callback.url, 'segno-callback-token': callback.token }),
  }
}
