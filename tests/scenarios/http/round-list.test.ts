import { expect, test } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { asking, type Asking } from './asking.ts'

interface Listed {
  readonly requestId: string
  readonly sessionId: string
  readonly title?: string
  readonly userId: string
  readonly state: string
  readonly cost: number
  readonly finishReason?: string
  readonly startedAt: string
}

const SCRIPT = {
  scenarios: [
    { when: 'use it', turns: [{ calls: [{ name: 'probe', args: {} }] }, { text: 'Done.' }] },
    { when: 'break', turns: [{ fault: { kind: 'error', status: 400 } }] },
  ],
  otherwise: { text: 'Done.' },
} as const

const open = (): Promise<Asking> =>
  asking({ tools: [probe('probe', { approval: 'always' })], script: SCRIPT, limits: { RETRIES: 0 } })

async function list(it: Asking, query = '', key?: string): Promise<Listed[]> {
  const { status, body } = await it.http('GET', `/api/rounds?${query}`, undefined, key)
  expect([status, query]).toEqual([200, query])
  return body['items'] as Listed[]
}

const ids = (items: readonly Listed[]): string[] => items.map(({ requestId }) => requestId)

verifies(
  'COO-2',
  'lists rounds of all conversations, newest first, with how they ended and what they cost',
  async () => {
    const it = await open()
    const { requestId: first } = await it.ask('hello')
    const { requestId: broken } = await it.ask('break')
    const { body: other } = await it.http('POST', '/api/sessions', { title: 'Another' })
    const id = String(other['id'])
    const { body: last } = await it.http('POST', `/api/sessions/${id}/messages?wait=1`, { content: 'hi' })
    const waiting = (await it.sendUntilWaiting('use it'))[0]?.requestId ?? ''
    const { body: queued } = await it.http('POST', `/api/sessions/${it.sessionId}/messages`, { content: 'then this' })
    const next = String(queued['requestId'])

    const all = await list(it)
    expect(ids(all)).toEqual([next, waiting, String(last['requestId']), broken, first])
    expect(all).toMatchObject([
      { state: 'queued', userId: 'owner', title: 'New conversation', cost: 0 },
      { state: 'waiting', waitingFor: 'approval' },
      {
        state: 'ended',
        sessionId: id,
        title: 'Another',
        finishReason: 'complete',
      },
      { state: 'ended', finishReason: 'error' },
      { state: 'ended', finishReason: 'complete', protocol: 'unified', mode: 'act', model: it.segno.model },
    ])

    expect(ids(await list(it, `session=${id}`))).toEqual([last['requestId']])
    expect(ids(await list(it, `session=${it.sessionId}`))).toEqual([next, waiting, broken, first])
    expect(ids(await list(it, 'state=queued,waiting'))).toEqual([next, waiting])
    expect(ids(await list(it, 'state=running'))).toEqual([])
    expect(ids(await list(it, 'state=ended&finishReason=error'))).toEqual([broken])
    expect(ids(await list(it, `session=${id}&finishReason=error`))).toEqual([])
    expect(ids(await list(it, 'protocol=triggered'))).toEqual([])
    expect(ids(await list(it, `model=${it.segno.model}&state=waiting`))).toEqual([waiting])
    expect(ids(await list(it, 'model=another'))).toEqual([])
    const since = encodeURIComponent(all[3]?.startedAt ?? '')
    expect(ids(await list(it, `since=${since}`))).toContain(broken)
    expect(ids(await list(it, `since=2100-01-01T00:00:00Z`))).toEqual([])
  },
)

test('pages through rounds without a gap or a repeat, also when new ones start meanwhile', async () => {
  const it = await open()
  const sent: string[] = []
  for (let i = 0; i < 7; i++) sent.push((await it.ask('hello')).requestId)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await it.http('GET', `/api/rounds?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...ids(body['items'] as Listed[]))
    cursor = body['next'] as string | null
    await it.ask('one more')
  }
  expect(seen).toEqual(sent.toReversed())
})

verifies('GOV-32', 'shows the rounds of others only to who may read users, and never their titles', async () => {
  const it = await open()
  const ada = await it.keyFor(['chat:*'], { userId: 'ada' })
  const { body: hers } = await it.http('POST', '/api/sessions', { title: 'Secret plans' }, ada)
  await it.http('POST', `/api/sessions/${String(hers['id'])}/messages?wait=1`, { content: 'hello' }, ada)
  const { requestId: mine } = await it.ask('hello')
  const stranger = await it.keyFor(['chat:*', 'user:read'], { userId: 'eve', tenant: 'rival' })

  expect(ids(await list(it))).toEqual([mine])
  expect(await list(it, '', ada)).toMatchObject([{ userId: 'ada', title: 'Secret plans' }])
  expect((await it.http('GET', '/api/rounds?all=1', undefined, ada)).status).toBe(403)
  const all = await list(it, 'all=1')
  expect(all.map(({ userId, title }) => [userId, title])).toEqual([
    ['owner', 'New conversation'],
    ['ada', undefined],
  ])
  expect(await list(it, `all=1&session=${String(hers['id'])}`)).toHaveLength(1)
  expect((await it.http('GET', `/api/rounds?session=${String(hers['id'])}`)).status).toBe(404)
  expect(await list(it, 'all=1', stranger)).toEqual([])
  const foreign = await it.http('GET', `/api/rounds?all=1&session=${it.sessionId}`, undefined, stranger)
  expect(foreign.status).toBe(404)
})

test.each([
  ['state=asleep', /state/],
  ['finishReason=tired', /finishReason/],
  ['since=yesterday', /since/],
  ['cursor=12', /cursor/],
  ['limit=0', /limit/],
])('says what is wrong with %s', async (query, named) => {
  const it = await open()
  const { status, body } = await it.http('GET', `/api/rounds?${query}`)
  expect([status, body['code']]).toEqual([400, 'VALIDATION_ERROR'])
  expect(body['detail']).toMatch(named)
})
