import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { STATUS } from '../../src/channel/http/problems.ts'
import { verifies } from '../support/verifies.ts'
import { ask, readProblem, type Asking } from './support/ask.ts'
import { ADA, openStage } from './support/stage.ts'

const stage = await openStage()
afterAll(() => stage.close())
const { segno } = stage
const { text: key } = await stage.key('acme', 'ada', ['*'])
const { id } = await segno.createSession({}, { actor: ADA })
const { id: archived } = await segno.createSession({}, { actor: ADA })
await segno.sessions.archive(ADA, archived)
const { text: reader } = await stage.key('acme', 'ada', ['chat:read'])

type Case = [what: string, method: string, path: string, asking: Asking, code: keyof typeof STATUS, said: RegExp]

const as = (body: unknown): Asking => ({ key, body })
const messages = `/api/sessions/${id}/messages`
const CASES: Case[] = [
  ['a field that is missing', 'POST', messages, as({}), 'VALIDATION_ERROR', /content: .*missing/],
  ['a field of another type', 'POST', messages, as({ content: 7 }), 'VALIDATION_ERROR', /content: .*expected string/],
  ['an empty message', 'POST', messages, as({ content: ' ' }), 'VALIDATION_ERROR', /content is empty; write something/],
  ['a field nobody knows', 'POST', messages, as({ content: 'x', extra: 1 }), 'VALIDATION_ERROR', /extra/],
  ['a word nobody knows', 'POST', messages, as({ content: 'x', mode: 'fly' }), 'VALIDATION_ERROR', /mode: .*plan.*act/],
  ['half a character', 'POST', messages, as({ content: 'a\ud800' }), 'VALIDATION_ERROR', /content .*well-formed/],
  ['a body cut short', 'POST', messages, as('{"content":'), 'NOT_JSON', /JSON/],
  ['no body', 'POST', messages, { key }, 'VALIDATION_ERROR', /./],
  ['a list as a body', 'POST', messages, as([]), 'VALIDATION_ERROR', /body: .*object/],
  ['a bad limit', 'GET', '/api/sessions?limit=0', { key }, 'VALIDATION_ERROR', /limit: .*1/],
  ['a bad cursor', 'GET', '/api/sessions?cursor=x', { key }, 'VALIDATION_ERROR', /cursor/],
  [
    'a bad time',
    'POST',
    '/api/keys',
    as({ name: 'k', expiresAt: 'soon' }),
    'VALIDATION_ERROR',
    /expiresAt: .*datetime/,
  ],
  [
    'a time that is over',
    'POST',
    '/api/keys',
    as({ name: 'k', expiresAt: '2001-01-01T00:00:00Z' }),
    'VALIDATION_ERROR',
    /expiresAt .*to come/,
  ],
  [
    'a bad Last-Event-ID',
    'GET',
    `/api/sessions/${id}/events`,
    { key, headers: { 'last-event-id': 'x' } },
    'VALIDATION_ERROR',
    /last-event-id: .*such as 12/,
  ],
  [
    'a model nobody knows',
    'POST',
    messages,
    as({ content: 'x', model: 'gpt-0' }),
    'VALIDATION_ERROR',
    /gpt-0.*Known here: scripted/,
  ],
  ['no key', 'GET', '/api/sessions', { headers: { host: 'evil.example' } }, 'KEY_REQUIRED', /Authorization: Bearer/],
  ['a wrong key', 'GET', '/api/sessions', { key: 'x' }, 'KEY_INVALID', /unknown, has expired or was revoked/],
  ['a weak key', 'POST', '/api/sessions', { key: reader, body: {} }, 'PERMISSION_DENIED', /it needs chat:write/],
  [
    'another site',
    'GET',
    '/api/sessions',
    { key, headers: { origin: 'http://evil.example' } },
    'FOREIGN_ORIGIN',
    /SEGNO_CORS_ORIGINS/,
  ],
  ['an address nobody has', 'GET', '/api/nothing', { key }, 'NOT_FOUND', /\/docs/],
  ['a session nobody has', 'GET', '/api/sessions/nope', { key }, 'NOT_FOUND', /There is no session nope/],
  [
    'an archived session',
    'POST',
    `/api/sessions/${archived}/messages`,
    as({ content: 'x' }),
    'CONFLICT',
    /bring it back/,
  ],
  ['a workspace of the system', 'PATCH', '/api/workspaces/system', as({ name: 'x' }), 'CONFLICT', /make another one/],
  [
    'a form',
    'POST',
    messages,
    { key, body: 'content=hi', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'NOT_JSON',
    /application\/json/,
  ],
  ['too much', 'POST', messages, as({ content: 'x'.repeat(4_100_000) }), 'TOO_LARGE', /4000000 bytes.*BODY_BYTES/],
]

describe('a client hears what was wrong and what to do:', () => {
  for (const [what, method, path, asking, code, said] of CASES) {
    verifies('GOV-31', `${what} is ${code}`, async () => {
      const document = readProblem(await ask(segno, method, path, asking))
      expect(document).toMatchObject({ code, status: STATUS[code], type: 'about:blank' })
      expect(document.detail).toMatch(said)
      expect(document.detail).not.toMatch(/undefined|\[object|NaN/)
    })
  }
})

test('a field that is wrong is named apart, so that a program can show it in its place', async () => {
  const both = readProblem(await ask(segno, 'POST', messages, as({ content: 1, mode: 'fly', limits: { totalMs: -1 } })))
  expect(both.errors?.map(({ field }) => field).toSorted()).toEqual(['content', 'limits.totalMs', 'mode'])
  const own = readProblem(await ask(segno, 'POST', messages, as({ content: 'x', limits: { maxFun: 1 } })))
  expect(own.errors).toEqual([{ field: 'limits.maxFun', message: own.detail }])
})

test('a repeated key with another body is told apart from one with the same', async () => {
  const post = (body: object) => ask(segno, 'POST', '/api/sessions', { key, body, headers: { 'idempotency-key': 'k' } })
  expect((await post({ title: 'one' })).status).toBe(201)
  expect((await post({ title: 'one' })).status).toBe(201)
  expect(readProblem(await post({ title: 'two' }))).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH', status: 422 })
})

test('a busy session says so to who does not want to wait', async () => {
  const { id } = await segno.createSession({}, { actor: ADA })
  await segno.rounds.send(ADA, id, 'slow')
  const answer = await ask(segno, 'POST', `/api/sessions/${id}/messages`, as({ content: 'x', onBusy: 'reject' }))
  expect(readProblem(answer)).toMatchObject({ code: 'BUSY', status: 409 })
})

test('what is switched off says which switch it is', async () => {
  const off = await openStage({ TWO_STAGE_ENABLED: 'off' })
  onTestFinished(() => off.close())
  const answer = await ask(off.segno, 'POST', '/api/chat/messages_two_stage', { body: { content: 'x' } })
  expect(readProblem(answer)).toMatchObject({ code: 'NOT_ENABLED', status: 501 })
  expect(readProblem(answer).detail).toContain('TWO_STAGE_ENABLED')
})

test('too many requests are told when to come back', async () => {
  const slow = await openStage({}, { RATE_PER_MINUTE: 3 })
  onTestFinished(() => slow.close())
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(slow.segno, 'GET', '/api/models')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
  const [refused] = answers.slice(-1)
  if (!refused) throw new Error('nobody was refused')
  expect(readProblem(refused).code).toBe('RATE_LIMITED')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a Segno that is closing refuses what is new with 503', async () => {
  const closing = await openStage()
  const { id } = await closing.segno.createSession()
  const closed = closing.segno.close()
  const answer = await ask(closing.segno, 'POST', `/api/sessions/${id}/messages`, { body: { content: 'x' } })
  expect(readProblem(answer)).toMatchObject({ code: 'SHUTTING_DOWN', status: 503 })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  await closed
  await closing.close()
})

verifies('GOV-31', 'no two answers have the same request id, and each has it in its head', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => ask(segno, 'GET', i % 2 ? '/api/models' : '/api/sessions/nope', { key })),
  )
  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(200)
  expect(ids).not.toContain(null)
})
