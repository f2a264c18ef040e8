import * as fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKeys, permissionsOf } from '../../../src/account/index.ts'
import { LOCAL_OWNER, may, ROLES, type Actor } from '../../../src/contract/actor.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { writtenIn } from '../../support/written-in.ts'
import { newStore } from './support/new-store.ts'

/** Keys in a database of their own, and a clock that stands still until it is moved. */
async function keysUnderTest() {
  let now = 1_000_000
  const store = await newStore()
  const keys = createKeys(store, { now: () => now })
  onTestFinished(() => keys.close())
  return { keys, store, pass: (ms: number) => void (now += ms), now: () => now }
}

const admin = (tenant = 'acme'): Actor => ({
  id: 'root',
  kind: 'admin',
  tenant,
  permissions: permissionsOf('admin', null),
})

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof Problem ? error.code : 'nothing went wrong'
}

describe('a key', () => {
  verifies('GOV-32', 'is shown once and stands nowhere in the database', async () => {
    const u = await segnoUnderTest()
    const { id, secret = '' } = await u.segno.keys.add(LOCAL_OWNER, { name: 'one', role: 'super_admin' })
    expect(await u.segno.keys.authenticate(secret)).toMatchObject({ actor: { permissions: ['*'] } })
    expect(JSON.stringify(await u.segno.keys.list(LOCAL_OWNER))).not.toContain(secret.slice(-64))
    const open = [...filesIn(u.home), await writtenIn(u.home)]
    await u.segno.close()
    for (const text of [...open, ...filesIn(u.home), await writtenIn(u.home)]) {
      expect(text.includes(secret.slice(-64))).toBe(false)
      expect(text.includes(Buffer.from(secret.slice(-64), 'hex').toString('latin1'))).toBe(false)
    }
    expect(open.some((text) => text.includes(id))).toBe(true)
  })

  test('speaks for its user in its tenant, with what its role and scopes allow', async () => {
    const { keys } = await keysUnderTest()
    const wanted = {
      name: 'k',
      tenant: 'acme',
      userId: 'ada',
      role: 'editor',
      scopes: ['chat:*', 'audit:read'],
    } as const
    const { id, secret = '' } = await keys.add(LOCAL_OWNER, wanted)
    expect(await keys.authenticate(secret)).toMatchObject({
      keyId: id,
      actor: { id: 'ada', tenant: 'acme', kind: 'user', permissions: ['chat:*'] },
    })
  })

  test('survives a restart', async () => {
    const u = await segnoUnderTest()
    const { secret = '' } = await u.segno.keys.add(LOCAL_OWNER, { name: 'one', userId: 'ada' })
    await u.reopen()
    expect((await u.segno.keys.authenticate(secret))?.actor.id).toBe('ada')
  })

  verifies('GOV-32', 'is none any more once its time is over', async () => {
    const { keys, pass, now } = await keysUnderTest()
    const { secret = '' } = await keys.add(LOCAL_OWNER, { name: 'k', expiresAt: now() + 1000 })
    pass(999)
    expect(await keys.authenticate(secret)).toBeDefined()
    pass(1)
    expect(await keys.authenticate(secret)).toBeUndefined()
  })

  verifies('GOV-32', 'is none any more once it is revoked, and what goes on under it is told', async () => {
    const { keys } = await keysUnderTest()
    const { id, secret = '' } = await keys.add(LOCAL_OWNER, { name: 'k' })
    const admitted = await keys.authenticate(secret)
    await keys.revoke(LOCAL_OWNER, id)
    expect(admitted?.until.aborted).toBe(true)
    expect(await keys.authenticate(secret)).toBeUndefined()
    const [listed] = await keys.list(LOCAL_OWNER)
    expect(listed).toMatchObject({ id, revokedAt: expect.any(Number) as number })
  })

  test('is not revoked by who may less than it', async () => {
    const { keys } = await keysUnderTest()
    const strong = await keys.add(LOCAL_OWNER, { name: 'strong', tenant: 'acme', role: 'super_admin' })
    const weak = await keys.add(LOCAL_OWNER, { name: 'weak', tenant: 'acme' })
    expect(await codeOf(keys.revoke(admin(), strong.id))).toBe('PERMISSION_DENIED')
    await keys.revoke(admin(), weak.id)
    expect(await keys.authenticate(strong.secret ?? '')).toBeDefined()
    expect(await keys.authenticate(weak.secret ?? '')).toBeUndefined()
  })

  test('may be revoked twice, and keeps the time of the first', async () => {
    const { keys, pass, now } = await keysUnderTest()
    const { id } = await keys.add(LOCAL_OWNER, { name: 'k' })
    const first = now()
    await keys.revoke(LOCAL_OWNER, id)
    pass(5)
    await keys.revoke(LOCAL_OWNER, id)
    expect((await keys.list(LOCAL_OWNER))[0]?.revokedAt).toBe(first)
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\nb' }],
    ['userId', { name: 'k', userId: 'a:b' }],
    ['tenant', { name: 'k', tenant: '../x' }],
    ['role', { name: 'k', role: 'king' as 'user' }],
    ['scopes', { name: 'k', scopes: ['chat'] }],
    ['scopes', { name: 'k', scopes: ['chat:*', '*:*'] }],
    ['expiresAt', { name: 'k', expiresAt: 1 }],
    ['expiresAt', { name: 'k', expiresAt: Number.NaN }],
  ])('with a bad %s is not made, and the field is named', async (field, wanted) => {
    const { keys, store } = await keysUnderTest()
    await expect(keys.add(LOCAL_OWNER, wanted)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect(await store.keys()).toEqual([])
  })
})

describe('who makes keys', () => {
  const actors: [string, Actor][] = ROLES.filter((role) => role !== 'admin' && role !== 'super_admin').map((role) => [
    role,
    { id: role, kind: 'user', tenant: 'acme', permissions: permissionsOf(role, null) },
  ])
  test.each(actors)('is not a mere %s', async (_, actor) => {
    const { keys, store } = await keysUnderTest()
    const { id } = await keys.add(LOCAL_OWNER, { name: 'k', tenant: 'acme' })
    expect(await codeOf(keys.add(actor, { name: 'k' }))).toBe('PERMISSION_DENIED')
    expect(await codeOf(keys.list(actor))).toBe('PERMISSION_DENIED')
    expect(await codeOf(keys.revoke(actor, id))).toBe('PERMISSION_DENIED')
    expect(await store.keys()).toHaveLength(1)
  })

  test('is an admin in the own tenant, and in no other', async () => {
    const { keys } = await keysUnderTest()
    const { id } = await keys.add(LOCAL_OWNER, { name: 'theirs', tenant: 'rival' })
    expect((await keys.add(admin(), { name: 'ours' })).tenant).toBe('acme')
    expect(await codeOf(keys.add(admin(), { name: 'k', tenant: 'rival' }))).toBe('PERMISSION_DENIED')
    expect(await codeOf(keys.revoke(admin(), id))).toBe('NOT_FOUND')
    expect((await keys.list(admin())).map(({ name }) => name)).toEqual(['ours'])
  })

  verifies('GOV-32', 'needs role:assign to make one that speaks for somebody else', async () => {
    const u = await segnoUnderTest({ turns: [{ text: 'Dear Ada.' }] })
    const { keys, createSession, sessions } = u.segno
    const ada: Actor = { id: 'ada', kind: 'user', tenant: 'acme', permissions: permissionsOf('user', null) }
    const { id } = await createSession({}, { actor: ada })
    await u.ask('my diary', { sessionId: id, actor: ada })
    const refused = { code: 'PERMISSION_DENIED', message: expect.stringContaining('role:assign') as string }
    await expect(keys.add(admin(), { name: 'k', userId: 'ada' })).rejects.toMatchObject(refused)
    expect(await keys.list(LOCAL_OWNER)).toEqual([])
    const own = await keys.add(admin(), { name: 'k', userId: admin().id })
    const admitted = await keys.authenticate(own.secret ?? '')
    expect(admitted?.actor.id).toBe('root')
    expect(await codeOf(sessions.messages(admitted?.actor ?? ada, id))).toBe('NOT_FOUND')
    const giver = { ...admin(), permissions: [...permissionsOf('admin', null), 'role:assign'] }
    expect((await keys.add(giver, { name: 'k', userId: 'ada' })).userId).toBe('ada')
  })

  test.each(ROLES.filter((role) => role !== 'user'))('needs role:assign to give the role %s', async (role) => {
    const { keys } = await keysUnderTest()
    expect(await codeOf(keys.add(admin(), { name: 'k', role, scopes: ['chat:read'] }))).toBe('PERMISSION_DENIED')
    const giver = { ...admin(), permissions: [...permissionsOf('admin', null), 'role:assign'] }
    const given = await codeOf(keys.add(giver, { name: 'k', role, scopes: ['chat:read'] }))
    expect(given).toBe('nothing went wrong')
  })

  verifies('GOV-32', 'is an operator where the key is of another tenant or may run the installation', async () => {
    const { keys, store } = await keysUnderTest()
    const { id: theirs } = await keys.add(LOCAL_OWNER, { name: 'theirs', tenant: 'rival' })
    const boss: Actor = { ...admin(), permissions: ['*'] }
    const refused = { code: 'PERMISSION_DENIED' }
    for (const actor of [boss, { ...boss, tenant: 'local' }]) {
      await expect(keys.add(actor, { name: 'k', tenant: 'rival' })).rejects.toMatchObject(refused)
      await expect(keys.add(actor, { name: 'k', operator: true })).rejects.toMatchObject(refused)
      expect(await codeOf(keys.revoke(actor, theirs))).toBe('NOT_FOUND')
      expect(await keys.list(actor)).toEqual([])
    }
    const made = await keys.add(LOCAL_OWNER, { name: 'k', tenant: 'acme', role: 'auditor', operator: true })
    expect(await codeOf(keys.revoke(boss, made.id))).toBe('PERMISSION_DENIED')
    const operator = (await keys.authenticate(made.secret ?? ''))?.actor ?? boss
    expect(operator.permissions).toEqual(['audit:read', 'trace:read', 'operator'])
    const strong = { ...operator, permissions: [...operator.permissions, ...permissionsOf('admin', null)] }
    expect(await keys.add(strong, { name: 'k', tenant: 'rival', userId: operator.id, operator: true })).toMatchObject({
      tenant: 'rival',
      operator: true,
    })
    expect(await keys.list(strong)).toHaveLength(3)
    await keys.revoke(strong, theirs)
    const { items } = await store.auditPage({ tenant: 'rival' })
    expect(items.map(({ metadata }) => metadata.operator)).toEqual([undefined, true, undefined])
  })

  verifies('GOV-32', 'cannot make one that may do more than the own one', async () => {
    const deeds = [
      'operator',
      'chat:read',
      'chat:write',
      'knowledge:review',
      'tool:manage',
      'user:manage',
      'role:assign',
    ]
    const can = (permissions: readonly string[]): string[] => [
      ...[...deeds, 'audit:read', 'trace:read', 'prompt:write'].filter((deed) => may({ permissions }, deed)),
      ...['calculator', 'shell']
        .filter((tool) => ['*', 'tool:*', 'tool:invoke', `tool:${tool}`].some((one) => permissions.includes(one)))
        .map((tool) => `use ${tool}`),
    ]
    const { keys, store } = await keysUnderTest()
    const role = fc.constantFrom(...ROLES)
    const scope = fc.constantFrom('*', 'chat:*', 'chat:read', 'tool:*', 'tool:invoke', 'tool:shell', 'tool:manage')
    const more = fc.constantFrom('user:*', 'user:manage', 'role:assign', 'audit:read', 'knowledge:*', 'prompt:*')
    const scopes = fc.option(fc.array(fc.oneof(scope, more), { maxLength: 4 }))
    const tenant = fc.constantFrom('acme', 'rival')
    const rights = fc.record({ role, scopes, operator: fc.boolean() })
    let made = 0
    await fc.assert(
      fc.asyncProperty(rights, rights, tenant, async (own, { scopes: narrow, ...wished }, where) => {
        // Everybody in this property may make keys at all: what is left is how strong they are.
        const permissions = [...permissionsOf(own.role, own.scopes, own.operator), 'user:manage']
        const actor: Actor = { id: 'eve', kind: 'user', tenant: 'acme', permissions }
        const wanted = { name: 'k', ...wished, tenant: where, ...(narrow && { scopes: narrow }) }
        const before = (await store.keys()).length
        const key = await keys.add(actor, wanted).catch((error: unknown) => error)
        if (key instanceof Error) {
          expect(key).toMatchObject({ code: 'PERMISSION_DENIED' })
          expect((await store.keys()).length).toBe(before)
          return
        }
        made += 1
        const admitted = await keys.authenticate((key as { secret: string }).secret)
        const held = can(permissions)
        expect(can(admitted?.actor.permissions ?? []).filter((deed) => !held.includes(deed))).toEqual([])
        expect(admitted?.actor.tenant === 'acme' || own.operator).toBe(true)
        expect(wished.role === 'user' || held.includes('role:assign')).toBe(true)
      }),
      { numRuns: 1000 },
    )
    expect(made).toBeGreaterThan(20)
  })
})

describe('the same Idempotency-Key', () => {
  test('makes one key, whose secret is in the first answer only', async () => {
    const { keys, store } = await keysUnderTest()
    const answers = await Promise.all(Array.from({ length: 5 }, () => keys.add(admin(), { name: 'k' }, 'once')))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(answers.filter(({ secret }) => secret !== undefined)).toHaveLength(1)
    expect(await store.keys()).toHaveLength(1)
  })

  test('for another wish is refused', async () => {
    const { keys } = await keysUnderTest()
    await keys.add(admin(), { name: 'k' }, 'once')
    expect(await codeOf(keys.add(admin(), { name: 'other' }, 'once'))).toBe('IDEMPOTENCY_MISMATCH')
  })

  test('of somebody else is another one', async () => {
    const { keys, store } = await keysUnderTest()
    await keys.add(admin(), { name: 'k' }, 'once')
    await keys.add({ ...admin(), id: 'boss' }, { name: 'k' }, 'once')
    await keys.add(admin('rival'), { name: 'k' }, 'once')
    expect(await store.keys()).toHaveLength(3)
  })
})

test('making and revoking keys is recorded, without their names and secrets', async () => {
  const { keys, store } = await keysUnderTest()
  const { id, secret = '' } = await keys.add(admin(), { name: 'Zanzibar' })
  await keys.revoke(admin(), id)
  const { items } = await store.auditPage({ tenant: 'acme' })
  expect(items.map(({ action, metadata, userId }) => [action, metadata.keyId, userId])).toEqual([
    ['key_revoked', id, 'root'],
    ['key_created', id, 'root'],
  ])
  const text = JSON.stringify(await store.auditRows(0, 100))
  expect(text).not.toContain('Zanzibar')
  expect(text).not.toContain(secret.slice(-64))
})

test('a key is recorded with its holder and its role, in the tenant of who made it and in its own', async () => {
  const { keys, store } = await keysUnderTest()
  const { id } = await keys.add(LOCAL_OWNER, { name: 'k', tenant: 'acme', userId: 'ada', role: 'editor' })
  await keys.revoke(LOCAL_OWNER, id)
  for (const tenant of ['acme', 'local']) {
    const { items } = await store.auditPage({ tenant })
    const metadata = { keyId: id, holder: 'ada', role: 'editor' }
    expect(items).toMatchObject([
      { action: 'key_revoked', userId: 'owner', tenant, metadata },
      { action: 'key_created', userId: 'owner', tenant, metadata },
    ])
  }
  await keys.add(admin(), { name: 'k' })
  expect((await store.auditPage({ tenant: 'acme' })).items).toHaveLength(3)
  expect((await store.auditPage({ tenant: 'local' })).items).toHaveLength(2)
})

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(folder, name), 'latin1'))
