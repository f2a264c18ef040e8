import { checkStored } from '../../src/round/index.ts'
import { join } from 'node:path'
import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { delay } from '../../src/lib/delay.ts'
import { Fenced } from '../../src/round/stopping.ts'
import type { Change, Store } from '../../src/store/index.ts'
import { openForNodes } from '../support/sqlite-nodes.ts'
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
 * Two owners of one session, each with its own handle on one open file: the time of the first is over, and the second
 * takes a running round over just when the first stores the result of its call. Whoever lost the session must store
 * nothing more and start nothing more.
 */
export async function twoOwners(home: string, ledger: Ledger, guards: Guards): Promise<Violation[]> {
  const episode: Episode = { id: '1', protocol: 'unified', effect: 'unsafe', calls: 2 }
  const open = openForNodes({ file: join(home, 'segno.db'), durability: 'full' })
  let until = Infinity
  const [one, other, reader] = [
    open({ id: 'the first owner', until: () => until }),
    open({ id: 'the second owner', until: () => Infinity }),
    open({ id: 'a reader', until: () => 0 }),
  ]
  let holder = one
  const writes: Write[] = []
  const owner = { epoch: 1, head: 1 }
  const inTool = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()

  function write(writer: string, store: Store): Store {
    return {
      ...store,
      async commit(change) {
        if (change.create) return store.commit(change)
        const before = { ...owner }
        const through = guards.looseEpoch || guards.sharedEpoch ? holder : store
        const result = await through.commit(loosened(change, guards, owner))
        const taken = result.kind === 'committed'
        writes.push({ writer, epoch: change.epoch, expected: change.expected, owner: before, taken })
        if (taken) owner.head += change.events.length
        if (change.events.some(({ type }) => type === 'tool.result')) stored.resolve()
        return result
      },
      async claim(sessionId) {
        if (guards.sharedEpoch && writes.length > 0) return { kind: 'owned', ...owner }
        const claimed = await store.claim(sessionId)
        if (claimed?.kind !== 'owned') return claimed
        holder = store
        Object.assign(owner, { epoch: claimed.epoch, head: claimed.head })
        return claimed
      },
      // What the first lets go the second, who writes through its handle, still holds.
      release: async (...released) => (guards.sharedEpoch ? undefined : store.release(...released)),
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
  const first = await compose(options, { store: () => write('the first owner', one) })
  const { id } = await first.createSession()
  const { requestId } = await first.rounds.send(LOCAL_OWNER, id, messageOf(episode))
  await inTool.promise
  until = 0
  // It may be fenced while it starts.
  const starting = compose(options, {
    store: () => ({
      ...write('the second owner', other),
      async readSlice(sessionId, after, most) {
        const slice = await other.readSlice(sessionId, after, most)
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
  await Promise.race([(second ?? first).completion(id, requestId), delay(PATIENCE_MS)])
  await Promise.all([first.close(), second?.close()])
  const state = { sessions: [{ id, events: await reader.read(id) }], pending: [], check: await checkStored(reader) }
  await reader.close()
  return [...oneWriter(writes), ...checkAll({ lives: [], deliveries: ledger.of(home), state, episodes: [] })]
}

function loosened(change: Change, { looseEpoch, looseNumber }: Guards, owner: { epoch: number; head: number }): Change {
  return {
    ...change,
    ...(looseEpoch && { epoch: owner.epoch }),
    ...(looseNumber && { expected: owner.head }),
  }
}
