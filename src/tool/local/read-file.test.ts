import { execFileSync } from 'node:child_process'
import { mkdir, open, symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createRegistry } from '../registry.ts'
import { runTool } from '../run-tool.ts'
import { readFile } from './read-file.ts'
import { workspace } from './workspace.suite.ts'
import { ownTime } from '../../../tests/support/own-time.ts'

test('reads a text file as it is', async () => {
  const { run } = await workspace({ 'a/b.txt': 'grüße 😀\r\nsecond', empty: '' })
  expect(await run(readFile, { path: 'a/b.txt' })).toBe('grüße 😀\r\nsecond')
  expect(await run(readFile, { path: 'empty' })).toBe('("empty" is empty)')
})

test('reads the lines that are asked for, and says where to read on', async () => {
  const { run } = await workspace({ 'n.txt': 'one\ntwo\nthree\nfour\n' })
  expect(await run(readFile, { path: 'n.txt', offset: 3 })).toBe('three\nfour\n')
  const part = await run(readFile, { path: 'n.txt', offset: 2, limit: 2 })
  expect(part).toBe('two\nthree\n[… the file goes on; read on with offset 4]')
  expect(await run(readFile, { path: 'n.txt', offset: 4, limit: 1 })).toBe('four\n')
  await expect(run(readFile, { path: 'n.txt', offset: 5 })).rejects.toThrow('has no line 5; its last line is 4')
})

test('reads a long file in parts that join to the whole', async () => {
  const lines = Array.from({ length: 30_000 }, (_, n) => `line ${n} ${'ü'.repeat(n % 40)}\n`)
  const { run } = await workspace({ 'long.txt': lines.join('') })
  let joined = ''
  let offset: number | undefined = 1
  let parts = 0
  while (offset !== undefined) {
    const part: string = await run(readFile, { path: 'long.txt', offset })
    expect(part.length).toBeLessThanOrEqual(200_000)
    const [note, next] = /\[… the file goes on; read on with offset (\d+)\]$/.exec(part) ?? []
    joined += note === undefined ? part : part.slice(0, -note.length)
    offset = next === undefined ? undefined : Number(next)
    parts += 1
  }
  expect(joined === lines.join('')).toBe(true)
  expect(parts).toBeGreaterThan(3)
})

test('shows the beginning of a line that is too long, and is not cut once more', async () => {
  const place = await workspace({ 'line.txt': '😀'.repeat(500_000) })
  const tool = (await createRegistry([readFile])).get('read_file')
  if (tool === undefined) throw new Error('not registered')
  const ctx = place.ctx()
  const { signal } = ctx
  const result = await runTool(tool, { path: 'line.txt' }, ctx, {
    timeoutMs: 5000,
    maxTimeoutMs: 5000,
    redact: String,
    outputChars: 50_000,
    fileBytes: 0,
    resultFiles: 0,
    signal,
  })
  expect(result).not.toHaveProperty('cut')
  expect(result.content).toMatch(/^(?:😀){99900}\n\[… line 1 goes on, and is too long to be shown whole\]$/u)
})

test('reads only the beginning of a huge file', async () => {
  const { run, at } = await workspace()
  const file = await open(at('huge'), 'w')
  await file.write('text\n'.repeat(50_000))
  await file.truncate(50 * 1024 ** 3)
  await file.close()
  const took = ownTime()
  expect(await run(readFile, { path: 'huge', limit: 1 })).toBe('text\n[… the file goes on; read on with offset 2]')
  expect(took()).toBeLessThan(2000)
})

test('stops looking for a line when it is told to', async () => {
  const { run, at } = await workspace()
  const file = await open(at('huge'), 'w')
  await file.write(Buffer.alloc(64 * 1024 * 1024, 'a\n'))
  await file.close()
  const stop = new AbortController()
  const reading = run(readFile, { path: 'huge', offset: 1e9 }, stop.signal)
  stop.abort()
  await expect(reading).rejects.toThrow('abort')
})

test('refuses folders, binary files, pipes and what is not there', async () => {
  const { run, at } = await workspace({ 'a.bin': Uint8Array.from([0xff, 0xfe, 0x00]), 'nul.txt': 'a\0b' })
  await mkdir(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  await expect(run(readFile, { path: 'a.bin' })).rejects.toThrow('"a.bin" is not UTF-8 text but binary')
  await expect(run(readFile, { path: 'nul.txt' })).rejects.toThrow('binary')
  await expect(run(readFile, { path: 'folder' })).rejects.toThrow('"folder" is a folder.')
  await expect(run(readFile, { path: '.' })).rejects.toThrow('"." is a folder.')
  await expect(run(readFile, { path: 'pipe' })).rejects.toThrow('"pipe" is not a regular file.')
  await expect(run(readFile, { path: 'none' })).rejects.toThrow(/^"none" does not exist.$/)
  await expect(run(readFile, { path: 'none/deep' })).rejects.toThrow(/^"none\/deep" does not exist.$/)
})

test('does not read outside the workspace, and reads through links that stay inside', async () => {
  const { run, at, outside } = await workspace({ 'a.txt': 'mine' })
  await symlink(`${outside}/secret.txt`, at('link'))
  await symlink(at('a.txt'), at('good'))
  await expect(run(readFile, { path: 'link' })).rejects.toThrow('outside the folder')
  await expect(run(readFile, { path: '../outside/secret.txt' })).rejects.toThrow('outside the folder')
  await expect(run(readFile, { path: '/proc/self/environ' })).rejects.toThrow('outside the folder')
  expect(await run(readFile, { path: 'good' })).toBe('mine')
})
