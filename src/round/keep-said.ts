import { sha256 } from '../lib/hash.ts'
import { roundOf, type Work } from './work.ts'

/** Stores what a provider said beside the log, because more people may read the log than traces. */
export function keepSaid(work: Work, said: string | undefined): { providerSaid?: string } {
  if (said === undefined) return {}
  const { session, deps } = work
  const bytes = Buffer.from(said)
  const hash = sha256(bytes)
  session.addBlob({ hash, bytes })
  deps.logSaid({ sessionId: session.id, requestId: roundOf(work).requestId, said })
  return { providerSaid: hash }
}
