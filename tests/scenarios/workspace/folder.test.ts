import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { permissionsOf } from '../../../src/account/index.ts'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { ada, calling, result, rival, rootsOfAcme, tempFolder } from './support.ts'

describe('the folder of a workspace', () => {
  test('is where file tools read and write', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'note.txt'), 'buy milk')
    const script = calling({
      look: ['read_file', { path: 'note.txt' }],
      save: ['write_file', { path: 'deep/new.txt', content: 'done' }],
      list: ['list_files', {}],
    })
    const u = await segnoUnderTest({ builtInTools: true, script, ...rootsOfAcme(folder) })
    const { id } = await u.segno.workspaces.create(ada, { name: 'Files', folder })
    expect(await result(u, ada, id, 'look')).toMatchObject({
      outcome: 'ok',
      content: expect.stringContaining('buy milk') as string,
    })
    expect((await result(u, ada, id, 'save')).outcome).toBe('ok')
    expect(readFileSync(join(folder, 'deep/new.txt'), 'utf8')).toBe('done')
    expect((await result(u, ada, id, 'list')).content).toContain('note.txt')
  })

  test.each([
    ['upwards', '../secret.txt'],
    ['from the root', '/etc/hostname'],
    ['through a link', 'link/secret.txt'],
    ['with backslashes', '..\\secret.txt'],
  ])('is not left %s', async (_, path) => {
    const outer = tempFolder()
    const folder = join(outer, 'inner')
    mkdirSync(folder)
    writeFileSync(join(outer, 'secret.txt'), 'Zanzibar')
    symlinkSync(outer, join(folder, 'link'))
    const script = calling({
      look: ['read_file', { path }],
      save: ['write_file', { path, content: 'overwritten' }],
      find: ['list_files', { path: dirname(path.replaceAll('\\', '/')) }],
    })
    const u = await segnoUnderTest({ builtInTools: true, script, ...rootsOfAcme(folder) })
    const { id } = await u.segno.workspaces.create(ada, { name: 'Files', folder })
    for (const word of ['look', 'save', 'find']) {
      const { outcome, content } = await result(u, ada, id, word)
      expect([word, outcome]).toEqual([word, 'error'])
      expect(content).not.toContain('Zanzibar')
      expect(content).toContain('outside')
    }
    expect(readFileSync(join(outer, 'secret.txt'), 'utf8')).toBe('Zanzibar')
  })

  test('is made by Segno where nobody chooses one, one for each workspace', async () => {
    const u = await segnoUnderTest()
    const made = await Promise.all(['one', 'two'].map((name) => u.segno.workspaces.create(ada, { name })))
    const folders = made.map(({ folder }) => folder)
    expect(new Set(folders).size).toBe(2)
    for (const folder of folders) {
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(folder.startsWith(join(u.home, 'workspaces'))).toBe(true)
    }
  })

  test('is chosen only by who may manage tools', async () => {
    const folder = tempFolder()
    const u = await segnoUnderTest(rootsOfAcme(folder))
    for (const role of ['user', 'editor', 'reviewer'] as const) {
      const actor: Actor = { ...ada, permissions: [...permissionsOf(role, null), 'workspace:manage'] }
      const { id } = await u.segno.workspaces.create(actor, { name: 'without' })
      const refused = { code: 'PERMISSION_DENIED', message: expect.stringContaining('tool:manage') as string }
      await expect(u.segno.workspaces.create(actor, { folder })).rejects.toMatchObject(refused)
      await expect(u.segno.workspaces.change(actor, id, { folder })).rejects.toMatchObject(refused)
      expect((await u.segno.workspaces.get(actor, id)).folder).not.toBe(folder)
    }
    const admin: Actor = { ...ada, permissions: permissionsOf('admin', null) }
    expect((await u.segno.workspaces.create(admin, { folder })).folder).toBe(folder)
  })

  test('must be the full path of a folder that is there', async () => {
    const folder = tempFolder()
    const u = await segnoUnderTest(rootsOfAcme(folder))
    writeFileSync(join(folder, 'file'), '')
    for (const wrong of ['', 'relative', './x', join(folder, 'nope'), join(folder, 'file'), `${folder}\0`]) {
      await expect(u.segno.workspaces.create(ada, { folder: wrong })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        field: 'folder',
      })
    }
    expect(await u.segno.workspaces.list(ada)).toHaveLength(1)
  })

  test('is kept as what it really is, however it was named', async () => {
    const folder = tempFolder()
    const u = await segnoUnderTest(rootsOfAcme(folder))
    const link = join(tempFolder(), 'link')
    symlinkSync(folder, link)
    expect((await u.segno.workspaces.create(ada, { folder: link })).folder).toBe(folder)
  })
})

test('the system workspace of one tenant has no files of another', async () => {
  const script = calling({
    save: ['write_file', { path: 'mine.txt', content: 'Zanzibar' }],
    look: ['read_file', { path: 'mine.txt' }],
    list: ['list_files', {}],
  })
  const u = await segnoUnderTest({ builtInTools: true, script })
  expect((await result(u, ada, 'system', 'save')).outcome).toBe('ok')
  expect((await result(u, ada, 'system', 'look')).content).toContain('Zanzibar')
  for (const other of [rival, LOCAL_OWNER]) {
    expect((await result(u, other, 'system', 'look')).outcome).toBe('error')
    expect((await result(u, other, 'system', 'list')).content).not.toContain('mine.txt')
  }
  const folders = await Promise.all(
    [ada, rival, LOCAL_OWNER].map(async (actor) => (await u.segno.workspaces.get(actor, 'system')).folder),
  )
  expect(new Set(folders).size).toBe(3)
  // Nor inside one another: then a path could lead from the one into the other.
  for (const one of folders)
    for (const other of folders) if (one !== other) expect(other.startsWith(`${one}/`)).toBe(false)
})
