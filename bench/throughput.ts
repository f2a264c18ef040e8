import { openFloor } from './floor.ts'
import type { Place } from './place.ts'
import { recordBytes } from './recorded-bytes.ts'
import type { Line } from './report.ts'
import { interleave, spreadOf } from './sampling.ts'
import { freshSession, openSegno, playRound } from './subject.ts'
import { W2 } from './workloads.ts'

const SESSIONS = 20

/** Rounds of one session and of many at once; together they share the wait for the disk. */
export async function benchThroughput(place: Place, samples: number): Promise<Line[]> {
  const { commits, segnoCommits } = await recordBytes(place, W2)
  const folder = place.folder('throughput')
  const segno = await openSegno(folder, 'full')
  const floor = openFloor(folder, 'full')
  let sessions: string[] = []
  const prepare = async (): Promise<void> => {
    sessions = await Promise.all(Array.from({ length: SESSIONS }, () => freshSession(segno)))
  }
  const one = {
    prepare,
    run: async () => {
      for (const id of sessions) await playRound(segno, id, W2.message)
    },
  }
  const many = {
    prepare,
    run: async () => {
      await Promise.all(sessions.map((id) => playRound(segno, id, W2.message)))
    },
  }
  const bare = {
    run: () => {
      for (let i = 0; i < SESSIONS; i++) for (const rows of commits) floor.commit(rows)
    },
  }
  const [oneMs, manyMs, bareMs] = await interleave([one, many, bare], samples, Math.ceil(samples / 2))
  await segno.close()
  floor.close()
  const commitsPerSecond = perSecond(bareMs, SESSIONS * commits.length)
  const line = (name: string, times: number[] | undefined): Line => {
    const rounds = perSecond(times, SESSIONS)
    return {
      name,
      segno: `${rounds.toFixed(0)} rounds/s`,
      floor: `${commitsPerSecond.toFixed(0)} commits/s`,
      ratio: (rounds * segnoCommits) / commitsPerSecond,
    }
  }
  return [
    line('W2 FULL, commits of 1 session per bare commit', oneMs),
    line(`W2 FULL, commits of ${SESSIONS} sessions per bare commit`, manyMs),
  ]
}

function perSecond(times: number[] | undefined, things: number): number {
  return (things * 1000) / spreadOf(times).median
}
