import { openFloor } from './floor.ts'
import type { Place } from './place.ts'
import { recordBytes } from './recorded-bytes.ts'
import { compare, type Line } from './report.ts'
import { interleave } from './sampling.ts'
import { freshSession, openSegno, playRound, type Durability } from './subject.ts'
import type { Workload } from './workloads.ts'

/** A round on a session that is in memory, next to the same streams and the same bytes. */
export async function benchRound(
  place: Place,
  workload: Workload,
  durability: Durability,
  samples: number,
  limit?: number,
): Promise<Line> {
  const { commits } = await recordBytes(place, workload)
  const folder = place.folder(`${workload.name}-${durability}`)
  const segno = await openSegno(folder, durability)
  const floor = openFloor(folder, durability)
  let sessionId = ''
  const ours = {
    prepare: async () => {
      sessionId = await freshSession(segno)
    },
    run: () => playRound(segno, sessionId, workload.message),
  }
  const theirs = { run: () => floor.round(workload, commits) }
  const [segnoMs, floorMs] = await interleave([ours, theirs], samples, Math.ceil(samples / 2))
  await segno.close()
  floor.close()
  return compare(`${workload.name} ${durability.toUpperCase()}`, segnoMs, floorMs, limit)
}
