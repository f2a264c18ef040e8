import type { Actor } from '../../../src/contract/actor.ts'
import type { Document } from '../../../src/contract/knowledge.ts'
import type { Segno } from '../../../src/segno.ts'
import { delay } from '../../../src/lib/delay.ts'
import { BASE, type Answer } from '../http/ask.ts'
import type { SegnoUnderTest } from '../../support/segno-under-test.ts'

export { ada, bob, holder, rival } from '../prompt/support.ts'
import { ada, bob } from '../prompt/support.ts'

export const HANDBOOK = `# Leave

How to be away.

## Parental leave

Each parent may stay at home for 14 weeks with full pay.

## Vacation

Everybody has 30 days of vacation. Say so two weeks before.
`

type Wanted = Partial<Parameters<Segno['documents']['create']>[1]>

/** A draft of Ada's, of `system` unless another workspace is named. */
export const draft = ({ documents }: Segno, wanted: Wanted = {}, who: Actor = ada): Promise<Document> =>
  documents.create(who, { title: 'Handbook', content: HANDBOOK, ...wanted })

/** The same after its review by Bob. */
export async function approved(segno: Segno, wanted: Wanted = {}): Promise<Document> {
  const { id } = await draft(segno, wanted)
  return approve(segno, id)
}

export async function approve({ documents }: Segno, id: string): Promise<Document> {
  await documents.submit(ada, id)
  return documents.approve(bob, id)
}

/** The same where it is found. */
export async function published(segno: Segno, wanted: Wanted = {}): Promise<Document> {
  const { id } = await approved(segno, wanted)
  return segno.documents.publish(bob, id)
}

/** Resolves when every chunk has its vector, or at once where the database has none. */
export async function embedded({ documents }: Segno): Promise<void> {
  for (;;) {
    const { hasVectors, done, all } = await documents.index(ada)
    if (!hasVectors || done === all) return
    await delay(20)
  }
}

/** The texts that a search finds, best first. */
export async function found({ documents }: Segno, query: string, workspaceId?: string, who: Actor = ada) {
  const items = await documents.search(who, { query, ...(workspaceId !== undefined && { workspaceId }) })
  return items.map(({ text }) => text)
}

/** Sends a form as a browser would. */
export async function upload(
  it: SegnoUnderTest,
  method: string,
  path: string,
  fields: Readonly<Record<string, string | File>>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const response = await it.segno.fetch(new Request(BASE + path, { method, body: form, headers }))
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    type,
    body: type.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : { text },
  }
}
