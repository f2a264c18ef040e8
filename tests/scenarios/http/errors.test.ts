import { expect, test } from 'vitest'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { ask } from './ask.ts'

const messages = (it: SegnoUnderTest): string => `/api/sessions/${it.sessionId}/messages`

test.each([
  ['an unknown field', { content: 'hi', contnt: 1 }, 400, 'contnt'],
  ['no content', {}, 400, 'content'],
  ['empty content', { content: ' ' }, 400, 'content'],
  ['a body that is not JSON', '{"content":', 415, 'JSON'],
  ['a limit nobody knows', { content: 'hi', limits: { maxFun: 1 } }, 400, 'maxFun'],
  ['a model nobody knows', { content: 'hi', model: 'gpt-0' }, 400, 'gpt-0'],
])('answers %s with a problem document that names it', async (_, body, status, named) => {
  const it = await segnoUnderTest()
  const answer = await ask(it, 'POST', messages(it), body)
  expect([answer.status, answer.type]).toEqual([status, 'application/problem+json'])
  const code = status === 415 ? 'NOT_JSON' : 'VALIDATION_ERROR'
  expect(answer.body).toMatchObject({ status, code, requestId: expect.any(String) as string })
  expect(String(answer.body['detail'])).toContain(named)
})

test('refuses what is not JSON with 415 and what is too large with 413', async () => {
  const it = await segnoUnderTest({ limits: { BODY_BYTES: 1000 } })
  const form = await ask(it, 'POST', messages(it), 'content=hi', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(form.status).toBe(415)
  expect((await ask(it, 'POST', messages(it), { content: 'x'.repeat(2000) })).status).toBe(413)
})

test('knows nothing of sessions, rounds and approvals that are not there', async () => {
  const it = await segnoUnderTest()
  for (const path of ['/api/sessions/nope', '/api/sessions/nope/events', '/api/rounds/nope', '/api/nothing']) {
    expect(await ask(it, 'GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  }
})

test.each([
  ['a foreign Host', { host: 'evil.example' }, 401],
  ['a page of another site', { origin: 'http://evil.example' }, 403],
  ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a forwarded request', { 'x-forwarded-for': '10.0.0.1' }, 401],
])('does nothing for %s', async (_, headers, status) => {
  const it = await segnoUnderTest()
  const answer = await ask(it, 'POST', messages(it), { content: 'hi' }, headers)
  expect(answer.status).toBe(status)
  expect((await it.events()).map(({ type }) => type)).toEqual(['session.created'])
})

test('is not ready once it is closing', async () => {
  const it = await segnoUnderTest()
  expect((await ask(it, 'GET', '/ready')).status).toBe(200)
  const closing = it.segno.close()
  expect((await ask(it, 'GET', '/ready')).status).toBe(503)
  await closing
})
