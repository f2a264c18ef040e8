import { Listeners } from '../../src/lib/listeners.ts'
import { oneAtATime } from '../../src/lib/one-at-a-time.ts'
import type { Store, Watched } from '../../src/store/index.ts'
import { openSqliteStore, type SqliteOptions } from '../../src/store/sqlite/index.ts'

export interface TestNode {
  readonly id: string
  /** when its ownerships end, by the wall clock */
  until(): number
}

/** One open file as several nodes see a shared database, for tests; closing the last one closes the file. */
export function openForNodes(options: SqliteOptions): (node: TestNode) => Store {
  const store = openSqliteStore(options)
  const open = new Set<TestNode>()
  const owners = new Map<string, TestNode>()
  const heads = new Map<string, number>()
  /** the head of each session that was taken from an owner whose time was over */
  const evictions = new Map<string, number>()
  const unread = new Map<TestNode, Set<string>>()
  const inTurn = oneAtATime<Awaited<ReturnType<Store['claim']>>>()
  store.subscribe((id, events) => heads.set(id, events.at(-1)?.seq ?? 0))

  return (me) => {
    open.add(me)
    unread.set(me, new Set())
    const isMine = (id: string): boolean => owners.get(id) === me
    function other(id: string): TestNode | undefined {
      const owner = owners.get(id)
      return owner === me ? undefined : owner
    }
    function elsewhere(id: string): TestNode | undefined {
      const owner = other(id)
      return owner && owner.until() > Date.now() ? owner : undefined
    }
    async function release(id: string): Promise<void> {
      if (!isMine(id)) return
      owners.delete(id)
      await store.release(id)
    }

    return {
      ...store,
      async commit(change) {
        const { sessionId, create, events } = change
        if (!create && other(sessionId)) return { kind: 'conflict', reason: 'epoch' }
        const isNew = create !== undefined && !owners.has(sessionId)
        if (isNew) owners.set(sessionId, me)
        const result = await store.commit(change)
        const isGone = events.some(({ type }) => type === 'session.deleted')
        if (result.kind === 'committed' ? isGone : isNew) owners.delete(sessionId)
        return result
      },
      claim: (id) =>
        inTurn(id, async () => {
          const owner = elsewhere(id)
          if (owner) return { kind: 'elsewhere', where: owner.id, until: owner.until() }
          const claimed = await store.claim(id)
          if (claimed?.kind !== 'owned') return claimed
          if (other(id)) evictions.set(id, claimed.head)
          owners.set(id, me)
          heads.set(id, claimed.head)
          const evictedAt = evictions.get(id)
          return { ...claimed, ...(evictedAt !== undefined && { evictedAt }) }
        }),
      release,
      async unfinished(most = Infinity) {
        let others = 0
        return (await store.unfinished()).filter((id) => !elsewhere(id) && (isMine(id) || ++others <= most))
      },
      subscribe: (listener) => store.subscribe((id, events) => isMine(id) && listener(id, events)),
      watch(sessionId, listener) {
        const listeners = new Listeners<[Watched]>()
        const tell = (): void => {
          const owner = other(sessionId)
          if (owner) listeners.notify({ head: heads.get(sessionId) ?? 0, owner: owner.id })
        }
        listeners.add(listener)
        if (other(sessionId)) queueMicrotask(tell)
        const stop = store.subscribe((id) => id === sessionId && tell())
        return () => {
          listeners.clear()
          stop()
        }
      },
      async putInput(input, more) {
        const answer = await store.putInput(input, more)
        const owner = other(input.sessionId)
        if (answer === 'stored' && owner) unread.get(owner)?.add(input.sessionId)
        return answer
      },
      async unread() {
        const found = [...(unread.get(me) ?? [])].filter(isMine)
        unread.get(me)?.clear()
        return found
      },
      async close() {
        open.delete(me)
        if (open.size === 0) return store.close()
        // Changes that wait to be written still need ownership.
        await store.ping(Date.now())
        for (const [id] of [...owners].filter(([, owner]) => owner === me)) await release(id)
      },
    }
  }
}
