import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { verifies } from '../../support/verifies.ts'
import { like, working } from './support/working.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const MEGABYTE = Buffer.alloc(1_000_000, 'x')
const MOST_BYTES = 100_000

/** Goes on until nobody reads any more, or 200 MB are written. */
function pour(response: ServerResponse, left = 200): void {
  if (response.destroyed || left === 0) return void response.end()
  if (response.write(MEGABYTE)) setImmediate(pour, response, left - 1)
  else response.once('drain', () => pour(response, left - 1))
}

/** How a program outside may answer, and what that is for the run. */
const ANSWERS: Readonly<
  Record<string, { say(response: ServerResponse): void; is: Readonly<Record<string, unknown>> }>
> = {
  'a page of HTML': {
    say: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to nginx</html>'),
    is: { status: 'failure', code: 'BAD_ANSWER', raw: like(/nginx/), error: like(/neither JSON nor plain text/) },
  },
  'HTML that says it is text': {
    say: (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('<!doctype html><p>Hello'),
    is: { status: 'failure', code: 'BAD_ANSWER' },
  },
  'nothing, where there should be something': {
    say: (response) => response.writeHead(204).end(),
    is: { status: 'failure', code: 'BAD_OUTPUT', error: like(/must be an object/) },
  },
  'broken JSON': {
    say: (response) => response.writeHead(200, JSON_TYPE).end('{"done":tr'),
    is: { status: 'failure', code: 'BAD_ANSWER', raw: '{"done":tr', error: like(/says it is JSON and is not/) },
  },
  'bytes that are no text': {
    say: (response) => response.writeHead(200, JSON_TYPE).end(Buffer.from([0xff, 0xfe, 0, 1])),
    is: { status: 'failure', code: 'BAD_ANSWER', error: like(/neither JSON nor text/) },
  },
  'JSON nested too deeply': {
    say: (response) => response.writeHead(200, JSON_TYPE).end('['.repeat(20_000) + ']'.repeat(20_000)),
    is: { status: 'failure', code: 'BAD_ANSWER', error: like(/nested too deeply/) },
  },
  '200 MB': {
    say: (response) => pour(response.writeHead(200, JSON_TYPE)),
    is: { status: 'failure', code: 'BAD_ANSWER' },
  },
  '200 MB, squeezed': {
    say: (response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(MEGABYTE),
    is: { status: 'failure', code: 'BAD_ANSWER' },
  },
  'a number that no JSON can say': {
    say: (response) => response.writeHead(200, JSON_TYPE).end('{"done":true,"left":1e999}'),
    is: { status: 'failure', code: 'BAD_OUTPUT', error: like(/a number that is too large/) },
  },
  'a redirect to a private address': {
    say: (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/admin' }).end(),
    is: { status: 'failure', code: 'REFUSED', error: like(/redirects .* not followed/) },
  },
  'a redirect to the cloud’s own data': {
    say: (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    is: { status: 'failure', code: 'REFUSED' },
  },
  'that it does not know who asks': {
    say: (response) => response.writeHead(401).end(),
    is: { status: 'failure', code: 'REFUSED', error: like(/status 401\. Perhaps it was given another secret\.$/) },
  },
  'half an answer': {
    say: (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' }).write('{"done":')
      setImmediate(() => response.destroy())
    },
    is: { status: 'unknown', code: 'CONNECTION_ERROR' },
  },
  'an answer that never ends': {
    say: (response) => void response.writeHead(200, JSON_TYPE).write('{"done":'),
    is: { status: 'unknown', code: 'TIMEOUT' },
  },
  'a header that is far too long': {
    say: (response) => response.writeHead(200, { ...JSON_TYPE, 'x-long': 'x'.repeat(1_000_000) }).end('{"done":true}'),
    is: { status: 'failure', code: 'BAD_ANSWER' },
  },
  'a status nobody knows': {
    say: (response) => response.writeHead(599).end('?'),
    is: { status: 'failure', code: 'FAILED' },
  },
  '202 with a page of HTML': {
    say: (response) => response.writeHead(202, { 'content-type': 'text/html' }).end('<html>Begun</html>'),
    is: { status: 'running' },
  },
}

/** A program outside that answers so; `came` counts the requests. */
async function answering(say: (response: ServerResponse, came: number) => unknown) {
  let came = 0
  const server = createServer((request, response) => {
    came += 1
    response.on('error', () => {})
    request.resume().on('end', () => say(response, came))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, came: () => came }
}

for (const [what, { say, is }] of Object.entries(ANSWERS))
  verifies('GOV-12', `an engine that answers with ${what} has a clear end, sent once`, async () => {
    const { origin, came } = await answering(say)
    const it = await working(
      { target: { url: `${origin}/start` }, timeoutMs: what.endsWith('never ends') ? 1000 : 20_000 },
      { env: { SEGNO_WORKFLOW_ORIGINS: origin }, limits: { WORKFLOW_ANSWER_BYTES: MOST_BYTES } },
    )
    const { id } = await it.invoke()
    const run = await it.ended(id, ({ status }) => status !== 'pending')
    expect(run).toMatchObject(is)
    expect(run.raw?.length ?? 0).toBeLessThanOrEqual(2000)
    expect(run.error ?? '').not.toContain('nginx')
    expect(came()).toBe(1)
  })

for (const [effect, status, sent] of [
  ['keyed', 'success', 2],
  ['unsafe', 'unknown', 1],
] as const)
  verifies(
    'GOV-13',
    `one that is ${effect} and still worked on there (409, Retry-After) ends as ${status}`,
    async () => {
      const { origin, came } = await answering((response, nth) =>
        nth === 1
          ? response.writeHead(409, { 'retry-after': '7' }).end()
          : response.writeHead(200, JSON_TYPE).end('{"done":true}'),
      )
      const it = await working(
        { effect, target: { url: `${origin}/start` } },
        { env: { SEGNO_WORKFLOW_ORIGINS: origin } },
      )
      const { id } = await it.invoke()
      await it.ended(id, ({ code }) => code === 'RATE_LIMITED')
      it.clock.pass(7000)
      expect(await it.ended(id)).toMatchObject({ status, attempts: sent })
      expect(came()).toBe(sent)
    },
  )

for (const [gateway, effect, status, sent] of [
  [502, 'keyed', 'success', 2],
  [503, 'keyed', 'success', 2],
  [502, 'pure', 'success', 2],
  [502, 'unsafe', 'unknown', 1],
] as const)
  verifies('GOV-13', `one that is ${effect} and lost by a gateway (${gateway}) ends as ${status}`, async () => {
    const { origin, came } = await answering((response, nth) =>
      nth === 1 ? response.writeHead(gateway).end() : response.writeHead(200, JSON_TYPE).end('{"done":true}'),
    )
    const it = await working(
      { effect, target: { url: `${origin}/start` }, retry: { baseMs: 1 } },
      { env: { SEGNO_WORKFLOW_ORIGINS: origin } },
    )
    const { id } = await it.invoke()
    expect(await it.ended(id)).toMatchObject({ status, attempts: sent })
    expect(came()).toBe(sent)
  })

test('an engine that repeats what it was sent shows no secret in what is kept', async () => {
  const it = await working()
  for (const conduct of ['refuses', 'fails'] as const) {
    it.outside.play(conduct)
    const { id } = await it.invoke({ page: conduct.length })
    const run = await it.ended(id)
    const { token = '' } = it.outside.last()
    expect(run.raw).toContain('segno-callback-token')
    for (const secret of [it.secret, token]) expect(JSON.stringify(run)).not.toContain(secret)
  }
})

test('what an engine calls a run is kept without the secrets that it was sent', async () => {
  const tokens: string[] = []
  const server = createServer((request, response) => {
    const token = String(request.headers['segno-callback-token'])
    tokens.push(token)
    request.resume().on('end', () => response.writeHead(202, { location: `/runs/7?token=${token}` }).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const it = await working({ target: { url: `${origin}/start` } }, { env: { SEGNO_WORKFLOW_ORIGINS: origin } })
  const { id } = await it.invoke()
  const run = await it.ended(id, ({ status }) => status === 'running')
  expect([run.engineRef, tokens.length]).toEqual(['/runs/7?token=[REDACTED]', 1])
})

test('an engine that is not there, and a workflow whose target moved away, are failures that did nothing', async () => {
  const it = await working({ effect: 'unsafe', retry: { baseMs: 1, factor: 1.3 } })
  await it.outside.leave()
  const { id } = await it.invoke()
  expect(await it.ended(id)).toMatchObject({ status: 'failure', code: 'CONNECTION_ERROR', attempts: 3 })
  expect(await it.segno.invocations.get(LOCAL_OWNER, id)).not.toHaveProperty('inDoubt')
})
