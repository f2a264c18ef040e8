import { expect, test } from 'vitest'
import { newId } from '../../src/lib/id.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { appendOutbox } from '../../src/store/postgres/outbox.ts'
import { openedDatabase } from '../support/postgres/opened.ts'

const event = (id: string) => ({ id, type: 'memory.created', tenant: 'acme', at: 1, payload: {} }) as const

test('a slow transaction makes nobody wait, and its event is not missed by whoever removes what was seen', async () => {
  const database = await openedDatabase()
  const { outbox, removeOutbox } = await database.node()
  const here = openDatabase({ url: database.url, connections: 3, connectMs: 5000, statementMs: 20_000 })
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const { promise: appended, resolve: tell } = Promise.withResolvers<void>()
  const [slow, fast] = [newId(), newId()]
  try {
    const first = here.transaction(async (query) => {
      await appendOutbox(query, [event(slow)])
      tell()
      await over
    })
    await appended
    await here.transaction((query) => appendOutbox(query, [event(fast)]))
    const seen = await outbox(0, 9)
    expect(seen.map(({ id }) => id)).toEqual([fast])
    await removeOutbox(seen[0]?.place ?? 0)
    end()
    await first
    expect((await outbox(0, 9)).map(({ id }) => id)).toEqual([slow])
  } finally {
    end()
    await here.close()
  }
})
