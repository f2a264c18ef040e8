import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, readdir, readFile, readlink, rm, stat, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspace } from './workspace.suite.ts'
import { writeFile } from './write-file.ts'

const text = (path: string) => readFile(path, 'utf8')

test('writes a new file and makes the folders on the way', async () => {
  const { run, at, folder } = await workspace()
  expect(await run(writeFile, { path: 'a//b/./c.txt', content: 'grüße' })).toBe('Wrote 7 bytes: a/b/c.txt')
  expect(await text(at('a/b/c.txt'))).toBe('grüße')
  expect(await readdir(folder, { recursive: true })).toEqual(['a', 'a/b', 'a/b/c.txt'])
})

test('replaces a file, keeping its permissions and leaving nothing else behind', async () => {
  const { run, at, folder } = await workspace({ 'run.sh': 'old' })
  await chmod(at('run.sh'), 0o750)
  await run(writeFile, { path: 'run.sh', content: 'new' })
  expect(await text(at('run.sh'))).toBe('new')
  expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o750)
  expect(await readdir(folder)).toEqual(['run.sh'])
})

test('appends', async () => {
  const { run, at } = await workspace({ log: 'a' })
  expect(await run(writeFile, { path: 'log', content: 'b', mode: 'append' })).toBe('Appended 1 bytes: log')
  await run(writeFile, { path: 'new/log', content: 'c', mode: 'append' })
  expect(await text(at('log'))).toBe('ab')
  expect(await text(at('new/log'))).toBe('c')
})

test('creates only what is not there, also when many try at once', async () => {
  const { run, at, folder } = await workspace({ 'old.txt': 'old' })
  await expect(run(writeFile, { path: 'old.txt', content: 'x', mode: 'create' })).rejects.toThrow('exists already')
  expect(await text(at('old.txt'))).toBe('old')
  const tries = Array.from({ length: 8 }, (_, n) => run(writeFile, { path: 'x', content: `${n}`, mode: 'create' }))
  const ended = await Promise.allSettled(tries)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(ended.filter((end) => end.status === 'rejected' && /exists already/.test(String(end.reason)))).toHaveLength(7)
  expect((await readdir(folder)).sort()).toEqual(['old.txt', 'x'])
})

test('shows a reader the old file or the new one, never half of one', async () => {
  const { run, at } = await workspace({ big: 'a'.repeat(3_000_000) })
  const writer = { done: false }
  const writing = run(writeFile, { path: 'big', content: 'b'.repeat(3_000_000) }).finally(() => (writer.done = true))
  do {
    expect(await text(at('big'))).toMatch(/^(?:a{3000000}|b{3000000})$/)
  } while (!writer.done)
  await writing
  expect((await text(at('big')))[0]).toBe('b')
})

test.each(['overwrite', 'append', 'create'])('does not %s outside the workspace', async (mode) => {
  const { run, at, outside } = await workspace({ 'a.txt': '' })
  await symlink(outside, at('out'))
  await symlink(join(outside, 'secret.txt'), at('secret-link'))
  await symlink(join(outside, 'planted.txt'), at('dangling'))
  const paths = ['out/x.txt', 'out/new/x.txt', 'secret-link', 'dangling', '../outside/x.txt', join(outside, 'x.txt')]
  for (const path of paths) {
    await expect(run(writeFile, { path, content: 'x', mode }), path).rejects.toThrow(/outside the folder|link/)
  }
  expect(await readdir(outside)).toEqual(['secret.txt'])
  expect(await text(join(outside, 'secret.txt'))).toBe('secret')
})

test('follows a link that stays inside, and keeps it', async () => {
  const { run, at } = await workspace({ 'real.txt': 'old' })
  await symlink('real.txt', at('link.txt'))
  await run(writeFile, { path: 'link.txt', content: 'new' })
  expect(await text(at('real.txt'))).toBe('new')
  expect(await readlink(at('link.txt'))).toBe('real.txt')
})

test('writes nothing outside while a folder on the way is swapped for a link and back', async () => {
  const { run, at, outside } = await workspace()
  await mkdir(join(outside, 'b'))
  const swapper = { on: true }
  const swap = (async () => {
    while (swapper.on) {
      await mkdir(at('a/b'), { recursive: true }).catch(() => undefined)
      await rm(at('a'), { recursive: true, force: true }).catch(() => undefined)
      await symlink(outside, at('a')).catch(() => undefined)
      await unlink(at('a')).catch(() => undefined)
    }
  })()
  const modes = ['overwrite', 'append', 'create'] as const
  for (let n = 0; n < 600; n += 1) {
    const write = run(writeFile, { path: `a/b/f${n}.txt`, content: 'escaped', mode: modes[n % 3] ?? 'append' })
    await write.catch(() => undefined)
  }
  swapper.on = false
  await swap
  expect((await readdir(outside, { recursive: true })).sort()).toEqual(['b', 'secret.txt'])
})

test('does not change a file that has another name outside', async () => {
  const { run, at, outside } = await workspace()
  await link(join(outside, 'secret.txt'), at('hard'))
  await expect(run(writeFile, { path: 'hard', content: 'x', mode: 'append' })).rejects.toThrow('hard links')
  await run(writeFile, { path: 'hard', content: 'new' })
  expect(await text(join(outside, 'secret.txt'))).toBe('secret')
  expect(await text(at('hard'))).toBe('new')
})

test('refuses folders and pipes, and does not hang on them', async () => {
  const { run, at } = await workspace({ 'a/b': '' })
  execFileSync('mkfifo', [at('pipe')])
  for (const mode of ['overwrite', 'append']) {
    await expect(run(writeFile, { path: 'a', content: 'x', mode })).rejects.toThrow('"a" is a folder.')
    await expect(run(writeFile, { path: '.', content: 'x', mode })).rejects.toThrow('"." is a folder.')
    await expect(run(writeFile, { path: 'pipe', content: 'x', mode })).rejects.toThrow('"pipe" is not a regular file.')
    await expect(run(writeFile, { path: 'a/b/c', content: 'x', mode })).rejects.toThrow('is not a folder')
  }
})

test.each(['overwrite', 'create', 'append'])('changes nothing in mode %s when it is cancelled first', async (mode) => {
  const { run, folder } = await workspace()
  const writing = run(writeFile, { path: 'x', content: 'new', mode }, AbortSignal.abort())
  await expect(writing).rejects.toThrow('abort')
  expect(await readdir(folder)).toEqual([])
})

test('asks before it writes, and names the whole path as its target', () => {
  expect(writeFile.approval).toBe('ask')
  expect(writeFile.effect).toBe('unsafe')
  expect(writeFile.target?.({ path: './a//b.txt', content: 'x' })).toBe('a/b.txt')
})
