import { join } from 'node:path'
import { LOCAL_OWNER } from '../src/contract/actor.ts'
import type { NewEvent, StoredEvent } from '../src/contract/event.ts'
import { newId } from '../src/lib/id.ts'
import type { Segno } from '../src/segno.ts'
import type { Store } from '../src/store/index.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import type { Place } from './place.ts'
import { compare, type Line } from './report.ts'
import { interleave } from './sampling.ts'
import { freshSession, openSegno } from './subject.ts'

const EVENTS = 100_000

/** A fork shares instead of copying: the length of what it shares must not matter. */
export async function benchFork(place: Place, samples: number): Promise<Line> {
  const folder = place.folder('fork')
  let segno = await openSegno(folder, 'normal')
  const long = await freshSession(segno)
  const empty = await segno.createSession()
  const round = (await segno.sessions.events(LOCAL_OWNER, long)).filter((event) => event.requestId !== null)
  await segno.close()

  const store = openSqliteStore({ file: join(folder, 'segno.db'), durability: 'normal' })
  const seq = await lengthen(store, long, round, EVENTS)
  await store.close()

  segno = await openSegno(folder, 'normal')
  const ofLong = { run: () => forkAt(segno, long, seq) }
  const ofEmpty = { run: () => forkAt(segno, empty.id, empty.seq) }
  const [longMs, emptyMs] = await interleave([ofLong, ofEmpty], samples, Math.ceil(samples / 2))
  await segno.close()
  return compare(`fork of ${EVENTS} events, next to an empty session`, longMs, emptyMs, 1.2)
}

async function forkAt(segno: Segno, id: string, seq: number): Promise<void> {
  await segno.sessions.fork(LOCAL_OWNER, id, seq)
}

/** Stores the same round again and again, under new ids, until there are so many events. */
export async function lengthen(
  store: Store,
  sessionId: string,
  round: readonly StoredEvent[],
  length: number,
): Promise<number> {
  const owned = await store.claim(sessionId)
  if (owned?.kind !== 'owned') throw new Error('the session is not there')
  let { head } = owned
  while (head < length) {
    const events = again(round)
    await store.commit({ sessionId, epoch: owned.epoch, expected: head, events })
    head += events.length
  }
  return head
}

function again(round: readonly StoredEvent[]): NewEvent[] {
  const requestId = newId()
  return round.map(({ seq: _, sessionId: __, ...event }) => {
    const data = event.type === 'round.started' ? { ...event.data, requestId } : event.data
    return { ...event, id: newId(), requestId, data } as NewEvent
  })
}
