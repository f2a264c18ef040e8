import { describe, expect, test } from 'vitest'
import type { StoredKey } from '../../../src/contract/account.ts'
import { auditRecord } from '../../../src/contract/audit.ts'
import type { Workspace } from '../../../src/contract/workspace.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Claim } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import type { Subject } from './subject.ts'

const key = (more: Partial<StoredKey> = {}): StoredKey => ({
  id: newId(),
  tenant: 'acme',
  userId: 'ada',
  name: 'laptop',
  role: 'editor',
  scopes: ['chat:*', 'tool:calculator'],
  operator: true,
  hash: 'f'.repeat(64),
  createdAt: 100,
  expiresAt: 1_794_743_543_927,
  revokedAt: null,
  ...more,
})

const workspace = (more: Partial<Workspace> = {}): Workspace => ({
  id: newId(),
  tenant: 'acme',
  name: 'Ünïcode 🌍',
  folder: '/srv/files',
  folderByOwner: false,
  instructions: 'Be "brief".\nAlways.',
  instructionsBy: 'ada',
  instructionsTrusted: true,
  models: ['scripted', 'other'],
  mcpServers: ['files'],
  files: ['notes.md'],
  dynamicContext: [{ name: 'Stock', server: 'files', tool: 'look', args: { at: 'Ünïcode' }, everyMs: 60_000 }],
  promptSettings: { metadata: false, systemInfo: true, date: true },
  createdAt: 100,
  updatedAt: 100,
  ...more,
})

const claimFor = (id: string): Claim => ({ key: 'once', hash: `of ${id}`, result: { id } })
const record = (id: string) =>
  auditRecord('key_created', { id: newId(), at: 100, userId: 'root', tenant: 'acme' }, { keyId: id })

export function accountSuite(it: Subject): void {
  const recorded = async (): Promise<unknown[]> =>
    (await it.store.auditPage({ tenant: 'acme' })).items.map(({ metadata }) => metadata.keyId)

  describe('a key', () => {
    test('is found as it was put, by its id', async () => {
      const [one, other] = [key(), key({ scopes: null, expiresAt: null })]
      expect([await it.store.putKey(one), await it.store.putKey(other)]).toEqual(['stored', 'stored'])
      expect([await it.store.key(one.id), await it.store.key(other.id)]).toEqual([one, other])
      expect(await it.store.key('nope')).toBeUndefined()
    })

    test('is listed with those of its tenant, or of all, oldest first', async () => {
      const [young, old, foreign] = [
        key({ createdAt: 30 }),
        key({ createdAt: 10 }),
        key({ tenant: 'b', createdAt: 20 }),
      ]
      for (const one of [young, old, foreign]) await it.store.putKey(one)
      expect(await it.store.keys('acme')).toEqual([old, young])
      expect(await it.store.keys()).toEqual([old, foreign, young])
      expect(await it.store.keys('nobody')).toEqual([])
    })

    test('is revoked once', async () => {
      const [one, other] = [key(), key()]
      for (const each of [one, other]) await it.store.putKey(each)
      expect(await it.store.revokeKey(one.id, 500)).toBe(true)
      expect(await it.store.revokeKey(one.id, 600)).toBe(false)
      expect(await it.store.revokeKey('nope', 500)).toBe(false)
      expect(await it.store.key(one.id)).toEqual({ ...one, revokedAt: 500 })
      expect(await it.store.key(other.id)).toEqual(other)
    })

    test('is known among others as revoked, or as none at all', async () => {
      const [one, other] = [key(), key()]
      for (const each of [one, other]) await it.store.putKey(each)
      await it.store.revokeKey(other.id, 500)
      expect(await it.store.revokedKeys([one.id, other.id, 'nope'])).toEqual([other.id, 'nope'])
      expect(await it.store.revokedKeys([])).toEqual([])
    })

    verifies('GOV-32', 'is there after a restart, and stays revoked', async () => {
      const [one, other] = [key(), key({ createdAt: 200 })]
      for (const each of [one, other]) await it.store.putKey(each)
      await it.store.revokeKey(other.id, 500)
      const reopened = await it.reopen()
      expect(await reopened.keys()).toEqual([one, { ...other, revokedAt: 500 }])
    })

    test('is put under a claim once, also when it is asked for at the same moment', async () => {
      const wished = [key(), key(), key()]
      const answers = await Promise.all(wished.map((one) => it.store.putKey(one, { claim: claimFor(one.id) })))
      const [first] = wished
      const repeated = { kind: 'repeated', claim: claimFor(first?.id ?? '') }
      expect(answers).toEqual(['stored', repeated, repeated])
      expect(await it.store.keys()).toEqual([first])
      expect(await it.store.findClaim('once')).toEqual(claimFor(first?.id ?? ''))
    })

    test('is put under a claim as old as it', async () => {
      const one = key({ createdAt: 100 })
      await it.store.putKey(one, { claim: claimFor(one.id) })
      expect([await it.store.forgetClaims(100, 9), await it.store.forgetClaims(101, 9)]).toEqual([0, 1])
    })

    test('is recorded if and only if it is put or revoked', async () => {
      const [one, other] = [key(), key()]
      await it.store.putKey(one, { claim: claimFor(one.id), audit: [record(one.id)] })
      await it.store.putKey(other, { claim: claimFor(other.id), audit: [record(other.id)] })
      expect(await recorded()).toEqual([one.id])
      await it.store.revokeKey(one.id, 500, { audit: [record('first')] })
      await it.store.revokeKey(one.id, 600, { audit: [record('second')] })
      expect(await recorded()).toEqual(['first', one.id])
    })

    test('is recorded in each tenant it concerns', async () => {
      const one = key()
      const audit = [record('here'), { ...record('there'), tenant: 'other' }, record('here-too')]
      await it.store.putKey(one, { audit })
      expect(await recorded()).toEqual(['here-too', 'here'])
      const { items } = await it.store.auditPage({ tenant: 'other' })
      expect(items.map(({ metadata }) => metadata.keyId)).toEqual(['there'])
      expect(await it.store.check()).toMatchObject({ ok: true })
    })

    test('whose id is taken changes nothing', async () => {
      const one = key()
      await it.store.putKey(one)
      const taken = it.store.putKey(key({ id: one.id, name: 'other' }), { claim: claimFor('x'), audit: [record('x')] })
      await expect(taken).rejects.toThrow()
      expect(await it.store.keys()).toEqual([one])
      expect([await it.store.findClaim('once'), await recorded()]).toEqual([undefined, []])
    })
  })

  describe('a workspace', () => {
    test('is found as it was put, by its id', async () => {
      const [one, other] = [workspace(), workspace({ models: [], instructions: '' })]
      expect([await it.store.putWorkspace(one), await it.store.putWorkspace(other)]).toEqual(['stored', 'stored'])
      expect([await it.store.workspace(one.id), await it.store.workspace(other.id)]).toEqual([one, other])
      expect(await it.store.workspace('nope')).toBeUndefined()
    })

    test('whose id is taken changes nothing', async () => {
      const one = workspace()
      await it.store.putWorkspace(one)
      await expect(it.store.putWorkspace({ ...one, name: 'B', tenant: 'thief' })).rejects.toThrow()
      expect(await it.store.workspace(one.id)).toEqual(one)
    })

    for (const [field, changes] of Object.entries({
      name: { name: 'B' },
      folder: { folder: '/b', folderByOwner: true },
      instructions: { instructions: '', instructionsBy: 'eve', instructionsTrusted: false },
      models: { models: [] },
      mcpServers: { mcpServers: [] },
      files: { files: [] },
      dynamicContext: { dynamicContext: [] },
      promptSettings: { promptSettings: { metadata: true, systemInfo: true, date: false } },
      nothing: {},
    })) {
      test(`changes in what is given and the time of it, and in nothing else: ${field}`, async () => {
        const [one, other] = [workspace(), workspace()]
        for (const each of [one, other]) await it.store.putWorkspace(each)
        const changed = { ...one, ...changes, updatedAt: 300 }
        expect(await it.store.changeWorkspace(one.id, changes, 300)).toEqual(changed)
        expect([await it.store.workspace(one.id), await it.store.workspace(other.id)]).toEqual([changed, other])
      })
    }

    test('that several change at the same moment has the changes of all', async () => {
      const one = workspace()
      await it.store.putWorkspace(one)
      const wishes = [{ name: 'B' }, { instructions: 'b' }, { models: ['b'] }]
      await Promise.all(wishes.map((changes, i) => it.store.changeWorkspace(one.id, changes, 300 + i)))
      const all = { ...one, name: 'B', instructions: 'b', models: ['b'], updatedAt: 302 }
      expect(await it.store.workspace(one.id)).toEqual(all)
    })

    test('is recorded as changed if and only if there is one', async () => {
      const one = workspace()
      await it.store.putWorkspace(one)
      await it.store.changeWorkspace(one.id, { name: 'B' }, 300, [record('changed')])
      expect(await it.store.changeWorkspace('nope', { name: 'B' }, 300, [record('absent')])).toBeUndefined()
      expect(await recorded()).toEqual(['changed'])
    })

    test('is listed with those of its tenant, oldest first', async () => {
      const [young, old] = [workspace({ createdAt: 30 }), workspace({ createdAt: 10 })]
      for (const one of [young, old, workspace({ tenant: 'b' })]) await it.store.putWorkspace(one)
      expect(await it.store.workspaces('acme')).toEqual([old, young])
      expect(await it.store.workspaces('nobody')).toEqual([])
    })

    test('is put under a claim once, and recorded if and only if it is put', async () => {
      const [one, other] = [workspace(), workspace()]
      const stored = await it.store.putWorkspace(one, { claim: claimFor(one.id), audit: [record(one.id)] })
      const repeated = await it.store.putWorkspace(other, { claim: claimFor(other.id), audit: [record(other.id)] })
      expect([stored, repeated]).toEqual(['stored', { kind: 'repeated', claim: claimFor(one.id) }])
      expect(await it.store.workspaces('acme')).toEqual([one])
      expect(await recorded()).toEqual([one.id])
    })

    test('is there after a restart', async () => {
      const one = workspace()
      await it.store.putWorkspace(one)
      expect(await (await it.reopen()).workspaces('acme')).toEqual([one])
    })
  })

  describe('what is kept', () => {
    test('is in its area, in the place of what was there', async () => {
      await it.store.putValue('area', 'a', { old: true }, 1)
      await it.store.putValue('area', 'b', [1], 2)
      await it.store.putValue('area', 'a', { old: false, text: 'x\u0000y' }, 3)
      await it.store.putValue('area two', 'a', 'other', 3)
      const store = await it.reopen()
      expect(await store.values('area')).toEqual({ a: { old: false, text: 'x\u0000y' }, b: [1] })
      expect(await store.values('nowhere')).toEqual({})
    })

    test('is changed by one at a time, each seeing what the one before it left', async () => {
      const others = [it.store, await it.second(), it.store]
      await Promise.all(
        others.map((store) =>
          store.changeValue('area', 'count', 1, async (value) => {
            await new Promise((resolve) => setTimeout(resolve, 5))
            return Number(value ?? 0) + 1
          }),
        ),
      )
      expect(await it.store.values('area')).toEqual({ count: 3 })
    })

    test('stays as it is where a change says nothing, or fails', async () => {
      await it.store.changeValue('area', 'new', 1, async () => undefined)
      expect(await it.store.values('area')).toEqual({})
      await it.store.putValue('area', 'a', 'there', 1)
      await it.store.changeValue('area', 'a', 2, async () => undefined)
      const failing = it.store.changeValue('area', 'a', 2, () => Promise.reject(new TypeError('the line is dead')))
      await expect(failing).rejects.toThrow(new TypeError('the line is dead'))
      expect(await it.store.values('area')).toEqual({ a: 'there' })
    })
  })

  test('keys and workspaces leave the store sound', async () => {
    const one = key()
    await it.store.putKey(one, { claim: claimFor(one.id), audit: [record(one.id)] })
    await it.store.putWorkspace(workspace(), { audit: [record('w')] })
    await it.store.revokeKey(one.id, 500, { audit: [record(one.id)] })
    expect(await it.store.check()).toMatchObject({ ok: true, findings: [] })
  })
}
