import type { Place } from '../place.ts'
import { compare, type Line } from '../report.ts'
import { interleave } from '../sampling.ts'
import { freshSession, playRound } from '../subject.ts'
import { W2 } from '../workloads.ts'
import { openPostgresFloor } from './floor.ts'
import { recordChanges } from './recorded-changes.ts'
import { openSegnoOn } from './segno-on.ts'

/** A round on a session that is in memory, next to the same streams and the bare SQL of its commits on the same server. */
export async function benchPostgresRound(place: Place, url: string, samples: number): Promise<Line> {
  const changes = await recordChanges(place, W2)
  const segno = await openSegnoOn(url, place)
  const floor = await openPostgresFloor(url, changes)
  let sessionId = ''
  const ours = {
    prepare: async () => {
      sessionId = await freshSession(segno)
    },
    run: () => playRound(segno, sessionId, W2.message),
  }
  const theirs = { prepare: floor.prepare, run: () => floor.round(W2) }
  const [segnoMs, floorMs] = await interleave([ours, theirs], samples, Math.ceil(samples / 2))
  await segno.close()
  await floor.close()
  return compare('W2 on PostgreSQL', segnoMs, floorMs, 1.5)
}
