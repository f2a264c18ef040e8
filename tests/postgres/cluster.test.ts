import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ClusterView } from '../../src/cluster/index.ts'
import { signedHeaders } from '../../src/cluster/sign.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'
import { CLUSTER_SECRET, startNode, type TestNode } from '../support/postgres/start-nodes.ts'

async function database(): Promise<string> {
  const { url, giveBack } = await reusedDatabase()
  onTestFinished(giveBack)
  return url
}

async function view({ url }: TestNode): Promise<ClusterView> {
  return (await (await fetch(`${url}/api/cluster`)).json()) as ClusterView
}

async function messagesOf({ url }: TestNode, id: string): Promise<{ role: string }[]> {
  const answer = await fetch(`${url}/api/sessions/${id}/messages`)
  return ((await answer.json()) as { items: { role: string }[] }).items
}

const seen = (node: TestNode, count: number) =>
  vi.waitFor(async () => expect((await view(node)).nodes).toHaveLength(count), { timeout: 10_000, interval: 50 })

describe('two nodes on one database', () => {
  test('see each other, and reach each other', async () => {
    const url = await database()
    const [one, other] = [await startNode({ database: url }), await startNode({ database: url })]
    await seen(one, 2)
    const of = await view(one)
    expect(of.nodes.map(({ address }) => address)).toEqual([one.url, other.url])
    expect(of.self).toBe(of.nodes[0]?.id)
    expect(of.unreachable).toEqual([])
    expect((await view(other)).self).toBe(of.nodes[1]?.id)
    await other.close()
    await seen(one, 1)
  })

  test('a message given to one is answered in a session the other owns', async () => {
    const url = await database()
    const [one, other] = [await startNode({ database: url }), await startNode({ database: url })]
    const { id } = await one.segno.createSession()
    for (const node of [one, other]) {
      const { completion } = await node.segno.streamRequest(id, 'hello')
      expect(await completion).toMatchObject({ finishReason: 'complete' })
    }
    const ended = (await messagesOf(other, id)).filter(({ role }) => role === 'assistant')
    expect(ended).toHaveLength(2)
  })

  test('one that does not answer is told of as unreachable until it does', async () => {
    const url = await database()
    const one = await startNode({ database: url })
    const other = await startNode({ database: url, env: { SEGNO_NODE_URL: 'http://127.0.0.1:9' } })
    await seen(one, 2)
    const { self } = await view(other)
    await vi.waitFor(async () => expect((await view(one)).unreachable).toEqual([self]), { timeout: 10_000 })
    // It reaches the first one, though.
    expect((await view(other)).unreachable).toEqual([])
  })

  test('an address that somebody else answers to, such as a load balancer, is told of too', async () => {
    const url = await database()
    const one = await startNode({ database: url })
    const other = await startNode({ database: url, env: { SEGNO_NODE_URL: one.url } })
    await seen(one, 2)
    const { self } = await view(other)
    await vi.waitFor(async () => expect((await view(one)).unreachable).toEqual([self]), { timeout: 10_000 })
  })
})

describe('what nodes ask each other', () => {
  const path = '/internal/wake'
  const body = JSON.stringify({ sessions: [] })
  const ask = (node: TestNode, headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(node.url + path, { method: 'POST', body, headers, ...init })
  const signed = (secret: string, now = Date.now(), more = {}) =>
    signedHeaders(secret, 'some-node', now, { method: 'POST', path, body, ...more })

  test('is answered to who signs with the secret, and is nowhere for anybody else', async () => {
    const node = await startNode({ database: await database() })
    expect((await ask(node, signed(CLUSTER_SECRET))).status).toBe(200)
    const foreign = [
      {},
      { authorization: 'Bearer segno_nonsense' },
      signed('another secret that is long'),
      signed(CLUSTER_SECRET, Date.now() - 31_000),
      signed(CLUSTER_SECRET, Date.now() + 31_000),
      signed(CLUSTER_SECRET, Date.now(), { body: '{}' }),
      signed(CLUSTER_SECRET, Date.now(), { path: '/internal/other' }),
    ]
    const nowhere = (await (await fetch(`${node.url}/nowhere`)).json()) as { detail: string }
    for (const headers of foreign) {
      const answer = await ask(node, headers)
      expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([404, nowhere.detail])
    }
    const large = 'x'.repeat(70_000)
    const tooLarge = await ask(node, signed(CLUSTER_SECRET, Date.now(), { body: large }), { body: large })
    expect(tooLarge.status).toBe(404)
    expect((await fetch(`${node.url}/internal/follow`)).status).toBe(404)
    const described = JSON.stringify(await (await fetch(`${node.url}/openapi.json`)).json())
    expect(described).not.toContain('internal')
  })

  test('is nowhere at all where there is no secret', async () => {
    const node = await startNode({ database: await database(), alone: true })
    for (const secret of ['', 'undefined', CLUSTER_SECRET]) expect((await ask(node, signed(secret))).status).toBe(404)
    expect(await view(node)).toMatchObject({ nodes: [{ address: null }], unreachable: [] })
  })
})
