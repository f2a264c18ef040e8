/**
 * A hundred sessions of one user set aside and spend until killed, each again and again; those that an earlier process
 * left open are taken over first. Says how far it is. Arguments: file, seed.
 */
import { writeSync } from 'node:fs'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { started } from '../../conformance/store/facts.ts'
import { at, call, NOON, paid, takenOver, turn, turned } from '../../conformance/store/money-facts.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'

const [file = '', seed = '1'] = process.argv.slice(2)
const store = openSqliteStore({ file, durability: 'normal' })
let dice = Number(seed)
const roll = (most: number): number => (dice = (dice * 48_271) % 2_147_483_647) % (most + 1)

/** Commits if it fits. */
async function attempt(writer: SessionWriter, ...events: Parameters<SessionWriter['write']>): Promise<boolean> {
  const answer = await store.commit(writer.change(at(NOON, ...events)))
  if (answer.kind === 'committed') writer.head += events.length
  return answer.kind === 'committed'
}

function openCalls(log: readonly StoredEvent[]): Set<string> {
  const open = new Set<string>()
  for (const { type, data } of log) {
    if (type === 'tool.started') open.add(data.callId)
    else if (type === 'tool.result') open.delete(data.callId)
  }
  return open
}

async function spend(id: string): Promise<never> {
  const round = `round of ${id}`
  const known = await store.session(id)
  const writer = known ? await SessionWriter.claim(store, id) : await SessionWriter.create(store, {}, id)
  if (!known) await writer.write(...at(NOON, started(round)))
  const log = await writer.read()
  const last = log.findLast((event) => event.type === 'turn.started' || event.type === 'turn.ended')
  const before = last?.data.turn ?? 0
  if (last?.type === 'turn.started') {
    const goesOn = await attempt(writer, takenOver(round, before, { tokens: 20, cost: 20 }))
    await attempt(writer, goesOn ? turned(round, before, roll(20), roll(20)) : turned(round, before, 0))
  }
  for (const callId of openCalls(log)) await attempt(writer, paid(round, callId, 10))
  for (let n = before + 1; ; n++) {
    const tokens = 1 + roll(30)
    if (await attempt(writer, turn(round, n, tokens, tokens))) {
      const callId = `call ${n} of ${id}`
      const ran = await attempt(writer, ...call(round, callId, 10, { concurrent: 30 }))
      await attempt(writer, turned(round, n, roll(tokens), roll(tokens)))
      if (ran) await attempt(writer, paid(round, callId, roll(10)))
    }
    writeSync(1, '1\n')
    await new Promise(setImmediate)
  }
}

await Promise.all(Array.from({ length: 100 }, (_, i) => spend(`session ${i}`)))
