import type { Store } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { STORE } from '../support/store-under-test.ts'

/** What a store was asked and has not answered yet: time must not be said to pass meanwhile. */
export const asked = { now: 0 }

/** A store that histories can be played on, with nothing in it but that their owner has preferences. */
export async function propertyStore(): Promise<Store> {
  const store = await emptyStore()
  // Words of people who have none are not kept.
  await store.putPreferences({ tenant: 'local', userId: 'owner', preferences: {}, salt: 'salt', updatedAt: 0 })
  return store
}

async function emptyStore(): Promise<Store> {
  if (STORE === 'sqlite') return openSqliteStore({ file: ':memory:', durability: 'normal' })
  const database = await reusedDatabase()
  const node = { id: () => 'a history' }
  const options = { url: database.url, node, connections: 8, connectMs: 60_000, statementMs: 60_000 }
  const { store } = await openPostgres(options)
  const close = async (): Promise<void> => {
    await store.close()
    await database.giveBack()
  }
  return counted({ ...store, close })
}

function counted(store: Store): Store {
  const wrap =
    (call: (...values: unknown[]) => unknown) =>
    (...values: unknown[]): unknown => {
      const answer = call(...values)
      if (!(answer instanceof Promise)) return answer
      asked.now += 1
      return answer.finally(() => (asked.now -= 1))
    }
  return Object.fromEntries(
    Object.entries(store).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'function' ? wrap(value as (...values: unknown[]) => unknown) : value,
    ]),
  ) as unknown as Store
}
