import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/lib/id.ts'
import { verifies } from '../../support/verifies.ts'
import { attached, blob, blobText, claimOf, fileOf, input, message, result, said, unstarted } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function fileSuite(it: Subject): void {
  describe('a file of a message that waits', () => {
    /** A message with a file, stored and not folded in. */
    async function waiting(writer: SessionWriter, file = blob()) {
      const one = input(writer.id, message([fileOf(file)]))
      expect(await it.store.putInput(one, { claim: claimOf(one.key), blobs: [file] })).toBe('stored')
      return { one, file }
    }

    verifies('REL-1', 'is there after a restart, with its message', async () => {
      const writer = await SessionWriter.create(it.store)
      const { one, file } = await waiting(writer)
      const store = await it.reopen()
      expect(await store.pendingInputs(writer.id)).toEqual([one])
      expect(await store.blob(file.hash)).toEqual(file.bytes)
    })

    test('stays when another session that had the same file is erased', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      const { file } = await waiting(writer)
      await other.commit([attached(fileOf(file))], { blobs: [file] })
      expect(await other.removeAndPurge()).toMatchObject({ blobs: 0 })
      expect(await it.store.blob(file.hash)).toBeDefined()
    })

    test('stays when another session is erased after the message was folded in', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      const { one, file } = await waiting(writer)
      await writer.commit([attached(fileOf(file))], { consumed: [one.id] })
      await other.removeAndPurge()
      expect(await it.store.blob(file.hash)).toBeDefined()
      expect((await it.store.check()).findings).toEqual([])
    })

    test('does not keep a file of another session from being erased', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      await waiting(writer)
      const text = input(writer.id, message('only "hash": "text"'))
      await it.store.putInput(text, { claim: claimOf(text.key) })
      const file = blob()
      await other.commit([attached(fileOf(file))], { blobs: [file] })
      expect(await other.removeAndPurge()).toMatchObject({ blobs: 1 })
      expect(await it.store.blob(file.hash)).toBeUndefined()
    })

    test('goes with a message that is cancelled while it waits, unless somebody else names it', async () => {
      const writer = await SessionWriter.create(it.store)
      const { one, file } = await waiting(writer)
      const again = input(writer.id, message([fileOf(file)], 'again'))
      await it.store.putInput(again, { claim: claimOf(again.key), blobs: [file] })
      await writer.commit([unstarted('first')], { consumed: [one.id] })
      expect(await it.store.blob(file.hash)).toBeDefined()
      await writer.commit([unstarted('again')], { consumed: [again.id] })
      expect(await it.store.blob(file.hash)).toBeUndefined()
    })

    test('goes with a result that is dropped, and so does the whole output; what an event names stays', async () => {
      const writer = await SessionWriter.create(it.store)
      for (const isDropped of [false, true]) {
        const [file, whole] = [blob(), blob()]
        const names = { files: [fileOf(file)], blob: whole.hash }
        const content = { outcome: 'ok', effect: 'done', content: 'printed', ...names } as const
        const late = input(writer.id, { kind: 'result', callId: 'c', by: 'ada', content })
        await it.store.putInput(late, { claim: claimOf(late.key), blobs: [file, whole] })
        const other = blob()
        await writer.commit([attached(fileOf(other))], { blobs: [other] })
        await writer.commit(isDropped ? [] : [result('r', 'c', names)], { consumed: [late.id] })
        const left = await Promise.all([file, whole, other].map(({ hash }) => it.store.blob(hash)))
        expect(left.map((bytes) => bytes !== undefined)).toEqual([!isDropped, !isDropped, true])
      }
      expect((await it.store.check()).findings).toEqual([])
    })

    test('goes with its session', async () => {
      const writer = await SessionWriter.create(it.store)
      const { file } = await waiting(writer)
      await writer.removeAndPurge()
      expect(await it.store.blob(file.hash)).toBeUndefined()
    })

    test('is not stored when the same key was used before', async () => {
      const writer = await SessionWriter.create(it.store)
      const { one } = await waiting(writer)
      const file = blob()
      const again = input(writer.id, message([fileOf(file)]))
      expect(await it.store.putInput(again, { claim: claimOf(one.key), blobs: [file] })).toMatchObject({
        kind: 'repeated',
      })
      expect(await it.store.blob(file.hash)).toBeUndefined()
    })

    test('is not stored for a session that is gone', async () => {
      const writer = await SessionWriter.create(it.store)
      await writer.remove()
      const file = blob()
      const late = input(writer.id, message([fileOf(file)]))
      await expect(it.store.putInput(late, { claim: claimOf(late.key), blobs: [file] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
      expect(await it.store.blob(file.hash)).toBeUndefined()
    })
  })

  describe('asking a session for a file', () => {
    test('finds it with what the event says of it, whether said or returned', async () => {
      const writer = await SessionWriter.create(it.store)
      const files = [blob(), blob(), blob()] as const
      const parts = files.map((one, i) => fileOf(one, { mediaType: `text/x-${i}`, name: `number ${i}` }))
      const [first, second, third] = parts as [(typeof parts)[0], (typeof parts)[0], (typeof parts)[0]]
      await writer.commit([said(), attached(first, second), result(newId(), newId(), { files: [third] })], {
        blobs: files,
      })
      for (const [i, { hash, bytes }] of files.entries())
        expect(await it.store.file(writer.id, hash)).toEqual({ part: parts[i], bytes })
    })

    test('finds nothing that only another session has', async () => {
      const [writer, other] = [await SessionWriter.create(it.store), await SessionWriter.create(it.store)]
      const file = blob()
      await writer.commit([attached(fileOf(file))], { blobs: [file] })
      expect(await it.store.file(other.id, file.hash)).toBeUndefined()
      expect(await it.store.file(newId(), file.hash)).toBeUndefined()
    })

    test('finds no output of a tool, but a file with the same bytes', async () => {
      const writer = await SessionWriter.create(it.store)
      const file = blob()
      await writer.commit([result(newId(), newId(), { blob: file.hash })], { blobs: [file] })
      expect(await it.store.file(writer.id, file.hash)).toBeUndefined()
      await writer.commit([attached(fileOf(file, { name: 'now a file' }))])
      expect(await it.store.file(writer.id, file.hash)).toMatchObject({ part: { name: 'now a file' } })
    })

    test('finds what a fork inherited, and nothing its parent got later', async () => {
      const parent = await SessionWriter.create(it.store)
      const [before, after] = [blob(), blob()]
      await parent.commit([said(), attached(fileOf(before)), said()], { blobs: [before] })
      const fork = await parent.fork(3)
      const grandchild = await fork.fork(fork.head)
      await parent.commit([attached(fileOf(after))], { blobs: [after] })
      async function look(): Promise<void> {
        for (const { id } of [fork, grandchild]) {
          expect((await it.store.file(id, before.hash))?.bytes).toEqual(before.bytes)
          expect(await it.store.file(id, after.hash)).toBeUndefined()
        }
      }
      await look()
      await parent.removeAndPurge()
      await look()
      expect(await it.store.file(parent.id, before.hash)).toBeUndefined()
      expect(await blobText(it.store, after.hash)).toBeUndefined()
    })
  })
}
