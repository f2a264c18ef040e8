import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { confine as confineUntil, LONGEST_PATH } from './confine.ts'
import { inFolder } from './in-folder.ts'
import { openFile } from './open-file.ts'
import { workspace } from './workspace.suite.ts'

const { signal } = new AbortController()
const confine = (folder: string, path: string): Promise<string> => confineUntil(folder, path, signal)

test('finds the real place of files that exist and of files that do not yet', async () => {
  const { folder, at } = await workspace({ 'a/b.txt': 'b' })
  expect(await confine(folder, 'a/b.txt')).toBe(at('a/b.txt'))
  expect(await confine(folder, 'a\\b.txt')).toBe(at('a/b.txt'))
  expect(await confine(folder, './a//x/../b.txt/')).toBe(at('a/b.txt'))
  expect(await confine(folder, 'a/new/deep.txt')).toBe(at('a/new/deep.txt'))
  expect(await confine(folder, '..file')).toBe(at('..file'))
  expect(await confine(folder, '.')).toBe(folder)
  expect(await confine(folder, '')).toBe(folder)
})

test('takes an absolute path only when it lies inside', async () => {
  const { folder, outside, at } = await workspace({ 'a.txt': '' })
  expect(await confine(folder, at('a.txt'))).toBe(at('a.txt'))
  await expect(confine(folder, join(outside, 'secret.txt'))).rejects.toThrow('outside the folder')
  await expect(confine(folder, '/etc/passwd')).rejects.toThrow('outside the folder')
  await expect(confine(folder, `${folder}-other/x`)).rejects.toThrow('outside the folder')
})

test('works in a folder that is itself reached by a link', async () => {
  const { folder, outside, at } = await workspace({ 'a.txt': '' })
  const link = join(outside, 'link')
  await symlink(folder, link)
  expect(await confine(link, 'a.txt')).toBe(at('a.txt'))
  expect(await confine(link, join(link, 'a.txt'))).toBe(at('a.txt'))
  await expect(confine(link, '../secret.txt')).rejects.toThrow('outside the folder')
})

test.each([
  '..',
  '../outside/secret.txt',
  'a/../../outside/secret.txt',
  '..\\outside\\secret.txt',
  'a/../..',
  '../outside/secret.txt/x',
])('refuses the way out %s', async (path) => {
  const { folder } = await workspace({ 'a/x': '' })
  await expect(confine(folder, path)).rejects.toThrow('outside the folder')
})

test('refuses NUL characters', async () => {
  const { folder } = await workspace()
  await expect(confine(folder, 'a\0b')).rejects.toThrow('NUL')
})

test('follows a link that stays inside and refuses one that leaves, file or folder, existing or not', async () => {
  const { folder, outside, at } = await workspace({ 'real/a.txt': '' })
  await symlink(at('real'), at('good'))
  await symlink(outside, at('bad'))
  await symlink('../outside/secret.txt', at('bad.txt'))
  expect(await confine(folder, 'good/a.txt')).toBe(at('real/a.txt'))
  expect(await confine(folder, 'good/new.txt')).toBe(at('real/new.txt'))
  for (const path of ['bad', 'bad/secret.txt', 'bad/none.txt', 'bad/deep/none.txt', 'bad/secret.txt/x', 'bad.txt']) {
    await expect(confine(folder, path), path).rejects.toThrow('outside the folder')
  }
})

test('refuses a link out of a folder outside back into the workspace only when it leads elsewhere', async () => {
  const { folder, outside, at } = await workspace({ 'a.txt': '' })
  await symlink(folder, join(outside, 'back'))
  await symlink(outside, at('out'))
  expect(await confine(folder, 'out/back/a.txt')).toBe(at('a.txt'))
  await expect(confine(folder, 'out/back/../secret.txt')).rejects.toThrow('outside the folder')
})

test('refuses links to nothing and links in a circle', async () => {
  const { folder, outside, at } = await workspace()
  await symlink(join(outside, 'not-yet.txt'), at('dangling'))
  await symlink(at('two'), at('one'))
  await symlink(at('one'), at('two'))
  await expect(confine(folder, 'dangling')).rejects.toThrow('link to something that does not exist')
  await expect(confine(folder, 'dangling/x')).rejects.toThrow('link to something that does not exist')
  await expect(confine(folder, 'one')).rejects.toThrow('link')
})

test('says in words what is wrong, without the paths of this machine', async () => {
  const { folder } = await workspace({ 'a.txt': '' })
  await expect(confine(folder, 'a.txt/b')).rejects.toThrow('"a.txt/b" is not a folder or passes through')
  await expect(confine(folder, 'x'.repeat(300))).rejects.toThrow('too long a name')
  const gone = confine(join(folder, 'gone'), 'a')
  await expect(gone).rejects.toThrow('The folder of this workspace does not exist.')
  await expect(gone).rejects.not.toThrow(folder)
})

test('opens nothing outside when a folder becomes a link between check and use', async () => {
  const { folder, outside, at } = await workspace({ 'a/b/secret.txt': 'mine', 'c/secret.txt': 'mine' })
  const deep = await confine(folder, 'a/b/secret.txt')
  const flat = await confine(folder, 'c/secret.txt')
  await mkdir(join(outside, 'b'))
  await writeFile(join(outside, 'b/secret.txt'), 'secret')
  await rename(at('a'), at('moved'))
  await symlink(outside, at('a'))
  await expect(openFile(folder, deep, 'a/b/secret.txt', signal)).rejects.toMatchObject({ code: 'ENOTDIR' })
  await rm(flat)
  await symlink(join(outside, 'secret.txt'), flat)
  await expect(openFile(folder, flat, 'c/secret.txt', signal)).rejects.toMatchObject({ code: 'ELOOP' })
  await expect(inFolder(folder, outside, () => Promise.resolve(1), { signal })).rejects.toThrow('no longer inside')
})

test.runIf(process.platform === 'linux')(
  'stays in the folder it opened when that is renamed and replaced',
  async () => {
    const { folder, outside, at } = await workspace({ 'a/x.txt': 'mine' })
    const swap = async (base: string): Promise<void> => {
      await rename(at('a'), at('b'))
      await symlink(outside, at('a'))
      await writeFile(join(base, 'secret.txt'), 'written')
    }
    await inFolder(folder, at('a'), swap, { signal })
    await expect(openFile(folder, at('b/secret.txt'), '', signal).then((file) => file.close())).resolves.toBeUndefined()
  },
)

test('refuses a path longer than a system can have before it looks at anything', async () => {
  const { folder } = await workspace()
  await expect(confine(folder, 'a/'.repeat(100_000))).rejects.toThrow(`at most ${LONGEST_PATH} characters, not 200000`)
  await expect(confine(folder, '../'.repeat(80_000))).rejects.toThrow(`at most ${LONGEST_PATH} characters`)
})

test('stops on its way when nobody waits any more', async () => {
  const { folder, at } = await workspace({ 'a/b.txt': 'b' })
  const aborter = new AbortController()
  const found = confineUntil(folder, 'x/'.repeat(LONGEST_PATH / 2), aborter.signal)
  aborter.abort(new Error('enough'))
  await expect(found).rejects.toThrow('enough')
  await expect(openFile(folder, at('a/b.txt'), 'a/b.txt', aborter.signal)).rejects.toThrow('enough')
})
