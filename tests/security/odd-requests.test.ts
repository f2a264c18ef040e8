import { afterAll, describe, expect, test } from 'vitest'
import { serve } from '../../src/channel/http/index.ts'
import { sendRaw } from '../chaos/fuzz-socket.ts'
import { verifies } from '../support/verifies.ts'
import { openStage } from './support/stage.ts'

const stage = await openStage()
const server = await serve(stage.segno.fetch, { host: '127.0.0.1', port: 0, requestMs: 10_000 })
const port = Number(new URL(server.url).port)
afterAll(async () => {
  await server.stop()
  await stage.close()
})

async function raw(lines: readonly string[], body = '') {
  const length = body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]
  const text = `${[...lines, 'connection: close', ...length].join('\r\n')}\r\n\r\n${body}`
  return sendRaw(port, Buffer.from(text, 'latin1'), false)
}

const ODD_HOSTS = [
  '127.256.0.1',
  '127.0.0.999',
  '999.0.0.1',
  '127.0.0.1:99999',
  '127.0.0.1:abc',
  '[::1',
  '[::g]',
  '[]',
  'a b',
  'a%00b',
  'a%zz',
  'user@127.0.0.1',
  'localhost/..',
  'localhost#x',
  'localhost?x',
  'a\\b',
  '<script>',
  'x'.repeat(5000),
  'xn--a',
  '1.2.3.4.5.6',
  '0x7f.1.256.1',
]

describe('a Host no URL can have', () => {
  for (const path of ['/api/sessions', '/', '/health', '/docs', '/api/nothing'])
    test(`is refused or answered as another host at ${path}, and is never a mistake of ours`, async () => {
      for (const host of ODD_HOSTS) {
        const { status = 500 } = await raw([`GET ${path} HTTP/1.1`, `host: ${host}`])
        expect(status, host).toBeLessThan(500)
      }
    })

  test('is 400 where it looks like this machine', async () => {
    for (const host of ['127.256.0.1', '127.0.0.999', '127.0.0.1:99999'])
      for (const path of ['/api/sessions', '/'])
        expect([host, (await raw([`GET ${path} HTTP/1.1`, `host: ${host}`])).status]).toEqual([host, 400])
  })

  test('is 400 with a foreign origin too, and an odd path is no mistake of ours either', async () => {
    const lines = ['GET /api/sessions HTTP/1.1', 'host: 127.256.0.1', 'origin: http://127.256.0.1']
    expect((await raw(lines)).status).toBe(400)
    for (const path of [
      '//',
      '///x',
      'http://[',
      'http://127.256.0.1/api/sessions',
      '*',
      '/%',
      '/%ff',
      '/api/sessions/%00',
    ])
      expect((await raw([`GET ${path} HTTP/1.1`, 'host: 127.0.0.1'])).status, path).toBeLessThan(500)
  })
})

const DEEP = 400_000
const deepList = '['.repeat(DEEP) + ']'.repeat(DEEP)
const deepObject = '{"a":'.repeat(DEEP / 2) + '1' + '}'.repeat(DEEP / 2)
const within = (field: string, deep: string): string => `{"${field}":${deep}}`

verifies('REL-5', 'JSON that is nested past any use is 400 at every route that reads a body', async () => {
  const document = JSON.parse((await raw(['GET /openapi.json HTTP/1.1', 'host: 127.0.0.1'])).body) as {
    paths: Record<string, Record<string, { requestBody?: object }>>
  }
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => (requestBody ? [{ method, path }] : [])),
  )
  expect(routes.length).toBeGreaterThan(10)
  for (const { method, path } of routes) {
    const line = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')} HTTP/1.1`
    const { status, body } = await raw([line, 'host: 127.0.0.1'], deepList)
    expect([line, status, body.includes('nested')]).toEqual([line, 400, true])
  }
})

test('wherever in a body it stands', async () => {
  const bodies: [path: string, body: string][] = [
    ['/api/sessions', deepObject],
    ['/api/sessions', within('title', deepList)],
    ['/api/chats/x/messages', within('content', deepList)],
    ['/api/policy/explain', `{"tool":"calculator","args":${deepObject}}`],
    ['/api/sessions', `{"title":"a"} ${deepList}`],
    ['/api/sessions', '['.repeat(DEEP)],
  ]
  for (const [path, body] of bodies)
    expect([path, (await raw([`POST ${path} HTTP/1.1`, 'host: 127.0.0.1'], body)).status]).toEqual([path, 400])
})

test('brackets in a text are no nesting, and ordinary depth is none', async () => {
  const title = '[{"\\'.repeat(50)
  const { status } = await raw(['POST /api/sessions HTTP/1.1', 'host: 127.0.0.1'], JSON.stringify({ title }))
  expect(status).toBe(201)
  const args = JSON.parse('[{"a":'.repeat(20) + '1' + '}]'.repeat(20)) as object
  const asked = await raw(
    ['POST /api/policy/explain HTTP/1.1', 'host: 127.0.0.1'],
    JSON.stringify({ tool: 'calculator', args: { args } }),
  )
  expect(asked.status).toBe(200)
})
