import { writeSync } from 'node:fs'
import { claimOf } from '../../src/store/index.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Document } from '../../src/contract/knowledge.ts'
import { newId } from '../../src/lib/id.ts'
import type { Store } from '../../src/store/index.ts'
import {
  chunksOf,
  embed,
  newVersion,
  OTHER_MODEL,
  otherVectorOf,
  publishedEvent,
  vectorOf,
} from '../knowledge/support/fill-store.ts'
import { openStoreOf } from '../support/store-under-test.ts'

/**
 * Run with a home: takes one document after the other from upload to deletion, saying each step before it is taken,
 * until it is killed; a next life goes on with the document that the last one had.
 */
const [home = '', first = '0'] = process.argv.slice(2)
const step = (name: string, of: string): void => void writeSync(1, `${name} ${of}\n`)

step('opening', '')
const store = await openStoreOf(home)
step('mending', '')
for (let i = Number(first); ; i++) await live(`document ${i}`)

async function live(source: string): Promise<void> {
  const chunks = (version: number) => chunksOf(source, version)
  step('putting', source)
  const id = newId()
  const claim = claimOf('knowledge', LOCAL_OWNER, source, {}, { id })
  const given = { id, tenant: 'acme', workspaceId: 'system', title: 'Rules', contentType: 'text/plain', source }
  const put = await store.putDocument(
    { ...given, author: 'ada', hash: source, bytes: 1, createdAt: 1 },
    chunks(1),
    claim && { claim },
  )
  let document = 'kind' in put ? await store.document((put.claim.result as { id: string }).id) : put
  while (document) {
    const next = await onward(document, chunks)
    if (!next) return
    document = next
  }
}

async function onward(
  { id, revision, status, version, source = '' }: Document,
  chunks: (version: number) => ReturnType<typeof chunksOf>,
): ReturnType<Store['document']> {
  step('embedding', source)
  await embed(store, vectorOf)
  if (status === 'draft') return store.changeDocument(id, revision, { status: 'approved' }, 2)
  if (status === 'approved') {
    step(version === 1 ? 'publishing' : 'publishing again', source)
    return store.publishDocument(id, revision, { at: 3 }, { outbox: [publishedEvent(id)] })
  }
  if (version === 1) {
    step('changing', source)
    return store.changeDocument(id, revision, newVersion(chunks(2)), 4)
  }
  step('embedding anew', source)
  await embed(store, otherVectorOf, OTHER_MODEL)
  await store.keepVectorsOf(OTHER_MODEL)
  step('deleting', source)
  await store.deleteDocument(id)
  return undefined
}
