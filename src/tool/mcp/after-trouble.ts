import type { Connection } from './connection.ts'
import type { Instance } from './instance.ts'
import { fateOf, needsNewConnection, plainReason, wantsAuthorization } from './trouble.ts'

/** Drops or checks the connection if a request that failed says so. */
export function afterTrouble(error: unknown, server: Instance, connection: Connection, signal: AbortSignal): void {
  const { sdk } = connection
  if (needsNewConnection(error, sdk) && !signal.aborted) connection.drop(plainReason(error, sdk))
  else if (fateOf(error, sdk) === 'lost' || wantsAuthorization(error, sdk)) server.wake()
}
