import { expect } from 'vitest'
import { readOperations } from '../../security/support/operations.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from './ask.ts'

verifies('ORC-5', 'a conversation is made and found by its alias, and the alias is its owner’s alone', async () => {
  const it = await segnoUnderTest()
  const made = await ask(it, 'POST', '/api/sessions', { alias: 'desk:ada' })
  expect([made.status, made.body['alias']]).toEqual([201, 'desk:ada'])
  const found = await ask(it, 'GET', '/api/sessions?alias=desk%3Aada')
  expect(found.body).toEqual({ items: [made.body], next: null })
  expect((await ask(it, 'POST', '/api/sessions', { alias: 'desk:ada' })).status).toBe(409)
  const key = await ask(it, 'POST', '/api/keys', { name: 'bob', userId: 'bob', role: 'user' })
  const bob = { authorization: `Bearer ${String(key.body['secret'])}` }
  expect((await ask(it, 'GET', '/api/sessions?alias=desk%3Aada', undefined, bob)).body['items']).toEqual([])
  expect((await ask(it, 'POST', '/api/sessions', { alias: 'desk:ada' }, bob)).status).toBe(201)
})

verifies(
  'ORC-5',
  'a parameter nobody knows is refused by name on every route of the API, and nowhere else',
  async () => {
    const it = await segnoUnderTest()
    const operations = await readOperations(it.segno)
    const api = operations.filter(({ path }) => path.startsWith('/api/'))
    expect(api.length).toBeGreaterThan(40)
    for (const { method, path } of api) {
      const url = `${path.replaceAll(/\{\w+\}/g, 'x')}?nonsense=1`
      const { status, body } = await ask(it, method, url, method === 'GET' ? undefined : {})
      const fields = (body['errors'] as { field: string }[] | undefined)?.map(({ field }) => field)
      expect([method, path, status, fields]).toEqual([method, path, 400, expect.arrayContaining(['nonsense'])])
    }
    for (const path of ['/health', '/ready', '/metrics', '/openapi.json', '/docs'])
      expect([path, (await ask(it, 'GET', `${path}?nonsense=1`)).status]).toEqual([path, 200])
  },
)

verifies('ORC-5', 'of very many fields that nobody knows some are named', async () => {
  const it = await segnoUnderTest()
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, 1]))
  many['x'.repeat(100_000)] = 1
  const { status, body } = await ask(it, 'POST', '/api/sessions', many)
  expect([status, body['detail']]).toEqual([400, expect.stringContaining('field19: ')])
  expect(JSON.stringify(body).length).toBeLessThan(10_000)
})

verifies('LIN-5', 'the conversation can be read as of an event, by its number or by its id', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }] })
  const { events } = await it.ask('hi')
  const { id, seq } = events.find(({ type }) => type === 'message.user') ?? { id: '', seq: 0 }
  const read = (at: string | number) => ask(it, 'GET', `/api/sessions/${it.sessionId}/messages?at=${at}`)
  const { status, body } = await read(id)
  expect([status, (body['items'] as { role: string }[]).map(({ role }) => role)]).toEqual([200, ['user']])
  expect((await read(seq)).body).toEqual(body)
  expect((await read(crypto.randomUUID())).status).toBe(404)
  expect((await read('yesterday')).status).toBe(400)
})
