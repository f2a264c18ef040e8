import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import type { Asking } from '../http/asking.ts'
import { compatible, KEY, withHouse, type House } from './support.ts'

const PATH = '/api/providers/house'
const ROTATE = '/api/secrets/rotate'
const fileOf = ({ home }: Asking): string => join(home, 'secret.key')

async function withProvider(): Promise<{ it: Asking; at: House }> {
  const { it, at } = await withHouse()
  await it.http('PUT', PATH, compatible(at.url))
  return { it, at }
}

/** What its server was sent as key, when it is asked now. */
async function keySent(it: Asking, at: House): Promise<string | undefined> {
  await it.ask('Hi', { model: 'house:llama' })
  return at.requests.at(-1)?.headers.authorization
}

/** Changes the database while Segno is closed. */
async function betweenLives(it: Asking, change: (store: Awaited<ReturnType<typeof openStoreOf>>) => Promise<unknown>) {
  await it.segno.close()
  const store = await openStoreOf(it.home)
  await change(store)
  await store.close()
  await it.reopen()
}

test('the key file is made with the first secret, and not before', async () => {
  const { it, at } = await withHouse()
  await it.http('PUT', PATH, compatible(at.url, { key: null }))
  expect(readdirSync(it.home)).not.toContain('secret.key')
  await it.http('PUT', PATH, compatible(at.url))
  expect(statSync(fileOf(it)).mode & 0o777).toBe(0o600)
})

describe('without the right key', () => {
  verifies('GOV-6', 'a provider says why it cannot be used, and everything else goes on', async () => {
    const { it, at } = await withProvider()
    rmSync(fileOf(it))
    expect((await it.http('PUT', '/api/providers/bare', compatible(at.url, { key: null }))).status).toBe(200)
    const { body } = await it.http('GET', PATH)
    expect(body).toMatchObject({ hasKey: true, missing: expect.stringContaining('"provider house"') as string })
    expect(body['missing']).toMatch(/is not in the key file.*Put back the file.*segno secrets forget-lost/)
    const sent = await it.http('POST', `/api/sessions/${it.sessionId}/messages`, { content: 'x', model: 'house:m' })
    expect([sent.status, sent.body['detail']]).toEqual([400, expect.stringContaining('"provider house"')])
    expect((await it.ask('Hi')).finishReason).toBe('complete')
  })

  test('nothing new is encrypted beside what cannot be read; once that is removed it is', async () => {
    const { it, at } = await withProvider()
    rmSync(fileOf(it))
    const refused = await it.http('PUT', '/api/providers/other', compatible(at.url))
    expect(refused).toMatchObject({ status: 500, body: { code: 'SECRET_KEY_ERROR' } })
    expect(refused.body['detail']).toContain('Put back the file')
    expect((await it.http('DELETE', PATH)).status).toBe(204)
    expect((await it.http('PUT', PATH, compatible(at.url))).status).toBe(200)
    expect(await keySent(it, at)).toBe(`Bearer ${KEY}`)
  })

  test('what is lost can be forgotten, and set again', async () => {
    const { it, at } = await withProvider()
    rmSync(fileOf(it))
    expect((await it.http('POST', '/api/secrets/forget-lost')).body).toEqual({ forgotten: ['provider house'] })
    expect((await it.http('PUT', PATH, compatible(at.url))).body).toMatchObject({ hasKey: true })
    expect((await it.http('POST', '/api/secrets/forget-lost')).body).toEqual({ forgotten: [] })
    expect(await keySent(it, at)).toBe(`Bearer ${KEY}`)
  })

  test('a key file that others can read is not used, and the answer says what to do', async () => {
    const { it, at } = await withProvider()
    chmodSync(fileOf(it), 0o644)
    const { status, body } = await it.http('PUT', '/api/providers/other', compatible(at.url))
    expect([status, body['detail']]).toEqual([500, expect.stringContaining('chmod 600')])
    expect(body['detail']).not.toContain(it.home)
  })

  test('a secret that was put under another name or tenant cannot be read', async () => {
    const { it, at } = await withProvider()
    await it.http('PUT', '/api/providers/other', compatible(at.url, { key: 'sk-other-0123456789' }))
    await betweenLives(it, async (store) => {
      const [house, other] = await store.secrets()
      if (!house || !other) throw new Error('there are no secrets')
      await store.putSecret({ ...house, encrypted: other.encrypted })
      await store.putSecret({ ...other, encrypted: house.encrypted })
    })
    for (const name of ['house', 'other'])
      expect((await it.http('GET', `/api/providers/${name}`)).body['missing']).toContain('it is damaged, or was moved')
  })
})

describe('a new key', () => {
  verifies('GOV-6', 'encrypts every secret again, and the earlier one is dropped', async () => {
    const { it, at } = await withProvider()
    const before = readFileSync(fileOf(it), 'utf8')
    const { status, body } = await it.http('POST', ROTATE)
    expect([status, body]).toMatchObject([200, { secrets: 1, keepsEarlier: false }])
    const after = readFileSync(fileOf(it), 'utf8')
    expect(after.split('\n')).toHaveLength(before.split('\n').length)
    expect(after).not.toBe(before)
    expect(await keySent(it, at)).toBe(`Bearer ${KEY}`)
    await it.reopen()
    expect(await keySent(it, at)).toBe(`Bearer ${KEY}`)
    await betweenLives(it, async (store) => {
      expect((await store.secrets()).map(({ keyId }) => keyId)).toEqual([body['key']])
    })
  })

  test('put first in the file by hand is the one that is used', async () => {
    const { it, at } = await withProvider()
    const own = `${Buffer.alloc(32, 7).toString('base64')}\n`
    writeFileSync(fileOf(it), own + readFileSync(fileOf(it), 'utf8'))
    expect(await keySent(it, at)).toBe(`Bearer ${KEY}`)
    expect((await it.http('POST', ROTATE)).body).toMatchObject({ secrets: 1 })
    expect(readFileSync(fileOf(it), 'utf8')).toContain(own)
    expect(await keySent(it, at)).toBe(`Bearer ${KEY}`)
  })

  test('is not made while a secret cannot be read', async () => {
    const { it } = await withProvider()
    const other = `${Buffer.alloc(32, 7).toString('base64')}\n`
    writeFileSync(fileOf(it), other)
    const { status, body } = await it.http('POST', ROTATE)
    expect([status, body['detail']]).toEqual([500, expect.stringContaining('"provider house"')])
    expect(readFileSync(fileOf(it), 'utf8')).toBe(other)
  })

  test('is recorded', async () => {
    const { it } = await withProvider()
    const { body } = await it.http('POST', ROTATE)
    const { items } = await it.segno.audit.page(LOCAL_OWNER)
    const [found] = items.filter(({ action }) => action === 'secrets_reencrypted')
    expect(found?.metadata).toEqual({ keyId: body['key'], secrets: 1 })
  })

  test('loses nothing that is set at the same moment', async () => {
    const { it, at } = await withProvider()
    const names = Array.from({ length: 8 }, (_, n) => `p${n}`)
    const setting = names.map((name) => it.http('PUT', `/api/providers/${name}`, compatible(at.url)))
    const [rotated, ...set] = await Promise.all([it.http('POST', ROTATE), ...setting])
    expect([rotated.status, ...set.map(({ status }) => status)]).toEqual(Array(9).fill(200))
    const { body } = await it.http('GET', '/api/providers')
    const items = body['items'] as { missing?: string; hasKey: boolean }[]
    expect(items.filter(({ missing, hasKey }) => missing === undefined && hasKey)).toHaveLength(9)
  })
})
