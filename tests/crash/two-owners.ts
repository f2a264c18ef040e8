import { checkStored } from '../../src/round/index.ts'
import { join } from 'node:path'
import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { later } from '../../src/lib/later.ts'
import { Fenced } from '../../src/round/session-errors.ts'
import type { Change, Store } from '../../src/store/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { checkAll } from './checks/check-all.ts'
import type { Violation } from './checks/evidence.ts'
import { oneWriter, type Write } from './checks/one-writer.ts'
import { effectTools } from './effect-tools.ts'
import type { Ledger } from './ledger.ts'
import { messageOf, type Episode } from './plan.ts'
import { scriptOf } from './script-of.ts'

export interface Guards {
  /** commits are taken under any epoch */
  readonly looseEpoch?: boolean
  /** commits are taken behind any number */
  readonly looseNumber?: boolean
  /** both owners hold the same epoch, so that only numbers can tell them apart */
  readonly sharedEpoch?: boolean
}

const PATIENCE_MS = 3000

/**
 * Two owners of one session on one store: the second takes a running round over just when the first stores the result
 * of its call. Whoever lost the session must store nothing more and start nothing more.
 */
export async function twoOwners(home: string, ledger: Ledger, guards: Guards): Promise<Violation[]> {
  const episode: Episode = { id: '1', protocol: 'unified', effect: 'unsafe', calls: 2 }
  const store = openSqliteStore({ file: join(home, 'segno.db'), durability: 'full' })
  const writes: Write[] = []
  const owner = { epoch: 1, head: 1 }
  const inTool = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()

  function write(writer: string): Pick<Store, 'commit' | 'claim' | 'release' | 'close'> {
    return {
      async commit(change) {
        if (change.create) return store.commit(change)
        const before = { ...owner }
        const result = await store.commit(loosened(change, guards, owner))
        const taken = result.kind === 'committed'
        writes.push({ writer, epoch: change.epoch, expected: change.expected, owner: before, taken })
        if (taken) owner.head += change.events.length
        if (change.events.some(({ type }) => type === 'tool.result')) stored.resolve()
        return result
      },
      async claim(sessionId) {
        if (guards.sharedEpoch && writes.length > 0) return { ...owner }
        const claimed = await store.claim(sessionId)
        return claimed && Object.assign(owner, claimed)
      },
      // Each owner believes the store is its own; what one lets go the other still holds.
      release() {},
      close: async () => {},
    }
  }

  const options = {
    home,
    env: {},
    model: scriptOf([episode]),
    builtInTools: false,
    limits: { DRAIN_MS: PATIENCE_MS },
    tools: effectTools({
      home,
      ledger: ledger.url,
      hit: () => {},
      async inside() {
        inTool.resolve()
        await mayGoOn.promise
      },
    }),
  }
  const first = await compose(options, { store: () => ({ ...store, ...write('the first owner') }) })
  const { id } = await first.createSession()
  const { requestId } = await first.rounds.send(LOCAL_OWNER, id, messageOf(episode))
  await inTool.promise
  // It may be fenced while it starts.
  const starting = compose(options, {
    store: () => ({
      ...store,
      ...write('the second owner'),
      async readSlice(sessionId, after, most) {
        const slice = await store.readSlice(sessionId, after, most)
        mayGoOn.resolve()
        await stored.promise
        return slice
      },
    }),
  })
  const second = await starting.catch((error: unknown) => {
    if (!(error instanceof Fenced)) throw error
    return undefined
  })
  await Promise.race([(second ?? first).completion(id, requestId), later(PATIENCE_MS)])
  await Promise.all([first.close(), second?.close()])
  const state = { sessions: [{ id, events: await store.read(id) }], pending: [], check: await checkStored(store) }
  await store.close()
  return [...oneWriter(writes), ...checkAll({ lives: [], deliveries: ledger.of(home), state, episodes: [] })]
}

function loosened(change: Change, { looseEpoch, looseNumber }: Guards, owner: { epoch: number; head: number }): Change {
  return {
    ...change,
    ...(looseEpoch && { epoch: owner.epoch }),
    ...(looseNumber && { expected: owner.head }),
  }
}
