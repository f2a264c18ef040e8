import { expect, test } from 'vitest'
import { staticFirst } from '../../../src/channel/http/static-first.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { ask } from './ask.ts'

test('creates, renames, lists, forks, archives and deletes conversations', async () => {
  const it = await segnoUnderTest({ turns: [{ text: 'Here.' }] })
  const made = await ask(it, 'POST', '/api/sessions', { title: 'One' })
  expect([made.status, made.body['title']]).toEqual([201, 'One'])
  const path = `/api/sessions/${String(made.body['id'])}`
  await ask(it, 'POST', `${path}/messages?wait=1`, { content: 'hi' })
  expect((await ask(it, 'PATCH', path, { title: 'Two' })).body['title']).toBe('Two')
  const fork = await ask(it, 'POST', `${path}/fork`, { seq: 3 })
  expect(fork.body['parent']).toEqual({ sessionId: made.body['id'], seq: 3 })
  expect((await ask(it, 'POST', `${path}/archive`)).body['archived']).toBe(true)
  expect((await ask(it, 'POST', `${path}/messages`, { content: 'hi' })).status).toBe(409)
  expect((await ask(it, 'DELETE', path)).status).toBe(204)
  expect((await ask(it, 'GET', path)).status).toBe(404)
  const { body } = await ask(it, 'GET', '/api/sessions')
  expect((body['items'] as { id: string }[]).map(({ id }) => id)).toEqual([fork.body['id'], it.sessionId])
})

test('lists page by page without a gap or a repeat', async () => {
  const it = await segnoUnderTest()
  for (let i = 0; i < 7; i++) await ask(it, 'POST', '/api/sessions', {})
  const seen: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const { body } = await ask(it, 'GET', `/api/sessions?limit=3${next === '' ? '' : `&cursor=${next}`}`)
    seen.push(...(body['items'] as { id: string }[]).map(({ id }) => id))
    next = body['next'] as string | null
  }
  expect([seen.length, new Set(seen).size]).toEqual([8, 8])
})

test('describes every route it has', async () => {
  const it = await segnoUnderTest()
  const { body } = await ask(it, 'GET', '/openapi.json')
  const paths = Object.keys(body['paths'] as object)
  expect(body['openapi']).toBe('3.1.0')
  expect(paths).toContain('/api/sessions/{id}/messages')
  expect(paths).toContain('/api/approvals/{id}')
})

test('no two routes are so alike that the router has to search for them', async () => {
  const it = await segnoUnderTest()
  const { body } = await ask(it, 'GET', '/openapi.json')
  const router = staticFirst<string>()
  for (const [path, methods] of Object.entries(body['paths'] as object))
    for (const method of Object.keys(methods as object))
      router.add(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ':$1'), path)
  expect(router.match('POST', '/api/sessions/a/fork')[0]).toHaveLength(1)
  expect(router.match('GET', '/api/memories/export')[0]).toEqual([['/api/memories/export', {}]])
  expect(router.match('GET', '/api/memories/a')[0]).toEqual([['/api/memories/{id}', expect.anything()]])
})

test('a conversation can be started without saying anything about it', async () => {
  const it = await segnoUnderTest()
  const { status, body } = await ask(it, 'POST', '/api/sessions')
  expect([status, body['workspaceId']]).toEqual([201, 'system'])
})
