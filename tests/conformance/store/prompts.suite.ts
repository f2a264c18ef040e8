import { describe, expect, test } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import type { GovernedPrompt } from '../../../src/contract/governed-prompt.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Claim, NewPrompt, PromptChanges, Store } from '../../../src/store/index.ts'
import type { Subject } from './subject.ts'

const draft = (more: Partial<NewPrompt> = {}): NewPrompt => ({
  id: newId(),
  tenant: 'acme',
  workspaceId: 'sales',
  name: 'house style',
  content: 'Be "brief" & kind 🌍.\nAlways.',
  author: 'ada',
  tokens: 12,
  createdAt: 100,
  ...more,
})

/** As it is stored first. */
const stored = (prompt: NewPrompt, version = 1): GovernedPrompt => ({
  ...prompt,
  version,
  status: 'draft',
  editors: [],
  updatedAt: prompt.createdAt,
  revision: 1,
})

const claimFor = (id: string): Claim => ({ key: 'once', hash: `of ${id}`, result: { id } })
const record = (id: string) =>
  auditRecord('key_created', { id: newId(), at: 100, userId: 'root', tenant: 'acme' }, { keyId: id })

async function put(store: Store, prompt: NewPrompt): Promise<GovernedPrompt> {
  const answer = await store.putPrompt(prompt)
  if ('kind' in answer) throw new Error('it was repeated')
  return answer
}

/** One that somebody approved, at revision 2. */
async function approved(store: Store, more: Partial<NewPrompt> = {}): Promise<GovernedPrompt> {
  const { id } = await put(store, draft(more))
  const changed = await store.changePrompt(id, 1, { status: 'approved', reviewer: 'bob' }, 200)
  if (!changed) throw new Error('it was not approved')
  return changed
}

export function promptSuite(it: Subject): void {
  const recorded = async (): Promise<unknown[]> =>
    (await it.store.auditPage({ tenant: 'acme' })).items.map(({ metadata }) => metadata.keyId)

  const all = async (): Promise<GovernedPrompt[]> => (await it.store.prompts({ tenant: 'acme', limit: 1000 })).items

  describe('a prompt', () => {
    test('is a draft when it is put, and found so by its id, also after a restart', async () => {
      const one = draft()
      expect(await it.store.putPrompt(one)).toEqual(stored(one))
      expect(await it.store.prompt(one.id)).toEqual(stored(one))
      expect(await it.store.prompt('nope')).toBeUndefined()
      expect(await (await it.reopen()).prompt(one.id)).toEqual(stored(one))
    })

    test('gets the next version of its name in its workspace', async () => {
      const wished = [draft(), draft(), draft({ name: 'other' }), draft({ workspaceId: 'b' }), draft({ tenant: 'b' })]
      const versions: number[] = []
      for (const one of [...wished, draft()]) versions.push((await put(it.store, one)).version)
      expect(versions).toEqual([1, 2, 1, 1, 1, 3])
    })

    test('gets a version of its own where several are put at the same moment', async () => {
      const stores = [it.store, await it.second()]
      const puts = Array.from({ length: 20 }, (_, i) => put(stores[i % 2] ?? it.store, draft()))
      const versions = (await Promise.all(puts)).map(({ version }) => version)
      expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    })

    test('whose id is taken changes nothing', async () => {
      const one = draft()
      await it.store.putPrompt(one)
      const taken = it.store.putPrompt(draft({ id: one.id, content: 'other' }), {
        claim: claimFor('x'),
        audit: [record('x')],
      })
      await expect(taken).rejects.toThrow()
      expect(await all()).toEqual([stored(one)])
      expect([await it.store.findClaim('once'), await recorded()]).toEqual([undefined, []])
    })

    test('is put under a claim once and recorded once, also when it is asked for at the same moment', async () => {
      const wished = [draft(), draft(), draft()]
      const answers = await Promise.all(
        wished.map((one) => it.store.putPrompt(one, { claim: claimFor(one.id), audit: [record(one.id)] })),
      )
      const [first] = wished as [NewPrompt]
      const repeated = { kind: 'repeated', claim: claimFor(first.id) }
      expect(answers).toEqual([stored(first), repeated, repeated])
      expect(await all()).toEqual([stored(first)])
      expect(await recorded()).toEqual([first.id])
    })
  })

  describe('the list of prompts', () => {
    test('has those of a tenant in pages, newest first', async () => {
      const wished = Array.from({ length: 5 }, () => draft())
      for (const one of [draft({ tenant: 'b' }), ...wished]) await it.store.putPrompt(one)
      const first = await it.store.prompts({ tenant: 'acme', limit: 2 })
      const second = await it.store.prompts({ tenant: 'acme', limit: 2, cursor: first.next ?? '' })
      const third = await it.store.prompts({ tenant: 'acme', limit: 2, cursor: second.next ?? '' })
      const ids = [first, second, third].map(({ items }) => items.map(({ id }) => id))
      const [a, b, c, d, e] = wished.map(({ id }) => id)
      expect(ids).toEqual([[e, d], [c, b], [a]])
      expect(third.next).toBeNull()
      await expect(it.store.prompts({ tenant: 'acme', cursor: 'nonsense' })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    })

    test('has only those of a workspace or in a state, if asked for them', async () => {
      const [here, there] = [await put(it.store, draft()), await put(it.store, draft({ workspaceId: 'b' }))]
      const ready = await approved(it.store)
      const items = async (query: object) => (await it.store.prompts({ tenant: 'acme', ...query })).items
      expect(await items({ workspaceId: 'sales' })).toEqual([ready, here])
      expect(await items({ status: 'draft' })).toEqual([there, here])
      expect(await items({ workspaceId: 'sales', status: 'approved' })).toEqual([ready])
      expect(await items({ workspaceId: 'sales', status: 'active' })).toEqual([])
    })
  })

  describe('a change of a prompt', () => {
    const changes: [what: string, changes: PromptChanges, to: Partial<GovernedPrompt>][] = [
      ['its words', { content: 'b', tokens: 3, editors: ['eve', 'bob'] }, {}],
      ['its name', { name: 'other' }, {}],
      ['its status', { status: 'pending_review' }, {}],
      ['who approved it', { reviewer: 'bob', selfApproved: true, status: 'approved' }, { selfApproved: true }],
      ['why it was rejected', { reason: 'too "long"', status: 'draft' }, {}],
      ['nothing', {}, {}],
    ]
    for (const [what, given, to] of changes) {
      test(`changes what is given, its time and its revision, and nothing else: ${what}`, async () => {
        const [one, other] = [await put(it.store, draft()), await put(it.store, draft({ workspaceId: 'b' }))]
        const changed = { ...one, ...given, ...to, updatedAt: 300, revision: 2 }
        expect(await it.store.changePrompt(one.id, 1, given, 300)).toEqual(changed)
        expect([await it.store.prompt(one.id), await it.store.prompt(other.id)]).toEqual([changed, other])
      })
    }

    test('removes what it sets to null or false', async () => {
      const one = await put(it.store, draft())
      const given = { reviewer: 'bob', selfApproved: true, reason: 'good' }
      expect(await it.store.changePrompt(one.id, 1, given, 200)).toEqual({
        ...one,
        ...given,
        updatedAt: 200,
        revision: 2,
      })
      const removed = await it.store.changePrompt(one.id, 2, { reviewer: null, selfApproved: false, reason: null }, 300)
      expect(removed).toEqual({ ...one, updatedAt: 300, revision: 3 })
    })

    test('to another name gets the next version of that name', async () => {
      const [one] = [await put(it.store, draft()), await put(it.store, draft())]
      for (const name of ['other', 'other']) await it.store.putPrompt(draft({ name }))
      const same = await it.store.changePrompt(one.id, 1, { name: one.name }, 200)
      expect(same).toMatchObject({ name: one.name, version: 1 })
      expect(await it.store.changePrompt(one.id, 2, { name: 'other' }, 200)).toMatchObject({
        name: 'other',
        version: 3,
      })
      expect(await it.store.changePrompt(one.id, 3, { name: 'third' }, 200)).toMatchObject({
        name: 'third',
        version: 1,
      })
    })

    test('that has not seen the last one changes and records nothing', async () => {
      const one = await put(it.store, draft())
      const seen = await it.store.changePrompt(one.id, 1, { content: 'b' }, 200, [record('seen')])
      expect(await it.store.changePrompt(one.id, 1, { content: 'c' }, 300, [record('stale')])).toBeUndefined()
      expect(await it.store.changePrompt(one.id, 1, { name: 'c' }, 300, [record('stale')])).toBeUndefined()
      expect(await it.store.changePrompt('nope', 1, { content: 'c' }, 300, [record('absent')])).toBeUndefined()
      expect(await it.store.changePrompt('nope', 1, { name: 'c' }, 300, [record('absent')])).toBeUndefined()
      expect(await it.store.prompt(one.id)).toEqual(seen)
      expect(await recorded()).toEqual(['seen'])
    })

    test('succeeds for one of several that have seen the same', async () => {
      const [{ id }, stores] = [await put(it.store, draft()), [it.store, await it.second()]]
      const changes = Array.from({ length: 10 }, (_, i) =>
        (stores[i % 2] ?? it.store).changePrompt(id, 1, { content: `${i}` }, 300),
      )
      const changed = (await Promise.all(changes)).filter((one) => one !== undefined)
      expect(changed).toEqual([await it.store.prompt(id)])
    })
  })

  describe('activating a prompt', () => {
    test('makes it the active one of its workspace, also after a restart', async () => {
      const [one, other] = [await approved(it.store), await approved(it.store, { workspaceId: 'b' })]
      const active = { ...one, status: 'active', updatedAt: 300, activatedAt: 300, reason: 'better', revision: 3 }
      expect(await it.store.activatePrompt(one.id, 2, { at: 300, reason: 'better' })).toEqual(active)
      expect(await it.store.activePrompt('acme', 'sales')).toEqual(active)
      expect(await it.store.activePrompt('acme', 'b')).toBeUndefined()
      expect(await it.store.activePrompt('b', 'sales')).toBeUndefined()
      expect(await it.store.prompt(other.id)).toEqual(other)
      expect(await (await it.reopen()).activePrompt('acme', 'sales')).toEqual(active)
    })

    test('makes the one before it deprecated, which can be activated again', async () => {
      const [one, other] = [await approved(it.store), await approved(it.store)]
      const first = await it.store.activatePrompt(one.id, 2, { at: 300, reason: 'first' })
      await it.store.activatePrompt(other.id, 2, { at: 400 })
      const before = { ...first, status: 'deprecated', updatedAt: 400, revision: 4 }
      expect(await it.store.prompt(one.id)).toEqual(before)
      expect(await it.store.activePrompt('acme', 'sales')).toMatchObject({ id: other.id, activatedAt: 400 })
      const { reason: _, ...again } = { ...first, updatedAt: 500, activatedAt: 500, revision: 5 } as GovernedPrompt
      expect(await it.store.activatePrompt(one.id, 4, { at: 500 })).toEqual(again)
      expect(await it.store.activePrompt('acme', 'sales')).toEqual(again)
    })

    test('that is active already leaves it active', async () => {
      const one = await approved(it.store)
      await it.store.activatePrompt(one.id, 2, { at: 300 })
      expect(await it.store.activatePrompt(one.id, 3, { at: 400 })).toMatchObject({ status: 'active', revision: 4 })
      expect(await it.store.activePrompt('acme', 'sales')).toMatchObject({ id: one.id, activatedAt: 400 })
    })

    test('that was changed meanwhile, was never approved or is absent changes and records nothing', async () => {
      const [active, stale] = [await approved(it.store), await approved(it.store)]
      await it.store.activatePrompt(active.id, 2, { at: 300 })
      const written = await put(it.store, draft())
      const sent = await put(it.store, draft())
      await it.store.changePrompt(sent.id, 1, { status: 'pending_review' }, 200)
      const before = await all()
      const wished: [id: string, revision: number][] = [
        [stale.id, 1],
        [stale.id, 3],
        [written.id, 1],
        [sent.id, 2],
        ['nope', 1],
      ]
      for (const [id, revision] of wished)
        expect(await it.store.activatePrompt(id, revision, { at: 400 }, [record(id)])).toBeUndefined()
      expect(await all()).toEqual(before)
      expect(await recorded()).toEqual([])
    })

    test('is recorded with it', async () => {
      const one = await approved(it.store)
      await it.store.activatePrompt(one.id, 2, { at: 300 }, [record('activated')])
      expect(await recorded()).toEqual(['activated'])
    })

    test('a hundred times at the same moment leaves exactly one active', async () => {
      const stores = [it.store, await it.second()]
      const wished: GovernedPrompt[] = []
      for (let i = 0; i < 100; i++) wished.push(await approved(it.store))
      const activated = await Promise.all(
        wished.map(({ id }, i) => (stores[i % 2] ?? it.store).activatePrompt(id, 2, { at: 300 + i })),
      )
      expect(activated.map((one) => one?.status)).toEqual(wished.map(() => 'active'))
      const after = await all()
      const [active, ...others] = after.filter(({ status }) => status === 'active')
      expect([await it.store.activePrompt('acme', 'sales'), others]).toEqual([active, []])
      expect(after.filter(({ status }) => status === 'deprecated')).toHaveLength(99)
    })

    test('while it is changed and others are put happens whole or not at all', async () => {
      const stores = [it.store, await it.second()]
      const [active, next] = [await approved(it.store), await approved(it.store)]
      await it.store.activatePrompt(active.id, 2, { at: 300 })
      const [activated, , deprecated] = await Promise.all([
        stores[0]?.activatePrompt(next.id, 2, { at: 400 }),
        stores[1]?.putPrompt(draft()),
        stores[1]?.changePrompt(active.id, 3, { status: 'deprecated' }, 400),
        stores[0]?.changePrompt(active.id, 3, { name: 'renamed' }, 400),
      ])
      expect(activated).toMatchObject({ id: next.id, status: 'active' })
      expect(deprecated === undefined || deprecated.revision === 4).toBe(true)
      expect(await it.store.activePrompt('acme', 'sales')).toEqual(activated)
      expect(await it.store.prompt(active.id)).toMatchObject({ status: 'deprecated' })
    })
  })

  test('prompts leave the store sound', async () => {
    const one = await approved(it.store)
    await it.store.activatePrompt(one.id, 2, { at: 300 }, [record('activated')])
    expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
  })
}
