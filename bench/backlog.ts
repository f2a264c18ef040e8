import { join } from 'node:path'
import { ssePump, type Sink } from '../src/channel/http/sse-pump.ts'
import { draftEvent } from '../src/contract/event.ts'
import { newId } from '../src/lib/id.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { createHub, followEncoded } from '../src/stream/index.ts'
import type { Place } from './place.ts'
import { atMost, inMs, type Line } from './report.ts'
import { spreadOf } from './sampling.ts'

const EVENTS = 100_000
const IN_A_COMMIT = 10
const READERS = 20

/**
 * The longest time the event loop does not go round while a log of 100,000 events is told, next to what telling all of
 * it takes: that is how long everybody would wait if it was told at once.
 */
export async function benchBacklog(place: Place, samples: number): Promise<Line[]> {
  const store = openSqliteStore({ file: join(place.folder('backlog'), 'segno.db'), durability: 'normal' })
  const hub = createHub(store)
  const sessionId = await longLog(store)

  async function tell(readers: number): Promise<{ longest: number; whole: number }> {
    const start = threadMs()
    let last = start
    let longest = 0
    const turn = (): void => {
      const now = threadMs()
      longest = Math.max(longest, now - last)
      last = now
      timer = setImmediate(turn)
    }
    let timer = setImmediate(turn)
    await Promise.all(
      Array.from({ length: readers }, async () => {
        const stop = new AbortController()
        const over = Promise.withResolvers<void>()
        const where = { sessionId, workspaceId: 'p', outputs: false, dialect: 'native', signal: stop.signal } as const
        const sink: Sink = {
          write(text) {
            if (text.includes(`id: ${EVENTS}\n`)) over.resolve()
            return true
          },
          ready: () => Promise.resolve(),
          end() {},
          break() {},
        }
        void ssePump(followEncoded(store, hub, where), sink, { stop }).run()
        await over.promise
        stop.abort()
      }),
    )
    clearImmediate(timer)
    return { longest, whole: threadMs() - start }
  }

  const lines: Line[] = []
  for (const readers of [1, READERS]) {
    const told: { longest: number; whole: number }[] = []
    for (let i = 0; i < samples; i++) told.push(await tell(readers))
    const longest = spreadOf(told.map((one) => one.longest))
    const whole = spreadOf(told.map((one) => one.whole))
    const ratio = longest.median / whole.median
    const who = readers === 1 ? 'one reader' : `${readers} readers`
    const name = `the longest turn while ${who} of ${EVENTS} events are told, next to all of it`
    lines.push({ name, segno: inMs(longest), floor: inMs(whole), ratio, ...atMost(ratio, 0.05) })
  }
  await store.close()
  return lines
}

/** Time of this thread: what else runs on the machine does not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function longLog(store: ReturnType<typeof openSqliteStore>): Promise<string> {
  const sessionId = newId()
  const event = (draft: ReturnType<typeof draftEvent>) => ({
    id: newId(),
    v: 1,
    at: 0,
    requestId: null,
    ...draft,
  })
  const created = draftEvent('session.created', { actor: { id: 'a', tenant: 'local' }, workspaceId: 'w', title: 'x' })
  await store.commit({ sessionId, epoch: 1, expected: 0, events: [event(created)], create: {} })
  for (let head = 1; head < EVENTS; head += IN_A_COMMIT) {
    const notice = draftEvent('notice', { text: 'x'.repeat(100), reason: 'bench' })
    const events = Array.from({ length: Math.min(IN_A_COMMIT, EVENTS - head) }, () => event(notice))
    await store.commit({ sessionId, epoch: 1, expected: head, events })
  }
  return sessionId
}
