import { describe, expect, test } from 'vitest'
import { permissionsOf } from '../../../src/account/index.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Memory } from '../../../src/contract/memory.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ada, bob, holder, rival } from '../prompt/support.ts'
import { contentsOf, memoriesOf } from './support.ts'

const PATH = '/api/memories'

describe('memories over HTTP', () => {
  verifies('GOV-18', 'are added, listed, changed, exported, deleted and forgotten, each person their own', async () => {
    const it = await segnoUnderTest()
    const adas = await holder(it, 'ada', 'user')
    const { status, body: tea } = await adas('POST', PATH, { content: ' Likes\ntea ', category: 'preference' })
    expect(status).toBe(201)
    const usual = { importance: 5, source: 'user', method: 'user', status: 'active', revision: 1 }
    expect(tea).toMatchObject({ content: 'Likes tea', category: 'preference', ...usual })
    expect(Object.keys(tea)).not.toContain('tenant')
    expect(Object.keys(tea)).not.toContain('userId')
    const at = `${PATH}/${String(tea['id'])}`
    expect((await adas('GET', at)).body).toEqual(tea)

    const { body: weighed } = await adas('PATCH', at, { importance: 9, revision: 1 })
    expect(weighed).toMatchObject({ id: tea['id'], importance: 9, revision: 2 })
    expect((await adas('PATCH', at, { importance: 8, revision: 1 })).body).toMatchObject({ code: 'CONFLICT' })
    const { body: cake } = await adas('PATCH', at, { content: 'Likes cake' })
    expect(cake).toMatchObject({ content: 'Likes cake', category: 'preference', importance: 9, supersedes: tea['id'] })
    expect((await adas('GET', at)).body).toMatchObject({ content: 'Likes tea', status: 'replaced' })
    expect((await adas('PATCH', at, { importance: 1 })).body).toMatchObject({ code: 'CONFLICT' })

    const { body: again } = await adas('POST', PATH, { content: 'likes CAKE.' })
    expect(again).toMatchObject({ id: cake['id'] })
    await adas('POST', PATH, { content: 'Has a dog' })
    const active = await adas('GET', `${PATH}?status=active&limit=1`)
    expect(active.body).toMatchObject({ items: [{ content: 'Has a dog' }] })
    const rest = await adas('GET', `${PATH}?status=active&cursor=${String(active.body['next'])}`)
    expect(rest.body).toMatchObject({ items: [{ content: 'Likes cake' }], next: null })

    const file = await it.segno.fetch(
      new Request(`http://127.0.0.1:4747${PATH}/export`, { headers: await keyOf(it, 'ada') }),
    )
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="memories.json"')
    expect(((await file.json()) as { items: Memory[] }).items.map(({ content }) => content)).toEqual([
      'Has a dog',
      'Likes cake',
      'Likes tea',
    ])
    expect((await adas('DELETE', `${PATH}/${String(cake['id'])}`)).status).toBe(204)
    expect((await adas('GET', at)).status).toBe(404)
    expect((await adas('DELETE', PATH)).body).toEqual({ forgotten: 1 })
    expect((await adas('GET', PATH)).body).toEqual({ items: [], next: null })
  })

  verifies('GOV-18', 'of others are not there, in the same tenant and in another one', async () => {
    const it = await segnoUnderTest()
    const { id } = await it.segno.memories.add(ada, { content: 'Likes tea' })
    await it.segno.memories.add(bob, { content: 'Likes tea' })
    for (const who of [bob, rival]) {
      const theirs = await holder(it, who.id, 'admin', who.tenant)
      for (const [method, body] of [['GET'], ['PATCH', { importance: 1 }], ['DELETE']] as const)
        expect((await theirs(method, `${PATH}/${id}`, body)).status).toBe(404)
      expect(JSON.stringify((await theirs('GET', PATH)).body)).not.toContain(id)
      expect(JSON.stringify((await theirs('GET', `${PATH}/export`)).body)).not.toContain(id)
      await theirs('DELETE', PATH)
    }
    expect(contentsOf(await memoriesOf(it, ada))).toEqual(['Likes tea'])
    expect(await memoriesOf(it, bob)).toEqual([])
  })

  test('that are added twice under one key are there once', async () => {
    const it = await segnoUnderTest()
    const adas = await holder(it, 'ada', 'user')
    const key = { 'idempotency-key': 'one' }
    const { body } = await adas('POST', PATH, { content: 'Likes tea' }, key)
    expect(await adas('POST', PATH, { content: 'Likes tea' }, key)).toMatchObject({
      status: 201,
      body: { id: body['id'] },
    })
    const other = await adas('POST', PATH, { content: 'Has a dog' }, key)
    expect(other.body).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
    expect(contentsOf(await memoriesOf(it, ada))).toEqual(['Likes tea'])
  })

  test('are of people who may have them', async () => {
    const { segno } = await segnoUnderTest()
    const reader = { ...ada, permissions: ['memory:read'] }
    const auditor = { ...ada, permissions: permissionsOf('auditor', null) }
    expect(await segno.memories.list(reader)).toEqual({ items: [], next: null })
    for (const work of [
      () => segno.memories.add(reader, { content: 'Likes tea' }),
      () => segno.memories.forget(reader),
      () => segno.memories.list(auditor),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  })

  verifies('GOV-18', 'that are no good are refused with the field, and nothing is stored', async () => {
    const it = await segnoUnderTest({ limits: { MEMORIES: 2 } })
    const adas = await holder(it, 'ada', 'user')
    const bad: [body: object, field: string][] = [
      [{}, 'content'],
      [{ content: '' }, 'content'],
      [{ content: ' \u200b ' }, 'content'],
      [{ content: 7 }, 'content'],
      [{ content: 'tea '.repeat(51) }, 'content'],
      [{ content: 'x'.repeat(10_001) }, 'content'],
      [{ content: 'My password is zanzibar' }, 'content'],
      [{ content: 'Likes tea', category: 'drink' }, 'category'],
      [{ content: 'Likes tea', importance: 11 }, 'importance'],
      [{ content: 'Likes tea', status: 'active' }, 'status'],
      [{ content: 'Likes tea', userId: 'bob' }, 'userId'],
    ]
    for (const [body, field] of bad) {
      const { status, body: problem } = await adas('POST', PATH, body)
      expect([status, problem['code']], JSON.stringify(body)).toEqual([400, 'VALIDATION_ERROR'])
      expect(problem['errors']).toMatchObject([{ field }])
    }
    expect(await memoriesOf(it, ada)).toEqual([])
    const { body: tea } = await adas('POST', PATH, { content: 'Likes tea' })
    await adas('POST', PATH, { content: 'Has a dog' })
    const full = await adas('POST', PATH, { content: 'Has a cat' })
    expect(full.body).toMatchObject({ code: 'CONFLICT', detail: expect.stringContaining('MEMORIES') as string })
    const same = await adas('PATCH', `${PATH}/${String(tea['id'])}`, { content: 'has a dog' })
    expect(same.body).toMatchObject({ code: 'CONFLICT', detail: 'Another of your memories says this already.' })
    expect((await adas('PATCH', `${PATH}/${String(tea['id'])}`, { status: 'replaced' })).status).toBe(400)
  })

  test('leave an event in the outbox, with ids only, that is forgotten with them', async () => {
    const it = await segnoUnderTest({ keepsOutbox: true })
    const { id } = await it.segno.memories.add(ada, { content: 'Likes zanzibar tea' })
    await it.segno.memories.add(bob, { content: 'Likes zanzibar cake' })
    const outbox = async () => {
      await it.segno.close()
      const store = await openStoreOf(it.home)
      const events = await store.outbox(0, 10)
      await store.close()
      await it.reopen()
      return events
    }
    const [adas] = await outbox()
    expect(adas).toMatchObject({ type: 'memory.created', tenant: 'acme', userId: 'ada', payload: { memoryId: id } })
    expect(JSON.stringify(adas)).not.toContain('zanzibar')
    await it.segno.memories.forget(ada)
    expect((await outbox()).map(({ userId }) => userId)).toEqual(['bob'])
  })
})

async function keyOf(it: Parameters<typeof holder>[0], userId: string): Promise<Record<string, string>> {
  const { secret = '' } = await it.segno.keys.add(LOCAL_OWNER, { name: 'one', userId, role: 'user', tenant: 'acme' })
  return { authorization: `Bearer ${secret}` }
}
