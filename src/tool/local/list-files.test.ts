import { mkdir, symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { listFiles } from './list-files.ts'
import { workspace } from './workspace.suite.ts'

test('lists files and folders, sorted, two levels deep unless told otherwise', async () => {
  const { run, at } = await workspace({ 'b.txt': '', 'a/x.txt': '', 'a/deep/y.txt': '', 'B.txt': '' })
  await mkdir(at('empty'))
  expect(await run(listFiles, {})).toBe('B.txt\na/\na/deep/\na/x.txt\nb.txt\nempty/')
  expect(await run(listFiles, { depth: 1 })).toBe('B.txt\na/\nb.txt\nempty/')
  expect(await run(listFiles, { path: 'a', depth: 3 })).toBe('a/deep/\na/deep/y.txt\na/x.txt')
  expect(await run(listFiles, { path: 'empty' })).toBe('(empty)')
})

test('names links and does not follow them', async () => {
  const { run, at, outside } = await workspace({ 'a/x': '' })
  await symlink(outside, at('out'))
  await symlink(at('a'), at('a/loop'))
  expect(await run(listFiles, { depth: 20 })).toBe('a/\na/loop (link)\na/x\nout (link)')
})

test('refuses what is outside, no folder, or not there', async () => {
  const { run, at, outside } = await workspace({ 'a.txt': '' })
  await symlink(outside, at('out'))
  await expect(run(listFiles, { path: 'out' })).rejects.toThrow('outside the folder')
  await expect(run(listFiles, { path: '..' })).rejects.toThrow('outside the folder')
  await expect(run(listFiles, { path: 'a.txt' })).rejects.toThrow('is not a folder')
  await expect(run(listFiles, { path: 'none' })).rejects.toThrow('"none" does not exist.')
})

test('shows at most a thousand entries, the upper levels first, and says so', async () => {
  const names = Array.from({ length: 1200 }, (_, n) => `a/${String(n).padStart(4, '0')}`)
  const { run } = await workspace(Object.fromEntries([...names, 'z.txt'].map((name) => [name, ''])))
  const lines = (await run(listFiles, {})).split('\n')
  expect(lines).toHaveLength(1001)
  expect(lines[999]).toBe('z.txt')
  expect(lines[998]).toBe('a/0997')
  expect(lines[1000]).toMatch(/^\[… there is more; only the first 1000/)
})

test('does not let a file name pretend to be several', async () => {
  const { run } = await workspace({ 'a\nb.txt': '' })
  expect(await run(listFiles, {})).toBe('"a\\nb.txt"')
})

test('stops when it is told to', async () => {
  const { run } = await workspace({ a: '' })
  await expect(run(listFiles, {}, AbortSignal.abort())).rejects.toThrow('abort')
})
