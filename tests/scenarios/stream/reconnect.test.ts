import { expect } from 'vitest'
import type { DialectName } from '../../../src/stream/index.ts'
import type { SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { longRound } from './support/long-round.ts'
import { charsIn, comeBack, connect, type Patience, type Seen } from './support/reader.ts'
import { expectSame, type Truth } from './support/same.ts'

const DIALECTS: readonly DialectName[] = ['native', 'phased', 'chat', 'turns']
const MOMENTS = 1000
const CLIENTS = 12
/** So many for each piece of text: enough for all moments before the last tool is called. */
const MOMENTS_A_PIECE = 7

/** The same numbers every time: a failure can be seen again. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function truthOf(u: SegnoUnderTest, requestId: string, unbroken: readonly Seen[]): Promise<Truth> {
  const events = (await u.events()).filter((event) => event.requestId === requestId)
  return { unbroken, events }
}

/** Approves what is asked, as soon as it is. */
async function approve(u: SegnoUnderTest): Promise<void> {
  await u.until('round.waiting')
  for (const approval of await u.pending()) await u.decide(approval, 'approve')
}

verifies(
  ['GOV-17', 'LIN-1', 'REL-1'],
  'from every id a stream ever sent a client gets exactly the rest, in every dialect',
  async () => {
    const u = await longRound()
    u.letGo()
    const { requestId, completion } = await u.send()
    const unbroken = DIALECTS.map(async (dialect) => {
      const seen: Seen[] = []
      await connect(u, { dialect, requestId }, seen)
      return { dialect, seen }
    })
    await Promise.all([completion, approve(u)])
    for (const { dialect, seen } of await Promise.all(unbroken)) {
      const truth = await truthOf(u, requestId, seen)
      expect(truth.events.length).toBeGreaterThan(60)
      expectSame(dialect, seen, truth)
      for (const [i, { id }] of seen.entries()) {
        if (id === undefined) continue
        const all = seen.slice(0, i + 1)
        await connect(u, { dialect, requestId }, all, id)
        expectSame(dialect, all, truth)
      }
    }
  },
)

verifies(
  ['GOV-17', 'LIN-1', 'REL-1'],
  'clients that lose their connection at a thousand moments of a running round miss nothing and get nothing twice',
  async () => {
    let came = Promise.withResolvers<void>()
    const u = await longRound(async () => {
      for (let i = 0; i < MOMENTS_A_PIECE; i++) await came.promise
    })
    const roll = dice(7)
    const { requestId, completion } = await u.send()
    let isRunning = true
    let moments = 0
    let insideText = 0
    const onReturn = (last: Seen | undefined): number | undefined => {
      if (isRunning) moments += 1
      came.resolve()
      came = Promise.withResolvers()
      if (moments >= MOMENTS) u.letGo()
      const isText = last?.event === 'delta' || last?.event === 'message.delta'
      if (isText) insideText += 1
      return isText && charsIn(last) > 1 && roll(3) === 0 ? 1 + roll(charsIn(last) - 1) : undefined
    }
    const patience = (): Patience =>
      isRunning
        ? { frames: 1 + roll(6), ms: 1 + roll(30), isHasty: roll(3) === 0 }
        : { frames: 8 + roll(30), ms: Infinity }
    const watching = DIALECTS.map(async (dialect) => {
      const seen: Seen[] = []
      const clients = Array.from({ length: CLIENTS }, () => comeBack(u, { dialect, requestId }, patience, onReturn))
      await connect(u, { dialect, requestId }, seen)
      return { dialect, seen, clients: await Promise.all(clients) }
    })
    await approve(u)
    await completion
    isRunning = false
    for (const { dialect, seen, clients } of await Promise.all(watching)) {
      const truth = await truthOf(u, requestId, seen)
      for (const client of clients) expectSame(dialect, client, truth)
    }
    expect(moments).toBeGreaterThanOrEqual(MOMENTS)
    expect(insideText).toBeGreaterThan(100)
  },
)
