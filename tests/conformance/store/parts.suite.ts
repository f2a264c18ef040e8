import { describe, expect, test } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import type { StoredPreferences } from '../../../src/contract/preferences.ts'
import { newId } from '../../../src/lib/id.ts'
import type { StoredPart } from '../../../src/store/index.ts'
import { attached, blob, created, fileOf, part, said, started, talk, wordsOf } from './facts.ts'
import { entitled, turn } from './money-facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

const preferences = (more: Partial<StoredPreferences> = {}): Omit<StoredPreferences, 'version'> => ({
  tenant: 'local',
  userId: 'ada',
  preferences: { responseLength: 'concise', customInstructions: 'Say "hi" 🌍\u0000.', allowMemory: false },
  salt: newId(),
  updatedAt: 100,
  ...more,
})

const record = (id: string) =>
  auditRecord('key_created', { id: newId(), at: 100, userId: 'ada', tenant: 'local' }, { keyId: id })

export function partSuite(it: Subject): void {
  const texts = async (...parts: StoredPart[]): Promise<(string | undefined)[]> => {
    const found = await it.store.parts(parts.map(({ hash }) => hash))
    return parts.map(({ hash }) => found.get(hash))
  }

  describe('preferences', () => {
    test('are found as they were put, of their user alone, also after a restart', async () => {
      const [hers, his] = [preferences(), preferences({ userId: 'bob', preferences: {} })]
      expect(await it.store.putPreferences(hers)).toEqual({ ...hers, version: 1 })
      await it.store.putPreferences(his)
      expect(await it.store.preferences('local', 'ada')).toEqual({ ...hers, version: 1 })
      expect(await it.store.preferences('other', 'ada')).toBeUndefined()
      const store = await it.reopen()
      expect(await store.preferences('local', 'bob')).toEqual({ ...his, version: 1 })
    })

    test('replace the earlier ones under the next version, with what is recorded', async () => {
      await it.store.putPreferences(preferences())
      const next = preferences({ preferences: { formality: 'formal' }, updatedAt: 200 })
      expect(await it.store.putPreferences(next, [record('changed')])).toEqual({ ...next, version: 2 })
      expect(await it.store.preferences('local', 'ada')).toEqual({ ...next, version: 2 })
      const { items } = await it.store.auditPage({ tenant: 'local' })
      expect(items.map(({ metadata }) => metadata.keyId)).toEqual(['changed'])
    })

    test('get a version each where several are put at the same moment', async () => {
      const stores = [it.store, await it.second()]
      const puts = Array.from({ length: 10 }, (_, i) => (stores[i % 2] ?? it.store).putPreferences(preferences()))
      const versions = (await Promise.all(puts)).map(({ version }) => version)
      expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1))
    })

    test('are forgotten with all parts that have the words of their user, and with nothing else', async () => {
      const [hers, also, his, elsewhere, nobodys] = [
        wordsOf('ada'),
        wordsOf('ada'),
        wordsOf('bob'),
        { ...wordsOf('ada'), tenant: 'other' },
        part('of nobody'),
      ]
      for (const userId of ['ada', 'bob']) await it.store.putPreferences(preferences({ userId }))
      await it.store.putPreferences(preferences({ tenant: 'other' }))
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { parts: [hers, his, elsewhere, nobodys] })
      await writer.fork(2)
      await (await SessionWriter.create(it.store)).commit([said()], { parts: [also, nobodys] })
      await it.store.forgetPreferences('local', 'ada', [record('forgotten')])
      expect(await it.store.preferences('local', 'ada')).toBeUndefined()
      expect(await it.store.preferences('local', 'bob')).toBeDefined()
      expect(await texts(hers, also, his, elsewhere, nobodys)).toEqual([
        undefined,
        undefined,
        his.text,
        elsewhere.text,
        nobodys.text,
      ])
      const { items } = await it.store.auditPage({ tenant: 'local' })
      expect(items.map(({ metadata }) => metadata.keyId)).toEqual(['forgotten'])
      expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
    })

    test('that are forgotten do not come back with a part that was on its way', async () => {
      const [late, nobodys] = [wordsOf('ada'), part('of nobody')]
      await it.store.putPreferences(preferences())
      const writer = await SessionWriter.create(it.store)
      await it.store.forgetPreferences('local', 'ada')
      await writer.commit([said()], { parts: [late, nobodys] })
      expect(await texts(late, nobodys)).toEqual([undefined, nobodys.text])
      expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
    })

    test('that are not there can be forgotten', async () => {
      await it.store.forgetPreferences('local', 'ada')
      expect(await it.store.preferences('local', 'ada')).toBeUndefined()
    })
  })

  describe('a part', () => {
    test('is found by its hash after its change is stored, also after a restart', async () => {
      await it.store.putPreferences(preferences())
      const [one, other] = [part('Be "brief" 🌍.\nAlways.'), wordsOf('ada')]
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { parts: [one, other] })
      expect(await texts(one, other, part('never stored'))).toEqual([one.text, other.text, undefined])
      await it.reopen()
      expect(await texts(one, other)).toEqual([one.text, other.text])
      expect(await it.store.parts([])).toEqual(new Map())
    })

    test('that is long is found whole', async () => {
      const long = part('ä'.repeat(300_000))
      await (await SessionWriter.create(it.store)).commit([said()], { parts: [long] })
      expect((await texts(long))[0] === long.text).toBe(true)
    })

    test('is stored with the first events of a session, beside files and under a claim', async () => {
      const [one, file] = [part('with all'), blob()]
      const writer = new SessionWriter(it.store, newId(), 1, 0)
      await writer.commit([created(), attached(fileOf(file))], {
        create: {},
        parts: [one],
        blobs: [file],
        claim: { key: 'once', hash: 'h', result: null },
      })
      expect(await texts(one)).toEqual([one.text])
      expect(await it.store.blob(file.hash)).toEqual(file.bytes)
    })

    test('is stored once, however often it is given, and by however many at the same moment', async () => {
      const shared = [part('core'), part('system'), part('guardrail')]
      const stores = [it.store, await it.second()]
      const writers: SessionWriter[] = []
      for (let i = 0; i < 20; i++) writers.push(await SessionWriter.create(stores[i % 2] ?? it.store))
      const own = writers.map((_, i) => part(`own ${i}`))
      await Promise.all(
        writers.map((writer, i) =>
          writer.commit([said()], { parts: [...shared, own[i] ?? part('none')].toSorted(() => (i % 2) - 0.5) }),
        ),
      )
      for (const writer of writers) await writer.commit([said()], { parts: shared })
      expect(await texts(...shared, ...own)).toEqual([...shared, ...own].map(({ text }) => text))
      expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
    })

    test('of a session that is not created is not kept', async () => {
      const one = part('of nobody')
      const writer = await SessionWriter.create(it.store, { alias: 'taken' })
      const again = new SessionWriter(it.store, newId(), 1, 0)
      const refused = await it.store.commit(again.change([created({ alias: 'taken' })], { create: {}, parts: [one] }))
      expect(refused).toEqual({ kind: 'conflict', reason: 'exists' })
      expect(await texts(one)).toEqual([undefined])
      await writer.removeAndPurge()
      expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
    })

    test('of a change that is refused is erased with its session at the latest', async () => {
      await it.store.putEntitlement(entitled({ dailyTokens: 10 }))
      const [tooMuch, tooLate] = [part('too much'), part('too late')]
      const [writer, requestId] = [await SessionWriter.create(it.store), newId()]
      await writer.write(started(requestId))
      const over = await it.store.commit(writer.change([turn(requestId, 1, 11)], { parts: [tooMuch] }))
      expect(over.kind).toBe('over')
      const late = await it.store.commit(writer.change([said()], { expected: 0, parts: [tooLate] }))
      expect(late.kind).toBe('conflict')
      expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
      await writer.removeAndPurge()
      expect(await texts(tooMuch, tooLate)).toEqual([undefined, undefined])
    })
  })

  describe('purging a session', () => {
    test('erases the parts that only it names', async () => {
      const [own, shared] = [part('own'), part('shared')]
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      await writer.commit([said()], { parts: [own, shared] })
      await other.commit([said()], { parts: [shared] })
      await writer.remove()
      expect(await texts(own, shared)).toEqual([own.text, shared.text])
      await it.store.purge(writer.id)
      expect(await texts(own, shared)).toEqual([undefined, shared.text])
      await other.removeAndPurge()
      expect(await texts(shared)).toEqual([undefined])
    })

    test('keeps the parts that living forks inherit, and erases those named after the fork', async () => {
      const [before, at, after] = [part('before'), part('at the fork'), part('after')]
      const writer = await SessionWriter.create(it.store)
      await writer.commit(talk(2), { parts: [before] })
      await writer.commit(talk(1), { parts: [at] })
      await writer.commit(talk(1), { parts: [after, before] })
      const fork = await writer.fork(4)
      await writer.removeAndPurge()
      expect(await texts(before, at, after)).toEqual([before.text, at.text, undefined])
      await fork.removeAndPurge()
      expect(await texts(before, at, after)).toEqual([undefined, undefined, undefined])
      expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
    })

    test('keeps what a fork of a deleted fork inherits', async () => {
      const [first, second, third] = [part('first'), part('second'), part('third')]
      const writer = await SessionWriter.create(it.store)
      await writer.commit([said()], { parts: [first] })
      const fork = await writer.fork(2)
      await fork.commit([said()], { parts: [second] })
      const leaf = await fork.fork(3)
      await leaf.commit([said()], { parts: [third] })
      await writer.removeAndPurge()
      await fork.removeAndPurge()
      expect(await texts(first, second, third)).toEqual([first.text, undefined, third.text])
      await leaf.removeAndPurge()
      expect(await texts(first, second, third)).toEqual([undefined, undefined, undefined])
    })

    test('keeps a part that another session stores at the same moment', async () => {
      const shared = part('core')
      for (let i = 0; i < it.runs(100); i++) {
        const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
        await writer.commit([said()], { parts: [shared] })
        await writer.remove()
        await Promise.all([it.store.purge(writer.id), other.commit([said()], { parts: [shared] })])
        expect(await texts(shared)).toEqual([shared.text])
        await other.removeAndPurge()
        expect(await texts(shared)).toEqual([undefined])
      }
    })
  })
}
