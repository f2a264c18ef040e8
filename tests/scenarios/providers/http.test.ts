import { describe, expect, test } from 'vitest'
import { verifies } from '../../support/verifies.ts'
import { asking } from '../http/asking.ts'
import { compatible, KEY, withHouse } from './support.ts'

const PATH = '/api/providers/house'

describe('a provider set over HTTP', () => {
  verifies('GOV-6', 'can be used at once, with its key and headers, and after a restart', async () => {
    const { it, at } = await withHouse()
    const headers = { 'X-Title': 'Segno', 'X-Api-Token': 'tok-123456789' }
    expect((await it.http('PUT', PATH, compatible(at.url, { headers }))).status).toBe(200)
    expect(await it.ask('Hi', { model: 'house:llama' })).toMatchObject({ content: 'Hello from the house.' })
    const [first] = at.requests
    expect(first?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-title': 'Segno',
      'x-api-token': 'tok-123456789',
    })
    await it.reopen()
    expect(await it.ask('Hi', { model: 'house:llama' })).toMatchObject({ content: 'Hello from the house.' })
  })

  verifies('GOV-6', 'is shown without anything secret', async () => {
    const { it, at } = await withHouse()
    const secret = {
      headers: { 'x-title': 'Segno', 'X-Api-Token': 'tok-123456789' },
      query: { 'api-key': 'q-987654321' },
    }
    const put = await it.http('PUT', PATH, compatible(at.url, { ...secret, local: true }))
    const expected = {
      name: 'house',
      kind: 'openai-compatible',
      baseURL: at.url,
      headers: { 'x-title': 'Segno' },
      local: true,
      hasKey: true,
      secretHeaders: ['X-Api-Token'],
      secretQuery: ['api-key'],
    }
    expect(put.body).toMatchObject(expected)
    expect((await it.http('GET', PATH)).body).toEqual(put.body)
    const list = (await it.http('GET', '/api/providers')).body
    expect(list).toMatchObject({ items: [expected], next: null })
    expect(JSON.stringify([put, list])).not.toMatch(/sk-house|tok-1|q-98/)
  })

  test('is gone with its key when it is removed', async () => {
    const { it, at } = await withHouse()
    await it.http('PUT', PATH, compatible(at.url))
    expect((await it.http('DELETE', PATH)).status).toBe(204)
    expect((await it.http('DELETE', PATH)).status).toBe(404)
    expect((await it.http('GET', PATH)).status).toBe(404)
    const refused = await it.http('POST', `/api/sessions/${it.sessionId}/messages`, {
      content: 'x',
      model: 'house:llama',
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  test('keeps its key when that is left out, and loses it by null', async () => {
    const { it, at } = await withHouse()
    await it.http('PUT', PATH, compatible(at.url))
    const { key: _, ...without } = compatible(at.url, { headers: { 'x-title': 'New' } })
    expect((await it.http('PUT', PATH, without)).body).toMatchObject({ hasKey: true, headers: { 'x-title': 'New' } })
    await it.ask('Hi', { model: 'house:llama' })
    expect(at.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect((await it.http('PUT', PATH, { ...without, key: null })).body).toMatchObject({ hasKey: false })
    await it.ask('Hi', { model: 'house:llama' })
    expect(at.requests.at(-1)?.headers.authorization).toBeUndefined()
  })

  test('keeps its kind, its address and what it costs when only its key is given', async () => {
    const { it, at } = await withHouse()
    await it.http('PUT', PATH, { baseURL: at.url, local: true })
    const changed = await it.http('PUT', PATH, { key: 'sk-next-0123456789' })
    expect(changed.body).toMatchObject({ kind: 'openai-compatible', baseURL: at.url, local: true, hasKey: true })
    expect((await it.http('PUT', PATH, { baseURL: null })).body).toMatchObject({ errors: [{ field: 'baseURL' }] })
  })

  test('never takes its key to another server', async () => {
    const { it, at } = await withHouse()
    await it.http('PUT', PATH, compatible(at.url))
    const moved = await it.http('PUT', PATH, { kind: 'openai-compatible', baseURL: 'https://8.8.8.8/v1' })
    expect(moved).toMatchObject({ status: 400, body: { errors: [{ field: 'key' }] } })
    expect((await it.http('GET', PATH)).body).toMatchObject({ baseURL: at.url })
    expect((await it.http('PUT', PATH, compatible('https://8.8.8.8/v1'))).status).toBe(200)
  })

  test('that settings set up can be seen and tried, but not changed', async () => {
    const { it, at } = await withHouse()
    await it.reopen({ env: { OPENAI_COMPATIBLE_BASE_URL: at.url, OPENAI_COMPATIBLE_API_KEY: KEY } })
    const path = '/api/providers/openai-compatible'
    expect((await it.http('GET', path)).body).toEqual({
      name: 'openai-compatible',
      kind: 'openai-compatible',
      baseURL: at.url,
      hasKey: true,
      setting: 'OPENAI_COMPATIBLE_BASE_URL',
    })
    for (const [method, body] of [
      ['PUT', compatible('https://8.8.8.8/v1')],
      ['DELETE', undefined],
    ] as const) {
      const { status, body: said } = await it.http(method, path, body)
      expect([status, said['detail']]).toEqual([409, expect.stringContaining('OPENAI_COMPATIBLE_BASE_URL')])
    }
    expect((await it.http('POST', `${path}/test`)).body).toMatchObject({ ok: true })
  })

  test('gives way to settings that come later, and can still be removed', async () => {
    const { it, at } = await withHouse()
    const path = '/api/providers/openai-compatible'
    await it.http('PUT', path, compatible(at.url))
    await it.reopen({ env: { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' } })
    expect((await it.http('GET', path)).body).toMatchObject({ baseURL: 'http://127.0.0.1:9/v1', hasKey: false })
    expect((await it.http('DELETE', path)).status).toBe(204)
  })

  test('is recorded when it is set, tried and removed, without its address or key', async () => {
    const { it, at } = await withHouse()
    await it.http('PUT', PATH, compatible(at.url))
    await it.http('POST', `${PATH}/test`)
    await it.http('DELETE', PATH)
    const { body } = await it.http('GET', '/api/audit')
    const items = body['items'] as { action: string; metadata: object }[]
    const ours = items.filter(({ action }) => action.startsWith('provider_'))
    expect(ours.map(({ action, metadata }) => [action, metadata])).toEqual(
      ['provider_removed', 'provider_tested', 'provider_set'].map((action) => [action, { provider: 'house' }]),
    )
  })

  test('may not be one more than the limit allows', async () => {
    const it = await asking({ limits: { PROVIDERS: 1 } })
    const put = (name: string) => it.http('PUT', `/api/providers/${name}`, { kind: 'anthropic', key: KEY })
    expect((await put('one')).status).toBe(200)
    expect((await put('one')).status).toBe(200)
    expect(await put('two')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('limit PROVIDERS') as string },
    })
  })

  test('of a kind that Segno knows makes the models of that kind usable', async () => {
    const it = await asking({})
    await it.http('PUT', '/api/providers/anthropic', { kind: 'anthropic', key: KEY })
    const { body } = await it.http('GET', '/api/models')
    const claude = (body['items'] as { key: string; missing?: string }[]).find(({ key }) => key === 'claude-sonnet')
    expect(claude).toBeDefined()
    expect(claude?.missing).toBeUndefined()
  })
})

describe('what cannot be set over HTTP is refused, with the place where it can', () => {
  const PUBLIC = 'https://8.8.8.8/v1'
  test.each([
    ['a package', { kind: 'package', package: 'evil' }, 'SEGNO_PROVIDERS'],
    ['a package beside a kind', { ...compatible(PUBLIC), package: 'evil' }, 'SEGNO_PROVIDERS'],
    ['the name of a variable', { ...compatible(PUBLIC), keyEnv: 'HOME' }, 'SEGNO_PROVIDERS'],
    ['a header with a variable', compatible(PUBLIC, { headers: { a: '${HOME}' } }), 'SEGNO_PROVIDERS'],
    ['this machine', compatible('http://127.0.0.1:8000/v1'), 'SEGNO_PRIVATE_ORIGINS'],
    ['a private network', compatible('http://10.0.0.1/v1'), 'SEGNO_PRIVATE_ORIGINS'],
    ['the metadata of a cloud', compatible('http://169.254.169.254/v1'), 'SEGNO_PRIVATE_ORIGINS'],
    ['a name of a private network', compatible('http://models.internal/v1'), 'SEGNO_PRIVATE_ORIGINS'],
    ['a single word', compatible('http://models/v1'), 'SEGNO_PRIVATE_ORIGINS'],
  ])('%s', async (_, input, where) => {
    const it = await asking({})
    const { status, body } = await it.http('PUT', PATH, input)
    expect([status, body['detail']]).toEqual([400, expect.stringContaining(where)])
    expect((await it.http('GET', PATH)).status).toBe(404)
  })

  test.each([
    ['an unknown kind', { kind: 'telepathy', baseURL: PUBLIC }, 'kind'],
    ['Ollama', { kind: 'ollama' }, 'kind'],
    ['no address', { kind: 'openai-compatible' }, 'baseURL'],
    ['another protocol', compatible('ftp://8.8.8.8/v1'), 'baseURL'],
    ['a password in the address', compatible('https://a:b@8.8.8.8/v1'), 'baseURL'],
    ['a query in the address', compatible(`${PUBLIC}?key=1`), 'baseURL'],
    ['a port of another protocol', compatible('https://8.8.8.8:22/v1'), 'baseURL'],
    ['a long address', compatible(`https://8.8.8.8/${'a'.repeat(500)}`), 'baseURL'],
    ['an empty key', compatible(PUBLIC, { key: '' }), 'key'],
    ['a key with a line end', compatible(PUBLIC, { key: 'a\nb' }), 'key'],
    ['a long key', compatible(PUBLIC, { key: 'a'.repeat(4001) }), 'key'],
    ['a header of the connection', compatible(PUBLIC, { headers: { Host: 'evil' } }), 'headers.Host'],
    ['a header that splits', compatible(PUBLIC, { headers: { a: 'b\r\nc: d' } }), 'headers.a'],
    ['an odd header name', compatible(PUBLIC, { headers: { 'a b': 'c' } }), 'headers'],
    [
      'too many headers',
      compatible(PUBLIC, { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`h${n}`, ''])) }),
      'headers',
    ],
    ['a field nobody knows', { ...compatible(PUBLIC), colour: 'red' }, 'colour'],
  ])('or with the field that does not fit: %s', async (_, input, field) => {
    const it = await asking({})
    const { status, body } = await it.http('PUT', PATH, input)
    expect([status, (body['errors'] as { field: string }[])[0]?.field]).toEqual([400, field])
    expect(JSON.stringify(body)).not.toContain(KEY)
  })

  test.each([
    ['UPPER', 'name'],
    ['openai.mine', 'name'],
    ['a b', 'name'],
    ['ollama', 'name'],
    ['scripted', 'name'],
    ['anthropic', 'kind'],
  ])('or a name that does not: %s', async (name, field) => {
    const it = await asking({})
    const { status, body } = await it.http('PUT', `/api/providers/${encodeURIComponent(name)}`, compatible(PUBLIC))
    expect([status, (body['errors'] as { field: string }[])[0]?.field]).toEqual([400, field])
  })
})

describe('only who runs the installation', () => {
  test.each([
    ['GET', '/api/providers'],
    ['GET', PATH],
    ['PUT', PATH],
    ['DELETE', PATH],
    ['POST', `${PATH}/test`],
    ['POST', '/api/secrets/rotate'],
    ['POST', '/api/secrets/forget-lost'],
  ])('may ask %s %s', async (method, path) => {
    const it = await asking({})
    const key = await it.keyFor(['*'])
    const body = method === 'PUT' ? compatible('https://8.8.8.8/v1') : undefined
    expect(await it.http(method, path, body, key)).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_DENIED' },
    })
  })
})
