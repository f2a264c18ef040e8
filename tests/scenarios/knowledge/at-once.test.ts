import { expect } from 'vitest'
import { createDocuments } from '../../../src/knowledge/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { Store } from '../../../src/store/index.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { tempFolder } from '../workspace/support.ts'
import { ada, HANDBOOK } from './support.ts'

/** Documents as each of several nodes has them; none stores anything before all have read what they were sent. */
function documentsOf(store: Store, nodes: number) {
  const all = Promise.withResolvers<void>()
  let reading = 0
  const parse = async () => {
    if (++reading % nodes === 0) all.resolve()
    await all.promise
    return [{ place: 'part 1', text: 'Leave.' }]
  }
  const vectors = { view: () => Promise.reject(new Error('unused')), wake() {} }
  return Array.from({ length: nodes }, () =>
    createDocuments(store, {
      clock: systemClock,
      fourEyes: true,
      people: async () => new Set(),
      workspace: async () => {},
      find: async () => [],
      parse,
      vectors,
    }),
  )
}

const refused = {
  reason: { code: 'CONFLICT', message: expect.stringContaining('with the same content: "Leave"') as string },
}

verifies('GOV-19', 'the same content uploaded on two nodes at once is one document, and said to be there', async () => {
  const store = await openStoreOf(tempFolder())
  const nodes = documentsOf(store, 2)
  const done = await Promise.allSettled(nodes.map((one) => one.create(ada, { title: 'Leave', content: HANDBOOK })))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(done.filter(({ status }) => status === 'rejected')).toMatchObject([refused])
  expect((await store.documents({ tenant: ada.tenant })).items).toHaveLength(1)
  await store.close()
})

verifies('GOV-19', 'the same request on two nodes at once gets one document, however they meet', async () => {
  const store = await openStoreOf(tempFolder())
  const [one] = documentsOf(store, 1)
  for (const look of ['documentsWith', 'findClaim', 'putDocument'] as const) {
    const wanted = { title: 'Leave', content: `Words of ${look}.` }
    const inBetween = async () => one?.create(ada, wanted, look)
    const slow: Partial<Store> = {
      async documentsWith(...given) {
        const found = await store.documentsWith(...given)
        if (look === 'documentsWith') await inBetween()
        return found
      },
      async findClaim(...given) {
        const found = await store.findClaim(...given)
        if (look === 'findClaim') await inBetween()
        return found
      },
      async putDocument(...given) {
        if (look === 'putDocument') await inBetween()
        return store.putDocument(...given)
      },
    }
    const [other] = documentsOf({ ...store, ...slow }, 1)
    expect(await other?.create(ada, wanted, look)).toEqual(await one?.create(ada, wanted, look))
  }
  expect((await store.documents({ tenant: ada.tenant })).items).toHaveLength(3)
  await store.close()
})

verifies(
  'GOV-19',
  'two documents that are given the same content on two nodes at once do not both get it',
  async () => {
    const store = await openStoreOf(tempFolder())
    const nodes = documentsOf(store, 2)
    const before = await Promise.all(nodes.map((one, i) => one.create(ada, { title: 'Leave', content: `Part ${i}.` })))
    const changed = nodes.map((one, i) => one.change(ada, before[i]?.id ?? '', { content: HANDBOOK }))
    const done = await Promise.allSettled(changed)
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(done.filter(({ status }) => status === 'rejected')).toMatchObject([refused])
    const { items } = await store.documents({ tenant: ada.tenant })
    expect(items.filter(({ revision }) => revision === 2)).toHaveLength(1)
    await store.close()
  },
)
