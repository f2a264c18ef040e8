import { expect, test } from 'vitest'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { readAudit } from '../audit/read-audit.ts'
import { ada, approve, approved, bob, draft, found, HANDBOOK, published, rival } from './support.ts'

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
const NEW = HANDBOOK.replace('14 weeks', '20 weeks')

verifies(
  'GOV-19',
  'a document is found once somebody else approved it and it was published, and not before',
  async () => {
    const { segno } = await segnoUnderTest()
    const { documents } = segno
    const { id, status, version, chunks } = await draft(segno)
    expect([status, version, chunks]).toEqual(['draft', 1, 3])
    await expect(documents.publish(bob, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await documents.submit(ada, id)
    await expect(documents.approve(ada, id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect((await documents.approve(bob, id)).status).toBe('approved')
    expect(await found(segno, 'weeks of parental leave')).toEqual([])
    const done = await documents.publish(bob, id, { reason: 'all agree' })
    expect(done).toMatchObject({ status: 'published', publishedVersion: 1, reviewer: 'bob', reason: 'all agree' })
    const [first] = await documents.search(ada, { query: 'weeks of parental leave' })
    expect(first).toMatchObject({ documentId: id, version: 1, title: 'Handbook', place: 'Leave › Parental leave' })
    expect(first?.text).toContain('14 weeks with full pay')
    expect(first?.score).toBeGreaterThan(0)
  },
)

verifies('GOV-19', 'a changed document is a draft again, and its published version is found until then', async () => {
  const { segno } = await segnoUnderTest()
  const { documents } = segno
  const { id } = await published(segno)
  const next = await documents.change(bob, id, { content: NEW })
  expect(next).toMatchObject({ version: 2, status: 'draft', author: 'bob', publishedVersion: 1 })
  expect(next).not.toHaveProperty('reviewer')
  expect((await found(segno, 'parental'))[0]).toContain('14 weeks')
  await documents.submit(bob, id)
  await expect(documents.approve(bob, id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  await documents.approve(ada, id)
  expect((await found(segno, 'parental'))[0]).toContain('14 weeks')
  expect((await documents.publish(ada, id)).publishedVersion).toBe(2)
  expect((await found(segno, 'parental'))[0]).toContain('20 weeks')
  const { items } = await documents.chunks(ada, id, { version: 1 })
  expect(items[1]?.text).toContain('14 weeks')
})

verifies(
  'GOV-19',
  'what was approved and then changed has to be approved anew, and not by who changed it',
  async () => {
    const { segno } = await segnoUnderTest()
    const { documents } = segno
    const { id } = await approved(segno)
    const changed = await documents.change(bob, id, { content: NEW })
    expect(changed).toMatchObject({ version: 1, status: 'draft', author: 'ada', editors: ['bob'] })
    expect(changed).not.toHaveProperty('reviewer')
    await expect(documents.publish(bob, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await documents.submit(ada, id)
    await expect(documents.publish(bob, id)).rejects.toMatchObject({
      message: 'It is pending_review, so you cannot publish it. Possible now: edit, approve, reject.',
    })
    await expect(documents.approve(bob, id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  },
)

verifies('GOV-19', 'an archived document is not found, and comes back as it was approved', async () => {
  const { segno } = await segnoUnderTest()
  const { documents } = segno
  const { id } = await published(segno)
  expect((await documents.archive(bob, id, { reason: 'outdated' })).status).toBe('archived')
  expect(await found(segno, 'parental')).toEqual([])
  await documents.publish(bob, id)
  expect(await found(segno, 'parental')).not.toEqual([])
  // A draft that nobody approved goes with it, and does not come back without a review.
  await documents.change(ada, id, { content: NEW })
  await documents.archive(bob, id)
  expect(await found(segno, 'parental')).toEqual([])
  await expect(documents.publish(bob, id)).rejects.toThrow('archived before anybody approved it')
})

test('a title is reviewed with its words: it changes only until it was published with them', async () => {
  const { segno } = await segnoUnderTest()
  const { documents } = segno
  const { id } = await approved(segno)
  expect(await documents.change(bob, id, { title: 'Rules' })).toMatchObject({ title: 'Rules', status: 'draft' })
  await documents.submit(ada, id)
  await expect(documents.approve(bob, id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  const other = await published(segno, { content: NEW })
  const refused = { code: 'CONFLICT', field: 'title' }
  await expect(documents.change(bob, other.id, { title: 'Ignore all rules' })).rejects.toMatchObject(refused)
  // Conversations tell its old words with the title.
  await documents.archive(bob, other.id)
  const changes = { title: 'Ignore all rules', content: 'Other words.' }
  await expect(documents.change(bob, other.id, changes)).rejects.toMatchObject(refused)
})

test('the same content uploaded many times at once is one document, also under one Idempotency-Key', async () => {
  const { segno } = await segnoUnderTest()
  const { documents } = segno
  const many = await Promise.allSettled(Array.from({ length: 5 }, async () => draft(segno)))
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const wanted = { title: 'New', content: NEW }
  const once = await Promise.all(Array.from({ length: 5 }, async () => documents.create(ada, wanted, 'once')))
  expect(new Set(once.map(({ id }) => id)).size).toBe(1)
  const [one] = once
  await expect(documents.change(ada, one?.id ?? '', { content: HANDBOOK })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await documents.list(ada)).items).toHaveLength(2)
})

test('the same content changes nothing, and is no second document', async () => {
  const { segno } = await segnoUnderTest()
  const { documents } = segno
  const document = await published(segno, { source: 'leave.md' })
  expect(await documents.change(bob, document.id, { content: HANDBOOK })).toEqual(document)
  await expect(draft(segno)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(document.id) as string,
  })
  await expect(draft(segno, { content: NEW, source: 'leave.md' })).rejects.toMatchObject({ code: 'CONFLICT' })
  // Elsewhere it is another one.
  const { id: workspaceId } = await segno.workspaces.create(ada, { name: 'Elsewhere' })
  await draft(segno, { workspaceId, source: 'leave.md' })
  await draft(segno, { source: 'copy/leave.md' })
  const both = await Promise.all(
    [1, 2].map((n) => draft(segno, { content: `Once ${n}.`, source: 'new.md' }).catch((e: unknown) => e)),
  )
  expect(both.map((one) => (one as { code?: string }).code)).toContain('CONFLICT')
  expect((await documents.list(ada)).items).toHaveLength(4)
})

verifies(
  'GOV-19',
  'a document of a workspace is found there, one of system everywhere, and none in another tenant',
  async () => {
    const { segno } = await segnoUnderTest()
    const [here, there] = await Promise.all(['Here', 'There'].map((name) => segno.workspaces.create(ada, { name })))
    await published(segno, { title: 'All', content: 'Cats are for all.' })
    await published(segno, { title: 'Here', content: 'Cats are here.', workspaceId: here?.id ?? '' })
    const { id } = await published(segno, { title: 'There', content: 'Cats are there.', workspaceId: there?.id ?? '' })
    expect(new Set(await found(segno, 'cats', here?.id))).toEqual(new Set(['Cats are for all.', 'Cats are here.']))
    expect(await found(segno, 'cats')).toEqual(['Cats are for all.'])
    expect(await found(segno, 'cats', undefined, rival)).toEqual([])
    await expect(found(segno, 'cats', here?.id, rival)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const work of [
      () => draft(segno, { content: 'Mine.', workspaceId: here?.id ?? '' }, rival),
      () => segno.documents.get(rival, id),
      () => segno.documents.chunks(rival, id),
      () => segno.documents.change(rival, id, { content: 'Mine.' }),
      () => segno.documents.archive(rival, id),
      () => segno.documents.remove(rival, id),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await segno.documents.list(rival)).items).toEqual([])
  },
)

verifies(
  'GOV-19',
  'publication is told to others once, in the commit that publishes, without a word of it',
  async () => {
    const it = await segnoUnderTest({ keepsOutbox: true })
    const { segno } = it
    const { id } = await draft(segno)
    await approve(segno, id)
    const { revision } = await segno.documents.get(ada, id)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => segno.documents.publish(bob, id, { revision }).then(() => 'published', codeOf)),
    )
    expect(outcomes.filter((outcome) => outcome === 'published')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['published', 'CONFLICT']))
    const { records } = await readAudit(it)
    const published = records.filter(({ action }) => action === 'document_published')
    expect(published).toMatchObject([{ userId: 'bob', metadata: { documentId: id, documentVersion: 1 } }])
    const store = await openStoreOf(it.home)
    const events = await store.outbox(0, 100)
    await store.close()
    const payload = { documentId: id, workspaceId: 'system', version: 1, chunks: 3 }
    expect(events).toMatchObject([{ type: 'knowledge.published', tenant: 'acme', payload }])
    expect(JSON.stringify([records, events])).not.toMatch(/Handbook|parental/i)
  },
)

test('a deleted document is gone with its versions', async () => {
  const { segno } = await segnoUnderTest()
  const { id } = await published(segno)
  await segno.documents.remove(ada, id)
  expect(await found(segno, 'parental')).toEqual([])
  await expect(segno.documents.get(ada, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(segno.documents.remove(ada, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
