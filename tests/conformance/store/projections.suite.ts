import { describe, expect, test } from 'vitest'
import type { SessionView } from '../../../src/contract/views.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Page } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { claimOf, created, ended, fact, HERS, input, message, OWNER, said, started, talk } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function projectionSuite(it: Subject): void {
  describe('a session', () => {
    test('is seen as its first event says', async () => {
      const first = created({ alias: 'nick', model: 'scripted/default', protocol: 'triggered', title: 'Hello' })
      const writer = new SessionWriter(it.store, newId(), 1, 0)
      await writer.commit([first], { create: {} })
      const expected: SessionView = {
        id: writer.id,
        alias: 'nick',
        workspaceId: 'home',
        title: 'Hello',
        model: 'scripted/default',
        protocol: 'triggered',
        seq: 1,
        archived: false,
        createdAt: first.at,
        updatedAt: first.at,
        usedAt: first.at,
        owner: { id: 'ada', tenant: 'local' },
      }
      expect(await it.store.session(writer.id)).toEqual(expected)
    })

    test('is seen as it was changed', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(fact('session.changed', { title: 'New', model: 'm', protocol: 'triggered', archived: true }))
      const changed = { title: 'New', model: 'm', protocol: 'triggered', archived: true, seq: 2 }
      expect(await it.store.session(writer.id)).toMatchObject(changed)
    })

    test('loses its model and protocol when they are taken back', async () => {
      const writer = await SessionWriter.create(it.store, { model: 'm', protocol: 'triggered' })
      await writer.write(fact('session.changed', { model: null, protocol: null }))
      const view = await it.store.session(writer.id)
      expect([view?.model, view?.protocol]).toEqual([undefined, undefined])
    })

    verifies('GOV-22', 'has the parameters it was made or changed with, until they are taken back', async () => {
      const output = { schema: { type: 'object', properties: { 'a "b" \u00e9': { type: 'string' } } } } as const
      const writer = await SessionWriter.create(it.store, { params: { temperature: 0.5, output } })
      expect(await it.store.session(writer.id)).toMatchObject({ temperature: 0.5, output })
      await writer.write(fact('session.changed', { title: 'Other' }))
      expect(await it.store.session(writer.id)).toMatchObject({ temperature: 0.5, output })
      await writer.write(fact('session.changed', { params: { toolChoice: { tool: 'look' }, tools: ['look'] } }))
      const [listed] = (await it.store.sessions({ tenant: 'local', owner: 'ada' })).items
      expect(listed).toMatchObject({ toolChoice: { tool: 'look' }, tools: ['look'] })
      expect(listed).not.toHaveProperty('temperature')
      await writer.write(fact('session.changed', { params: {} }))
      expect(await it.store.session(writer.id)).not.toHaveProperty('tools')
    })

    test('keeps what a change does not name', async () => {
      const writer = await SessionWriter.create(it.store, { model: 'm', title: 'Old' })
      await writer.write(fact('session.changed', { protocol: 'unified' }))
      expect(await it.store.session(writer.id)).toMatchObject({ model: 'm', title: 'Old', archived: false })
    })

    test('was last updated and used when its last round started', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('first'), ended('first'))
      const last = started('last')
      await writer.write(last, said())
      expect(await it.store.session(writer.id)).toMatchObject({ updatedAt: last.at, usedAt: last.at })
    })

    test('is archived by its event', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(fact('session.archived', { by: 'ada' }))
      expect(await it.store.session(writer.id)).toMatchObject({ archived: true })
    })

    test('that never was is not found', async () => {
      expect(await it.store.session(newId())).toBeUndefined()
    })
  })

  describe('an alias', () => {
    test('finds its session', async () => {
      const writer = await SessionWriter.create(it.store, { alias: 'nick' })
      expect(await it.store.sessionByAlias(OWNER, 'nick')).toMatchObject({ id: writer.id, alias: 'nick' })
    })

    test('finds nothing for another tenant', async () => {
      await SessionWriter.create(it.store, { alias: 'nick' })
      expect(await it.store.sessionByAlias({ ...OWNER, tenant: 'elsewhere' }, 'nick')).toBeUndefined()
    })

    test('may be the same for somebody else of the tenant', async () => {
      const writer = await SessionWriter.create(it.store, { alias: 'nick' })
      const other = await SessionWriter.create(it.store, { alias: 'nick', actor: { ...OWNER, id: 'bob' } })
      expect(await it.store.sessionByAlias(OWNER, 'nick')).toMatchObject({ id: writer.id })
      expect(await it.store.sessionByAlias({ ...OWNER, id: 'bob' }, 'nick')).toMatchObject({ id: other.id })
    })

    test('is unique for who made it', async () => {
      await SessionWriter.create(it.store, { alias: 'nick' })
      const second = new SessionWriter(it.store, newId(), 1, 0).change([created({ alias: 'nick' })], { create: {} })
      expect(await it.store.commit(second)).toEqual({ kind: 'conflict', reason: 'exists' })
    })

    test('is given to one of several sessions that are created with it at once', async () => {
      const answers = await Promise.allSettled(
        Array.from({ length: 5 }, () => SessionWriter.create(it.store, { alias: 'nick' })),
      )
      expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    })

    test('may be the same in another tenant', async () => {
      await SessionWriter.create(it.store, { alias: 'nick' })
      const other = await SessionWriter.create(it.store, { alias: 'nick', actor: { id: 'bob', tenant: 'elsewhere' } })
      expect(await it.store.sessionByAlias({ id: 'bob', tenant: 'elsewhere' }, 'nick')).toMatchObject({ id: other.id })
    })

    test('is free again once its session is deleted', async () => {
      const writer = await SessionWriter.create(it.store, { alias: 'nick' })
      await writer.remove()
      const next = await SessionWriter.create(it.store, { alias: 'nick' })
      expect(await it.store.sessionByAlias(OWNER, 'nick')).toMatchObject({ id: next.id })
    })

    test('does not pass to a fork', async () => {
      const writer = await SessionWriter.create(it.store, { alias: 'nick' })
      await writer.fork(1)
      expect(await it.store.sessionByAlias(OWNER, 'nick')).toMatchObject({ id: writer.id })
    })
  })

  describe('the list of sessions', () => {
    async function pages(limit: number, between?: () => Promise<unknown>): Promise<string[][]> {
      const found: string[][] = []
      let cursor: string | undefined
      do {
        const page: Page<SessionView> = await it.store.sessions({ ...HERS, limit, ...(cursor && { cursor }) })
        found.push(page.items.map((view) => view.id))
        cursor = page.next ?? undefined
        await between?.()
      } while (cursor !== undefined && found.length < 20)
      return found
    }

    for (const [limit, sizes] of [
      [3, [3, 3, 1]],
      [7, [7]],
      [6, [6, 1]],
      [1, [1, 1, 1, 1, 1, 1, 1]],
      [50, [7]],
    ] as const) {
      test(`of seven comes in pages of at most ${limit}`, async () => {
        for (let i = 0; i < 7; i++) await SessionWriter.create(it.store)
        expect((await pages(limit)).map((page) => page.length)).toEqual(sizes)
      })
    }

    test('has the last used first: a round moves a session up, nothing else does', async () => {
      const one = await SessionWriter.create(it.store)
      const two = await SessionWriter.create(it.store)
      const three = await SessionWriter.create(it.store)
      const order = async (): Promise<string[]> => (await pages(1)).flat()
      await two.write(started('r'), said())
      const used = [two.id, three.id, one.id]
      expect(await order()).toEqual(used)
      await three.write(fact('session.changed', { title: 'New', model: 'm' }))
      await one.write(fact('session.archived', { by: 'ada' }), said(), fact('context.cleared', { by: 'ada' }))
      await it.store.putInput(input(one.id, message('waits')))
      await three.write(fact('session.changed', { archived: true }), fact('session.changed', { archived: false }))
      expect(await order()).toEqual(used)
      await one.write(started('q'))
      await two.write(ended('r'))
      expect(await order()).toEqual([one.id, two.id, three.id])
      await it.reopen()
      expect(await order()).toEqual([one.id, two.id, three.id])
    })

    test('shows a fork as used when it was made, whatever it inherited, and its parent where it was', async () => {
      const parent = await SessionWriter.create(it.store)
      await parent.write(started('r'), ended('r'))
      const other = await SessionWriter.create(it.store)
      const fork = await parent.fork(3)
      expect((await pages(10)).flat()).toEqual([fork.id, other.id, parent.id])
      const last = started('q')
      await parent.write(last)
      expect((await pages(10)).flat()).toEqual([parent.id, fork.id, other.id])
      expect((await it.store.session(fork.id))?.usedAt).toBe((await it.store.session(fork.id))?.createdAt)
    })

    test('shows every session once, also where many were used in the same moment', async () => {
      const ids: string[] = []
      for (let i = 0; i < 7; i++) {
        const writer = new SessionWriter(it.store, newId(), 1, 0)
        await writer.commit([{ ...created(), at: 5000 }], { create: {} })
        if (i % 3 === 0) await writer.write(fact('session.archived', { by: 'ada' }))
        ids.push(writer.id)
      }
      expect((await pages(2)).flat()).toEqual(ids.toReversed())
    })

    test('shows every session that is not used meanwhile once, and comes to an end', async () => {
      const writers: SessionWriter[] = []
      for (let i = 0; i < 9; i++) writers.push(await SessionWriter.create(it.store))
      const [lowest, middle, , , , , , , highest] = writers as [SessionWriter, SessionWriter, ...SessionWriter[]]
      const busy = [lowest, middle, highest as SessionWriter]
      let turn = 0
      const found = await pages(2, async () => {
        for (const writer of busy) await writer.write(started(`${writer.id} ${turn}`), ended(`${writer.id} ${turn}`))
        turn++
      })
      const seen = found.flat()
      const still = writers.filter((writer) => !busy.includes(writer)).map(({ id }) => id)
      expect(seen.filter((id) => still.includes(id))).toEqual(still.toReversed())
      expect(found.length).toBeLessThan(6)
    })

    test('shows every session once, the newest first', async () => {
      const ids: string[] = []
      for (let i = 0; i < 7; i++) ids.push((await SessionWriter.create(it.store)).id)
      expect((await pages(3)).flat()).toEqual(ids.toReversed())
    })

    test('shows every session once, although more are created meanwhile', async () => {
      const ids: string[] = []
      for (let i = 0; i < 7; i++) ids.push((await SessionWriter.create(it.store)).id)
      const seen = (await pages(2, () => SessionWriter.create(it.store))).flat()
      expect(seen).toEqual(ids.toReversed())
    })

    test('leaves out other tenants', async () => {
      await SessionWriter.create(it.store, { actor: { id: 'ada', tenant: 'elsewhere' } })
      const mine = await SessionWriter.create(it.store)
      expect((await pages(10)).flat()).toEqual([mine.id])
    })

    test('of one owner leaves out the others', async () => {
      await SessionWriter.create(it.store, { actor: { id: 'bob', tenant: 'local' } })
      const mine = await SessionWriter.create(it.store)
      const page = await it.store.sessions(HERS)
      expect(page.items.map((view) => view.id)).toEqual([mine.id])
    })

    for (const archived of [true, false]) {
      test(`with archived ${archived} shows only those`, async () => {
        const [kept, put] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
        await put.write(fact('session.archived', { by: 'ada' }))
        const page = await it.store.sessions({ ...HERS, archived })
        expect(page.items.map((view) => view.id)).toEqual([archived ? put.id : kept.id])
      })
    }

    test('refuses a cursor it did not give', async () => {
      const page = it.store.sessions({ ...HERS, cursor: 'nonsense' })
      await expect(page).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'cursor' })
    })
  })

  describe('what is unfinished', () => {
    test('is every session with a running round or a waiting input, and no other', async () => {
      const create = (): Promise<SessionWriter> => SessionWriter.create(it.store)
      const [idle, over, running, waiting, paused, told, folded] = await Promise.all(Array.from({ length: 7 }, create))
      await idle?.write(said())
      await over?.write(started('over'), ended('over'))
      await running?.write(started('running'))
      const rest = fact('round.waiting', { for: 'approval', callIds: ['c'], until: null }, 'waiting')
      await waiting?.write(started('waiting'), rest)
      await paused?.write(started('paused'), fact('round.paused', { nextPhaseIndex: 1 }, 'paused'))
      for (const writer of [told, folded] as SessionWriter[]) {
        const one = input(writer.id)
        await it.store.putInput(one, { claim: claimOf(one.key) })
        if (writer === folded) await writer.commit([said()], { consumed: [one.id] })
      }
      const expected = [running, told].map((writer) => String(writer?.id)).toSorted()
      expect((await it.store.unfinished()).toSorted()).toEqual(expected)
    })

    test('names a session with several reasons once', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('one'))
      for (const one of [input(writer.id), input(writer.id)]) await it.store.putInput(one, { claim: claimOf(one.key) })
      expect(await it.store.unfinished()).toEqual([writer.id])
    })

    test('is in an order in which rounds that were running come first', async () => {
      const writers = [
        await SessionWriter.create(it.store),
        await SessionWriter.create(it.store),
        await SessionWriter.create(it.store),
      ]
      const [told, running, both] = writers as [SessionWriter, SessionWriter, SessionWriter]
      await running.write(started('running'))
      await both.write(started('both'))
      for (const { id } of [told, both]) {
        const one = input(id)
        await it.store.putInput(one, { claim: claimOf(one.key) })
      }
      expect(await it.store.unfinished()).toEqual([running.id, both.id, told.id])
    })

    test('is no session whose inputs were looked at with its log as it is', async () => {
      const writer = await (await SessionWriter.create(it.store)).fork(1)
      const [one, other] = [input(writer.id), input(writer.id)]
      for (const each of [one, other]) await it.store.putInput(each, { claim: claimOf(each.key) })
      await writer.commit([], { deferred: [one.id] })
      expect(await it.store.unfinished()).toEqual([writer.id])
      await writer.commit([said()], { deferred: [one.id, other.id] })
      expect(await it.store.unfinished()).toEqual([])
      expect(await it.store.pendingInputs(writer.id)).toEqual(
        [one, other].map((each) => ({ ...each, seen: writer.head })),
      )
      expect(await (await it.reopen()).unfinished()).toEqual([])
    })

    test('is that session again when its log grows, or something else comes', async () => {
      const writer = await SessionWriter.create(it.store)
      const [one, other] = [input(writer.id), input(writer.id)]
      await it.store.putInput(one, { claim: claimOf(one.key) })
      await writer.commit([], { deferred: [one.id] })
      await writer.write(said())
      expect(await it.store.unfinished()).toEqual([writer.id])
      await writer.commit([], { deferred: [one.id] })
      expect(await it.store.unfinished()).toEqual([])
      await it.store.putInput(other, { claim: claimOf(other.key) })
      expect(await it.store.unfinished()).toEqual([writer.id])
      await writer.commit([], { consumed: [other.id] })
      expect(await it.store.unfinished()).toEqual([])
      await writer.write(started('one'))
      await writer.commit([], { deferred: [one.id] })
      expect(await it.store.unfinished()).toEqual([writer.id])
    })

    test('is not changed by a look of somebody who owns the session no more', async () => {
      const writer = await SessionWriter.create(it.store)
      const one = input(writer.id)
      await it.store.putInput(one, { claim: claimOf(one.key) })
      await SessionWriter.claim(it.store, writer.id)
      expect(await it.store.commit(writer.change([], { deferred: [one.id] }))).toMatchObject({ kind: 'conflict' })
      expect(await it.store.unfinished()).toEqual([writer.id])
    })

    test('does not name a fork for a round its parent has open', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('one'), said())
      await writer.fork(3)
      expect(await it.store.unfinished()).toEqual([writer.id])
    })

    verifies('REL-1', 'is the same after a restart', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(started('one'))
      expect(await (await it.reopen()).unfinished()).toEqual([writer.id])
    })
  })

  describe('checking', () => {
    test('a sound store finds nothing and counts what there is', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.write(...talk(3))
      await writer.fork(2, ...talk(2))
      expect(await it.store.check()).toEqual({ ok: true, sessions: 2, events: 7, findings: [] })
    })

    test('finds nothing wrong with a title that is not quite text', async () => {
      await SessionWriter.create(it.store, { title: 'half a pair: \ud800' })
      expect((await it.store.check()).findings).toEqual([])
    })

    test('finds nothing wrong with a NUL in a title, which only the log holds', async () => {
      const writer = await SessionWriter.create(it.store, { title: 'a\0b \udc00' })
      expect(await it.store.session(writer.id)).toMatchObject({ title: 'a\uFFFDb \uFFFD' })
      expect((await it.store.sessions({ ...HERS, search: 'A\0B' })).items).toHaveLength(1)
      await writer.write(fact('session.changed', { title: '\0' }))
      expect(await it.store.session(writer.id)).toMatchObject({ title: '\uFFFD' })
      expect(await it.store.read(writer.id)).toMatchObject([
        { data: { title: 'a\0b \udc00' } },
        { data: { title: '\0' } },
      ])
      expect((await it.store.check()).findings).toEqual([])
    })
  })
}
