import { describe, expect, test } from 'vitest'
import { auditRecord } from '../../../src/contract/audit.ts'
import type { ProviderRecord } from '../../../src/contract/provider.ts'
import { newId } from '../../../src/lib/id.ts'
import { INSTALLATION, providerSecret, type EncryptedSecret } from '../../../src/store/index.ts'
import type { Subject } from './subject.ts'

const secret = (more: Partial<EncryptedSecret> = {}): EncryptedSecret => ({
  tenant: 'acme',
  name: 'token ünïcode 🌍',
  keyId: 'k1',
  encrypted: 'c2VhbGVk',
  updatedAt: 1_794_743_543_927,
  ...more,
})

const provider = (more: Partial<ProviderRecord> = {}): ProviderRecord => ({
  name: 'mine',
  kind: 'openai-compatible',
  baseURL: 'https://models.example.org/v1',
  headers: { 'x-title': 'Ünïcode "quoted"' },
  local: true,
  hasKey: true,
  secretHeaders: ['x-api-key'],
  secretQuery: [],
  updatedAt: 100,
  ...more,
})

const ofProvider = (name: string, more: Partial<EncryptedSecret> = {}): EncryptedSecret =>
  secret({ tenant: INSTALLATION, name: providerSecret(name), ...more })

const record = (id: string) =>
  auditRecord('provider_set', { id: newId(), at: 100, userId: 'root', tenant: 'acme' }, { keyId: id })

export function secretSuite(it: Subject): void {
  const recorded = async (): Promise<unknown[]> =>
    (await it.store.auditPage({ tenant: 'acme' })).items.map(({ metadata }) => metadata.keyId)

  describe('the key of secrets', () => {
    test('is the first one claimed, for everybody, once there is a secret', async () => {
      expect(await it.store.secretKey()).toBeUndefined()
      expect(await it.store.claimSecretKey('k1')).toBe('k1')
      await it.store.putSecret(secret())
      const other = await it.second()
      expect(await other.claimSecretKey('k2')).toBe('k1')
      expect(await other.secretKey()).toBe('k1')
    })

    test('may be another one while there is no secret', async () => {
      await it.store.claimSecretKey('lost')
      await it.store.putSecret(secret({ keyId: 'lost' }))
      await it.store.removeSecret('acme', secret().name)
      expect(await it.store.claimSecretKey('k2')).toBe('k2')
      expect(await it.store.secretKey()).toBe('k2')
    })
  })

  describe('a secret', () => {
    test('is found as it was put, by its tenant and name, also after a restart', async () => {
      await it.store.claimSecretKey('k1')
      expect(await it.store.putSecret(secret())).toBe(true)
      expect(await it.store.secret('acme', secret().name)).toEqual(secret())
      expect(await it.store.secret('other', secret().name)).toBeUndefined()
      const reopened = await it.reopen()
      expect(await reopened.secret('acme', secret().name)).toEqual(secret())
      expect(await reopened.secretKey()).toBe('k1')
    })

    test('replaces the earlier one of its tenant and name only', async () => {
      await it.store.claimSecretKey('k1')
      const foreign = secret({ tenant: 'b' })
      for (const one of [secret(), foreign, secret({ encrypted: 'bmV3', updatedAt: 5 })]) await it.store.putSecret(one)
      expect(await it.store.secrets()).toEqual([secret({ encrypted: 'bmV3', updatedAt: 5 }), foreign])
    })

    test('under another key is not stored, nor recorded', async () => {
      await it.store.claimSecretKey('k1')
      expect(await it.store.putSecret(secret({ keyId: 'k2' }), [record('no')])).toBe(false)
      expect([await it.store.secrets(), await recorded()]).toEqual([[], []])
    })

    test('is removed once, and that is recorded once', async () => {
      await it.store.claimSecretKey('k1')
      await it.store.putSecret(secret(), [record('put')])
      expect(await it.store.removeSecret('acme', secret().name, [record('removed')])).toBe(true)
      expect(await it.store.removeSecret('acme', secret().name, [record('again')])).toBe(false)
      expect(await recorded()).toEqual(['removed', 'put'])
    })
  })

  describe('encrypting secrets again', () => {
    const [one, other] = [secret({ name: 'one' }), secret({ name: 'other', tenant: 'b' })]
    const under = (before: EncryptedSecret, keyId: string) => ({
      before,
      after: { ...before, keyId, encrypted: 'YWdhaW4=' },
    })

    test('replaces all of them and the key in one step', async () => {
      await it.store.claimSecretKey('k1')
      for (const each of [one, other]) await it.store.putSecret(each)
      const reencrypted = [under(one, 'k2'), under(other, 'k2')]
      expect(await it.store.reencryptSecrets('k2', reencrypted, [record('reencrypted')])).toBe(true)
      expect(await it.store.secrets()).toEqual(reencrypted.map(({ after }) => after))
      expect([await it.store.secretKey(), await recorded()]).toEqual(['k2', ['reencrypted']])
      expect(await it.store.putSecret(one)).toBe(false)
    })

    test('changes nothing if a secret would be left under the earlier key', async () => {
      await it.store.claimSecretKey('k1')
      for (const each of [one, other]) await it.store.putSecret(each)
      expect(await it.store.reencryptSecrets('k2', [under(one, 'k2')], [record('no')])).toBe(false)
      expect(await it.store.secrets()).toEqual([one, other])
      expect([await it.store.secretKey(), await recorded()]).toEqual(['k1', []])
    })

    test('never undoes a change that was made meanwhile', async () => {
      await it.store.claimSecretKey('k1')
      const newer = { ...one, encrypted: 'bmV3ZXI=' }
      for (const each of [one, other, newer]) await it.store.putSecret(each)
      expect(await it.store.reencryptSecrets('k2', [under(one, 'k2'), under(other, 'k2')])).toBe(false)
      await it.store.removeSecret(other.tenant, other.name)
      expect(await it.store.reencryptSecrets('k2', [under(newer, 'k2'), under(other, 'k2')])).toBe(true)
      expect(await it.store.secrets()).toEqual([under(newer, 'k2').after])
    })

    test('leaves none under the earlier key, however many are stored at the same moment', async () => {
      await it.store.claimSecretKey('k1')
      const second = await it.second()
      const names = Array.from({ length: 10 }, (_, n) => `secret ${n}`)
      const storing = names.map((name) => second.putSecret(secret({ name })))
      const answer = await it.store.reencryptSecrets('k2', [])
      await Promise.all(storing)
      const keys = new Set((await it.store.secrets()).map(({ keyId }) => keyId))
      expect(keys.has(answer ? 'k1' : 'k2')).toBe(false)
    })
  })

  describe('a provider', () => {
    test('is stored with its secret, as it was put, also after a restart', async () => {
      await it.store.claimSecretKey('k1')
      expect(await it.store.putProvider(provider(), ofProvider('mine'), [record('put')])).toBe(true)
      const bare = { ...provider({ name: 'bare', hasKey: false, secretHeaders: [] }) }
      expect(await it.store.putProvider(bare, undefined)).toBe(true)
      const reopened = await it.reopen()
      expect(await reopened.providers()).toEqual([bare, provider()])
      expect(await reopened.secrets()).toEqual([ofProvider('mine')])
      expect(await recorded()).toEqual(['put'])
    })

    test('is not stored without the secret it came with', async () => {
      await it.store.claimSecretKey('k1')
      expect(await it.store.putProvider(provider(), ofProvider('mine', { keyId: 'k2' }), [record('no')])).toBe(false)
      expect([await it.store.providers(), await it.store.secrets(), await recorded()]).toEqual([[], [], []])
    })

    test('loses its secret when it is put without one, and with itself', async () => {
      await it.store.claimSecretKey('k1')
      for (const name of ['mine', 'other']) await it.store.putProvider(provider({ name }), ofProvider(name))
      await it.store.putProvider(provider({ hasKey: false }), undefined)
      expect(await it.store.secrets()).toEqual([ofProvider('other')])
      expect(await it.store.removeProvider('other', [record('removed')])).toBe(true)
      expect(await it.store.removeProvider('other', [record('again')])).toBe(false)
      expect(await it.store.secrets()).toEqual([])
      expect((await it.store.providers()).map(({ name }) => name)).toEqual(['mine'])
      expect(await recorded()).toEqual(['removed'])
    })
  })
}
