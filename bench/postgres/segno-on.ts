import { compose } from '../../src/app.ts'
import type { Segno } from '../../src/segno.ts'
import type { Place } from '../place.ts'
import { nothing, script } from '../workloads.ts'

/** Segno as an embedder gets it, on a PostgreSQL of its own. */
export function openSegnoOn(url: string, place: Place): Promise<Segno> {
  const env = { SEGNO_DATABASE_URL: url }
  return compose({ home: place.folder('on-postgres'), model: script, tools: [nothing], env }, {})
}
