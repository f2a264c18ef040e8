import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openFloor } from './floor.ts'
import type { Place } from './place.ts'
import { recordBytes } from './recorded-bytes.ts'
import { atMost, compare, type Line } from './report.ts'
import { interleave } from './sampling.ts'
import { freshSession, longSession, openSegno, playRound } from './subject.ts'
import { W2 } from './workloads.ts'

const MESSAGES = 1000

/** Does a round get slower, or write more, the longer or the older its session is? Here a short one is the floor. */
export async function benchHistory(place: Place, samples: number): Promise<Line[]> {
  const folder = place.folder('history')
  const segno = await openSegno(folder, 'normal')
  const long = await longSession(segno, MESSAGES)
  const early = await freshSession(segno)
  let short = ''
  let newest = ''
  const play = (id: () => string) => ({
    // Events of one session stand together, so only the newest writes at the end of its table: `short` is not it.
    prepare: async () => {
      short = await freshSession(segno)
      for (let i = 0; i < 3; i++) newest = await freshSession(segno)
    },
    run: () => playRound(segno, id(), W2.message),
  })
  const sides = [play(() => long), play(() => short), play(() => newest)]
  const [longMs, shortMs, newestMs] = await interleave(sides, samples, Math.ceil(samples / 2))
  await segno.close()

  const bytes = await segnoWritten(folder, long, early)
  const floorBytes = await floorWritten(place)
  return [
    compare(`W2 on ${MESSAGES} messages, next to a short session`, longMs, shortMs, 1.2),
    compare('W2 on a short session, next to the newest one', shortMs, newestMs),
    bytesLine(`bytes of W2 on ${MESSAGES} messages, next to a short session`, bytes.long, bytes.short, 1.2),
    bytesLine('bytes of W2 on a short session, next to the floor', bytes.short, floorBytes),
    bytesLine('bytes of W2 on the newest session, next to the floor', bytes.newest, floorBytes),
  ]
}

async function segnoWritten(folder: string, long: string, short: string) {
  const segno = await openSegno(folder, 'normal')
  const newest = await freshSession(segno)
  const growth = (id: string): Promise<number> =>
    written(join(folder, 'segno.db-wal'), () => playRound(segno, id, W2.message))
  const bytes = { long: await growth(long), short: await growth(short), newest: await growth(newest) }
  await segno.close()
  return bytes
}

const REPEATS = 8

/** Growth of the write-ahead log for one round; few enough rounds that none of them checkpoints. */
async function written(file: string, round: () => Promise<void>): Promise<number> {
  await round()
  await nextTurn()
  const before = statSync(file).size
  for (let i = 0; i < REPEATS; i++) {
    await round()
    await nextTurn()
  }
  const after = statSync(file).size
  if (after <= before) throw new Error('the write-ahead log was checkpointed while it was measured')
  return (after - before) / REPEATS
}

async function floorWritten(place: Place): Promise<number> {
  const folder = place.folder('history-floor')
  const { commits } = await recordBytes(place, W2)
  const floor = openFloor(folder, 'normal', false)
  const bytes = await written(join(folder, 'floor.db-wal'), () => floor.round(W2, commits))
  floor.close()
  return bytes
}

function bytesLine(name: string, segno: number, floor: number, limit?: number): Line {
  const show = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`
  const ratio = segno / floor
  return { name, segno: show(segno), floor: show(floor), ratio, ...atMost(ratio, limit) }
}
