import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/index.ts'
import { ask, readProblem } from './support/ask.ts'
import { openStage } from './support/stage.ts'

const FRIEND = 'https://app.example.org'
const STRANGERS = ['https://evil.example', 'https://app.example.org.evil.example', 'http://app.example.org', 'null']
const stage = await openStage({ SEGNO_CORS_ORIGINS: `${FRIEND}, http://localhost:5173` })
afterAll(() => stage.close())

const allowed = ({ headers }: { headers: Headers }): string | null => headers.get('access-control-allow-origin')
const named = (headers: Headers): string[] => [...headers.keys()].filter((name) => name.startsWith('access-control'))

describe('a page of an origin the operator named', () => {
  test('may ask first what it may send', async () => {
    const answer = await ask(stage.segno, 'OPTIONS', '/api/sessions', {
      headers: {
        origin: FRIEND,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    })
    expect([answer.status, answer.text, allowed(answer)]).toEqual([204, '', FRIEND])
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])
      expect(answer.headers.get('access-control-allow-methods')).toContain(method)
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'last-event-id'])
      expect(answer.headers.get('access-control-allow-headers')).toContain(name)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each([
    ['an answer', 'GET', '/api/sessions', 200],
    ['a problem', 'GET', '/api/sessions/nope', 404],
    ['a page that is not there', 'GET', '/api/nothing', 404],
    ['an export', 'GET', '/api/audit/export', 200],
  ])('may read %s', async (_, method, path, status) => {
    const answer = await ask(stage.segno, method, path, { headers: { origin: FRIEND, 'sec-fetch-site': 'cross-site' } })
    expect([answer.status, allowed(answer)]).toEqual([status, FRIEND])
    expect(answer.headers.get('vary')).toContain('Origin')
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id')
  })

  test('may follow a stream', async () => {
    const { id } = await stage.segno.createSession()
    const answer = await ask(stage.segno, 'POST', `/api/sessions/${id}/messages`, {
      body: { content: 'hello' },
      headers: { origin: FRIEND, accept: 'text/event-stream' },
    })
    expect(answer.text).toContain('round.ended')
    expect([answer.status, allowed(answer)]).toEqual([200, FRIEND])
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
  })

  test('still needs a key where everybody does', async () => {
    const strict = await openStage({ SEGNO_CORS_ORIGINS: FRIEND, SEGNO_REQUIRE_KEY: 'on' })
    try {
      const answer = await ask(strict.segno, 'GET', '/api/sessions', { headers: { origin: FRIEND } })
      expect([answer.status, allowed(answer)]).toEqual([401, FRIEND])
    } finally {
      await strict.close()
    }
  })
})

describe.each(STRANGERS)('a page of %s', (origin) => {
  test('learns nothing when it asks first', async () => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await ask(stage.segno, 'OPTIONS', '/api/sessions', { headers })
    expect(readProblem(answer).code).toBe('FOREIGN_ORIGIN')
    expect(named(answer.headers)).toEqual([])
  })

  test.each(['/api/sessions', '/metrics', '/health', '/openapi.json'])('is not let read %s', async (path) => {
    expect(named((await ask(stage.segno, 'GET', path, { headers: { origin } })).headers)).toEqual([])
  })
})

test('a page of the server itself needs no permission', async () => {
  for (const origin of ['http://127.0.0.1:4747', 'https://127.0.0.1:4747']) {
    const answer = await ask(stage.segno, 'GET', '/api/sessions', {
      headers: { origin, host: '127.0.0.1:4747', 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status).toBe(200)
  }
})

describe('SEGNO_CORS_ORIGINS', () => {
  test('takes origins with commas between', () => {
    const { corsOrigins } = readConfig({ SEGNO_CORS_ORIGINS: ' https://a.example ,http://b.example:8080,' })
    expect(corsOrigins).toEqual(['https://a.example', 'http://b.example:8080'])
  })

  test.each([
    '*',
    'null',
    'app.example.org',
    'https://app.example.org/',
    'https://app.example.org/x',
    'https://A.example',
  ])('is refused with %s in it, which is named', (origin) => {
    expect(() => readConfig({ SEGNO_CORS_ORIGINS: `https://ok.example,${origin}` })).toThrow(
      `SEGNO_CORS_ORIGINS has "${origin}"`,
    )
  })
})
