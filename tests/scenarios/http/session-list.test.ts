import { expect, test } from 'vitest'
import { verifies } from '../../support/verifies.ts'
import { probe } from '../../support/probe-tool.ts'
import { asking, type Asking } from './asking.ts'

interface Listed {
  readonly id: string
  readonly title: string
  readonly usedAt: string
  readonly open?: { readonly requestId: string; readonly state: string }
}

async function list(it: Asking, query: string): Promise<{ items: Listed[]; next: string | null }> {
  const { status, body } = await it.http('GET', `/api/sessions?${query}`)
  expect(status).toBe(200)
  return body as unknown as { items: Listed[]; next: string | null }
}

const titled = async (it: Asking, search: string, more = ''): Promise<string[]> =>
  (await list(it, `search=${encodeURIComponent(search)}${more}`)).items.map(({ title }) => title)

verifies('ORC-5', 'finds conversations by words of their titles, whatever their order and case', async () => {
  const it = await asking({})
  for (const title of [
    'Über die Straße',
    'ПРИВЕТ мир',
    '100% sure',
    '100 euros',
    'snake_case',
    'snakes',
    'Café Ποσειδῶνος',
  ])
    await it.http('POST', '/api/sessions', { title })
  expect(await titled(it, 'strasse ÜBER')).toEqual(['Über die Straße'])
  expect(await titled(it, 'привет')).toEqual(['ПРИВЕТ мир'])
  expect(await titled(it, 'МИР привет')).toEqual(['ПРИВЕТ мир'])
  expect(await titled(it, 'cafe\u0301')).toEqual(['Café Ποσειδῶνος'])
  expect(await titled(it, 'ΠΟΣΕΙΔῶΝΟΣ')).toEqual(['Café Ποσειδῶνος'])
  // Neither has a meaning of its own.
  expect(await titled(it, '0%')).toEqual(['100% sure'])
  expect(await titled(it, 'e_c')).toEqual(['snake_case'])
  expect(await titled(it, 'über nowhere')).toEqual([])
  expect(await titled(it, '  ')).toHaveLength(8)
})

test('pages through what was searched for without a gap or a repeat, beside the other filters', async () => {
  const it = await asking({})
  for (let i = 0; i < 12; i++) await it.http('POST', '/api/sessions', { title: i % 2 === 0 ? `Even ${i}` : `Odd ${i}` })
  const [first] = (await list(it, 'search=even&limit=1')).items
  await it.http('POST', `/api/sessions/${first?.id}/archive`)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(it, `search=EVEN&archived=false&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    expect(page.items.length).toBeLessThanOrEqual(2)
    seen.push(...page.items.map(({ title }) => title))
    cursor = page.next
  }
  expect(seen).toEqual(['Even 8', 'Even 6', 'Even 4', 'Even 2', 'Even 0'])
})

test('shows the last used first: a message moves a conversation up, a new name does not', async () => {
  let now = Date.now()
  const it = await asking({ clock: { now: () => ++now } })
  const make = async (title: string): Promise<string> =>
    String((await it.http('POST', '/api/sessions', { title })).body['id'])
  const [one, two, three] = [await make('one'), await make('two'), await make('three')]
  const ids = async (): Promise<string[]> => (await list(it, '')).items.map(({ id }) => id)
  expect(await ids()).toEqual([three, two, one, it.sessionId])
  await it.http('POST', `/api/sessions/${one}/messages?wait=1`, { content: 'hello' })
  await it.http('PATCH', `/api/sessions/${two}`, { title: 'renamed' })
  expect(await ids()).toEqual([one, three, two, it.sessionId])

  const used = (await list(it, '')).items.map(({ usedAt }) => Date.parse(usedAt))
  expect(used).toEqual(used.toSorted((a, b) => b - a))
  const { items, next } = await list(it, 'limit=2')
  expect(items.map(({ id }) => id)).toEqual([one, three])
  await it.http('POST', `/api/sessions/${two}/messages?wait=1`, { content: 'hello' })
  expect((await list(it, `limit=2&cursor=${next}`)).items.map(({ id }) => id)).toEqual([it.sessionId])
  const refused = await it.http('GET', '/api/sessions?cursor=7')
  expect([refused.status, refused.body['detail']]).toEqual([400, expect.stringContaining('cursor')])
})

test('says which conversations have a round that has not ended, and in which state', async () => {
  const it = await asking({
    tools: [probe('probe', { approval: 'always' })],
    script: {
      scenarios: [{ when: 'use it', turns: [{ calls: [{ name: 'probe', args: {} }] }, { text: 'Done.' }] }],
      otherwise: { text: 'Done.' },
    },
  })
  const [approval] = await it.sendUntilWaiting('use it')
  const { body: queued } = await it.http('POST', `/api/sessions/${it.sessionId}/messages`, { content: 'and then' })
  expect(queued['state']).toBe('queued')
  const { body: other } = await it.http('POST', '/api/sessions', {})
  const path = `/api/sessions/${String(other['id'])}`
  await it.http('POST', `${path}/messages?wait=1`, { content: 'hello' })

  const openOf = async () => Object.fromEntries((await list(it, '')).items.map(({ id, open }) => [id, open]))
  const waits = { requestId: approval?.requestId, state: 'waiting' }
  expect(await openOf()).toEqual({ [it.sessionId]: waits, [String(other['id'])]: undefined })
  expect((await it.http('GET', `/api/sessions/${it.sessionId}`)).body['open']).toEqual(waits)

  await it.decideOverHttp(approval?.id, { decision: 'approve' })
  await it.until('round.ended', 2)
  expect(await openOf()).toEqual({ [it.sessionId]: undefined, [String(other['id'])]: undefined })
})

verifies('LIN-6', 'shows the whole family of a fork from any of its members, without what was deleted', async () => {
  const it = await asking({})
  await it.ask('hello')
  const fork = async (id: string, title: string): Promise<string> =>
    String((await it.http('POST', `/api/sessions/${id}/fork`, { seq: 2, title })).body['id'])
  const first = await fork(it.sessionId, 'first')
  const second = await fork(it.sessionId, 'second')
  const ofFirst = await fork(first, 'of first')
  await it.http('POST', '/api/sessions', { title: 'a stranger' })

  const tree = async (id: string) => (await it.http('GET', `/api/sessions/${id}/tree`)).body
  const ids = (body: Record<string, unknown>): string[] => (body['items'] as Listed[]).map(({ id }) => id)
  for (const id of [it.sessionId, first, second, ofFirst]) {
    const body = await tree(id)
    expect([body['root'], ids(body)]).toEqual([it.sessionId, [it.sessionId, first, second, ofFirst]])
  }
  expect((await tree(ofFirst))['items']).toMatchObject([{}, {}, {}, { parent: { sessionId: first, seq: 2 } }])

  await it.http('DELETE', `/api/sessions/${first}`)
  expect(ids(await tree(second))).toEqual([it.sessionId, second, ofFirst])
  expect((await it.http('GET', `/api/sessions/${first}/tree`)).status).toBe(404)
})
