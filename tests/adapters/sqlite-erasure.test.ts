import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newId } from '../../src/lib/id.ts'
import type { Store } from '../../src/store/index.ts'
import {
  asked,
  attached,
  blob,
  claimOf,
  fact,
  fileOf,
  input,
  message,
  part,
  result,
  said,
  started,
  wordsOf,
} from '../conformance/store/facts.ts'
import { SessionWriter } from '../conformance/store/session-writer.ts'
import { openStore, tempFile } from './sqlite/temp-folder.ts'

/** The files of a store that hold a text. Another process reads them: closing a file here would drop its locks. */
function filesHolding(file: string, text: string): string[] {
  const folder = dirname(file)
  return readdirSync(folder).filter((name) => {
    const bytes = execFileSync('cat', [join(folder, name)], { maxBuffer: 2 ** 30 })
    return bytes.includes(text)
  })
}

/** Says `secret` everywhere a session can say something. */
async function confide(writer: SessionWriter, secret: string): Promise<void> {
  const requestId = newId()
  const output = blob(`${secret} in a blob ${'b'.repeat(9000)}`)
  const files = [blob(`${secret} in a file ${'f'.repeat(9000)}`), blob(`${secret} in a returned file`)] as const
  const one = input(writer.id, { kind: 'change', title: `${secret} in an input` })
  await writer.store.putInput(one, { claim: claimOf(one.key) })
  const ask = asked(requestId, newId())
  await writer.commit(
    [
      started(requestId),
      said(`${secret} in a message`),
      attached(fileOf(files[0], { name: `${secret} in a name` })),
      { ...ask, data: { ...ask.data, target: `${secret} in an approval`, args: { secret } } } as typeof ask,
      result(requestId, newId(), { content: `${secret} in a result`, blob: output.hash, files: [fileOf(files[1])] }),
      fact('session.changed', { title: `${secret} in a title` }),
    ],
    {
      consumed: [one.id],
      blobs: [output, ...files],
      parts: [part(`${secret} in a part`)],
      claim: claimOf(`round ${requestId}`),
    },
  )
}

describe('a purged session leaves no trace in the sqlite file', () => {
  test('of anything that was said in it', async () => {
    const file = tempFile()
    const writer = await SessionWriter.create(openStore(file), { title: 'SECRET title', alias: 'SECRET alias' })
    await confide(writer, 'SECRET')
    expect(filesHolding(file, 'SECRET')).not.toEqual([])
    await writer.removeAndPurge()
    expect(filesHolding(file, 'SECRET')).toEqual([])
  })

  test('when it had inputs nobody folded in', async () => {
    const database = tempFile()
    const writer = await SessionWriter.create(openStore(database))
    const file = blob(`SECRET ${'f'.repeat(9000)}`)
    const one = input(writer.id, message([fileOf(file, { name: 'SECRET' })]))
    await writer.store.putInput(one, { claim: claimOf(one.key), blobs: [file] })
    expect(filesHolding(database, 'SECRET')).not.toEqual([])
    await writer.removeAndPurge()
    expect(filesHolding(database, 'SECRET')).toEqual([])
  })

  test('when it grew among many others, with rows of every size', async () => {
    const file = tempFile()
    const store = openStore(file, 'normal')
    const { victims, others } = await crowd(store)
    for (const writer of victims) await writer.removeAndPurge()
    expect(victims.filter((writer) => filesHolding(file, `SECRET of ${writer.id}`).length > 0)).toEqual([])
    expect(others.filter((writer) => filesHolding(file, `SECRET of ${writer.id}`).length === 0)).toEqual([])
  })

  test('after a restart either', async () => {
    const file = tempFile()
    const store = openStore(file)
    const writer = await SessionWriter.create(store)
    await confide(writer, 'SECRET')
    await writer.removeAndPurge()
    await store.close()
    openStore(file)
    expect(filesHolding(file, 'SECRET')).toEqual([])
  })

  test('when a backup was being made meanwhile', async () => {
    const file = tempFile()
    const elsewhere = tempFile()
    const store = openStore(file, 'normal')
    for (let i = 0; i < 20; i++) await (await SessionWriter.create(store)).write(said('x'.repeat(100_000)))
    const writer = await SessionWriter.create(store)
    await confide(writer, 'SECRET')
    await Promise.all([store.backup(elsewhere), writer.removeAndPurge()])
    expect(filesHolding(file, 'SECRET')).toEqual([])
  })

  test('of the half of a commit that its fork does not share', async () => {
    const file = tempFile()
    const writer = await SessionWriter.create(openStore(file))
    await writer.write(said('SHARED one'), said('SHARED two'), said('SECRET one'), said('SECRET two'))
    await writer.fork(3)
    await writer.removeAndPurge()
    expect([filesHolding(file, 'SHARED two').length > 0, filesHolding(file, 'SECRET')]).toEqual([true, []])
  })

  test('of what it shared, once its last fork is purged too', async () => {
    const file = tempFile()
    const writer = await SessionWriter.create(openStore(file))
    await confide(writer, 'SECRET')
    const fork = await writer.fork(writer.head)
    await writer.removeAndPurge()
    await fork.removeAndPurge()
    expect(filesHolding(file, 'SECRET')).toEqual([])
  })
})

test('preferences that are forgotten leave no trace in the sqlite file, nor do parts with the words of their user', async () => {
  const file = tempFile()
  const store = openStore(file)
  const words = { tenant: 'local', userId: 'ada', salt: 'SECRET salt', updatedAt: 1 }
  for (const text of ['SECRET', 'SECRET again'])
    await store.putPreferences({ ...words, preferences: { customInstructions: text } })
  const writer = await SessionWriter.create(store)
  await writer.commit([said()], { parts: [wordsOf('ada', `SECRET ${'p'.repeat(9000)}`)] })
  await writer.fork(2)
  expect(filesHolding(file, 'SECRET')).not.toEqual([])
  await store.forgetPreferences('local', 'ada')
  expect(filesHolding(file, 'SECRET')).toEqual([])
})

async function crowd(store: Store): Promise<{ victims: SessionWriter[]; others: SessionWriter[] }> {
  const writers: SessionWriter[] = []
  for (let i = 0; i < 24; i++) writers.push(await SessionWriter.create(store))
  for (let turn = 0; turn < 15; turn++) {
    for (const [i, writer] of writers.entries()) {
      await confide(writer, `SECRET of ${writer.id} ${'.'.repeat((turn * 53 + i * 37) % 900)}`)
    }
  }
  return { victims: writers.filter((_, i) => i % 3 === 0), others: writers.filter((_, i) => i % 3 !== 0) }
}
