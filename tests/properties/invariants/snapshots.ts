import { buildPrompt, type CutLimits } from '../../../src/context/index.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { readState } from '../../../src/round/read-state.ts'
import { fold, snapshotOf, type SessionState } from '../../../src/session/index.ts'
import type { LogStore } from '../../../src/store/index.ts'
import type { Stage } from '../stage.ts'

/** Every session read with the snapshots there are, with some of them and with none is what its whole log says it is. */
export async function snapshotFaults(stage: Stage): Promise<string[]> {
  const faults: string[] = []
  for (const [id, log] of stage.logs) {
    if (fold(log).deleted) continue
    for (const [which, store] of Object.entries({
      all: stage.store,
      some: fewer(stage.store),
      none: none(stage.store),
    }))
      for (const upTo of new Set([log.length, 1 + ((log.length * 7) % log.length), Math.ceil(log.length / 2)])) {
        const { state } = await readState(store, id, stage.plan.window, upTo)
        const what = difference(state, log.slice(0, upTo), stage.plan.window)
        if (what) faults.push(`session ${id} read up to ${upTo} with ${which} of its snapshots has another ${what}`)
      }
  }
  return faults
}

/** In what a session that was read differs from the fold of its log; nothing that is not shown counts. */
export function difference(state: SessionState, log: readonly StoredEvent[], limits: CutLimits): string | undefined {
  const whole = fold(log)
  if (snapshotOf(state) !== snapshotOf(whole)) return 'snapshot'
  if (JSON.stringify(plain(state.round)) !== JSON.stringify(plain(whole.round))) return 'round'
  const froms = [undefined, ...whole.history.exchanges.map(({ seq }) => seq)]
  for (const tokens of new Set([limits.tokens, Math.ceil(limits.tokens / 3)]))
    for (const from of froms) {
      const options = { limits: { ...limits, tokens }, parts: [], from }
      if (JSON.stringify(buildPrompt(state, options)) !== JSON.stringify(buildPrompt(whole, options))) return 'prompt'
    }
  return undefined
}

function plain(round: SessionState['round']): unknown {
  return round && { ...round, signatures: [...round.signatures], said: [...round.said] }
}

/** As if every second of them had been deleted. */
const fewer = (store: LogStore): LogStore => ({
  ...store,
  async snapshot(sessionId, version, upTo) {
    for (let found = await store.snapshot(sessionId, version, upTo); found;) {
      if (found.seq % 2 === 0) return found
      found = await store.snapshot(sessionId, version, found.seq - 1)
    }
    return undefined
  },
})

const none = (store: LogStore): LogStore => ({ ...store, snapshot: async () => undefined })
