import type { Context } from 'hono'
import type { AppEnv, Services } from './route.ts'

/** Records a failed sign-in; it is refused even if that fails. */
export async function noteFailure(
  { keys, audit, countFailedSignIn }: Services,
  source: string,
  text: string,
): Promise<void> {
  const failures = countFailedSignIn(source)
  if (failures === undefined) return
  try {
    await audit.signInFailed({ source, failures, key: await keys.claimedKey(text) })
  } catch {
    // It is in the log.
  }
}

export const addressOf = (c: Context<AppEnv>): string | undefined => c.env?.incoming?.socket?.remoteAddress

export function headerNames(c: Context<AppEnv>): string[] {
  const incoming = c.env?.incoming?.headers
  return incoming ? Object.keys(incoming) : [...c.req.raw.headers.keys()]
}
