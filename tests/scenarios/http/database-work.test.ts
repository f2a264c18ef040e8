import { expect, test } from 'vitest'
import { asking } from './asking.ts'

test('nothing goes on, and stopping nothing is well', async () => {
  const it = await asking({})
  expect((await it.http('GET', '/api/db/work')).body).toEqual({ work: null })
  expect((await it.http('DELETE', '/api/db/work')).status).toBe(204)
})

test('a check says how far it is, and who waits for it hears that it was stopped', async () => {
  const it = await asking({ entry: (model) => ({ ...model, window: 10_000_000 }) })
  for (let i = 0; i < 3; i++) await it.ask('x'.repeat(900_000))
  const checking = it.http('GET', '/api/db/check')
  await expect.poll(async () => (await it.http('GET', '/api/db/work')).body['work'], { interval: 1 }).not.toBe(null)
  expect((await it.http('GET', '/api/db/work')).body['work']).toMatchObject({ what: 'check' })
  expect((await it.http('DELETE', '/api/db/work')).status).toBe(204)
  const { status, body } = await checking
  expect([status, body['code']]).toEqual([409, 'CONFLICT'])
  expect((await it.http('GET', '/api/db/check')).body).toMatchObject({ ok: true })
})

test('only who may do everything sees it or stops it', async () => {
  const it = await asking({})
  const key = await it.keyFor(['chat:*'])
  for (const method of ['GET', 'DELETE'])
    expect((await it.http(method, '/api/db/work', undefined, key)).status).toBe(403)
})
