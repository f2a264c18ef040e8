import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/lib/id.ts'
import type { RoundQuery } from '../../../src/store/index.ts'
import { ended, fact, HERS, input, message, said, started } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function findingSuite(it: Subject): void {
  const found = async (search: string): Promise<string[]> =>
    (await it.store.sessions({ ...HERS, search })).items.map(({ title }) => title)

  describe('looking for sessions', () => {
    test('finds titles that have every word, whatever the case of any script', async () => {
      for (const title of ['Große ÄRGER', 'гроза', '50% off_er', 'Other'])
        await SessionWriter.create(it.store, { title })
      expect(await found('ärger GROSSE')).toEqual(['Große ÄRGER'])
      expect(await found('ГРОЗА')).toEqual(['гроза'])
      expect(await found('%')).toEqual(['50% off_er'])
      expect(await found('f_e')).toEqual(['50% off_er'])
      expect(await found('ärger other')).toEqual([])
    })

    test('shows the round that is open, else the first message that waits', async () => {
      const writer = await SessionWriter.create(it.store)
      const open = async () => (await it.store.sessions(HERS)).items[0]?.open
      expect(await open()).toBeUndefined()
      await it.store.putInput(input(writer.id, message('first', 'q1')))
      await it.store.putInput(input(writer.id, message('second', 'q2')))
      expect(await open()).toEqual({ requestId: 'q1', state: 'queued' })
      await writer.write(started('r'))
      expect(await open()).toEqual({ requestId: 'r', state: 'running' })
      await writer.write(fact('round.paused', { nextPhaseIndex: null }, 'r'))
      expect(await open()).toEqual({ requestId: 'r', state: 'paused' })
      expect((await it.store.session(writer.id))?.open).toEqual({ requestId: 'r', state: 'paused' })
      await writer.write(ended('r'))
      expect(await open()).toEqual({ requestId: 'q1', state: 'queued' })
    })

    test('shows the family of a fork from every member, also where the first one is gone', async () => {
      const root = await SessionWriter.create(it.store)
      await root.write(said())
      const left = await root.fork(1)
      const right = await left.fork(1)
      await SessionWriter.create(it.store)
      const ids = async (id: string) => (await it.store.family(id))?.items.map((session) => session.id)
      for (const { id } of [root, left, right]) expect(await ids(id)).toEqual([root.id, left.id, right.id])
      await root.removeAndPurge()
      expect(await it.store.family(right.id)).toMatchObject({
        root: root.id,
        items: [{ id: left.id }, { id: right.id }],
      })
      expect(await it.store.family(newId())).toBeUndefined()
    })
  })

  describe('looking for rounds', () => {
    const list = async (query: Partial<RoundQuery> = {}): Promise<string[]> =>
      (await it.store.roundPage({ ...HERS, ...query })).items.map(({ requestId }) => requestId)

    test('finds them newest first across sessions, with whose they are', async () => {
      const one = await SessionWriter.create(it.store, { title: 'One' })
      const two = await SessionWriter.create(it.store)
      const eves = await SessionWriter.create(it.store, { actor: { id: 'eve', tenant: 'local' } })
      const rivals = await SessionWriter.create(it.store, { actor: { id: 'ada', tenant: 'rival' } })
      await one.write(started('a'), ended('a'))
      await two.write(
        started('b'),
        fact('round.ended', { finishReason: 'error', usage: { input: 1, output: 0 }, cost: 0 }, 'b'),
      )
      await rivals.write(started('x'))
      await eves.write(started('e'))
      await one.write(started('c'))
      await it.store.putInput(input(one.id, message('later', 'q')))
      expect(await list()).toEqual(['q', 'c', 'b', 'a'])
      expect((await it.store.roundPage({ tenant: 'local' })).items.map(({ userId }) => userId)).toEqual([
        'ada',
        'ada',
        'eve',
        'ada',
        'ada',
      ])
      expect((await it.store.roundPage(HERS)).items.at(-1)).toMatchObject({ title: 'One', userId: 'ada', cost: 42 })
      expect(await list({ sessionId: one.id })).toEqual(['q', 'c', 'a'])
      expect(await list({ sessionId: eves.id })).toEqual([])
      expect(await list({ sessionId: newId() })).toEqual([])
      expect(await list({ states: ['running'] })).toEqual(['c'])
      expect(await list({ states: ['queued'] })).toEqual(['q'])
      expect(await list({ states: ['ended'], finishReason: 'error' })).toEqual(['b'])
      expect(await list({ protocol: 'triggered' })).toEqual([])
      expect(await list({ model: 'another' })).toEqual([])
      const { startedAt = 0 } = (await it.store.round('c')) ?? {}
      expect(await list({ since: startedAt })).toEqual(['q', 'c'])
      await one.remove()
      expect(await list()).toEqual(['b'])
    })

    test('pages through those that started in the same moment too', async () => {
      const names = ['a', 'b', 'c', 'd', 'e']
      for (const name of names) {
        const writer = await SessionWriter.create(it.store)
        await writer.write({ ...started(name), at: 5000 })
      }
      const seen: string[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await it.store.roundPage({ ...HERS, limit: 2, ...(cursor !== undefined && { cursor }) })
        seen.push(...page.items.map(({ requestId }) => requestId))
        cursor = page.next
      }
      expect(seen).toEqual(names.toReversed())
      await expect(it.store.roundPage({ ...HERS, cursor: '7' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    })
  })

  test('compacting erases what was deleted, gives back its room and keeps everything else', async () => {
    const writer = await SessionWriter.create(it.store)
    const gone = await SessionWriter.create(it.store)
    await writer.write(said('stays'))
    for (let i = 0; i < 20; i++) await gone.write(said(Array.from({ length: 2000 }, newId).join('')))
    await gone.remove()
    // What comes meanwhile waits for it.
    const [{ before, after, freed }] = await Promise.all([it.store.compact(), writer.write(said('meanwhile'))])
    expect(freed).toBe(before - after)
    expect(freed).toBeGreaterThan(500_000)
    await it.reopen()
    expect(await it.store.read(writer.id)).toHaveLength(3)
    expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
  })
}
