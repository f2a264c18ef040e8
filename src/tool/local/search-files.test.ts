import { symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { patternMatcher } from './matcher.ts'
import { searchFiles } from './search-files.ts'
import { workspace } from './workspace.suite.ts'
import { ownTime } from '../../../tests/support/own-time.ts'

const search = searchFiles()
// Each further "a" doubles the time: with these it would take years.
const SLOW_PATTERN = '^(a+)+$'
const SLOW_LINE = `${'a'.repeat(60)}!`

test('finds a text with file, line and the line itself', async () => {
  const { run } = await workspace({ 'b.ts': 'x\n  const a.b = 1\n', 'a/c.ts': 'a.b\r\naxb', 'd.ts': 'none' })
  expect(await run(search, { query: 'a.b' })).toBe('b.ts:2: const a.b = 1\na/c.ts:1: a.b')
  expect(await run(search, { query: 'a.b', path: 'a' })).toBe('a/c.ts:1: a.b')
  expect(await run(search, { query: 'a.b', path: 'a/c.ts' })).toBe('a/c.ts:1: a.b')
  expect(await run(search, { query: 'nowhere' })).toBe('(no match in 3 files)')
})

test('finds a pattern', async () => {
  const { run } = await workspace({ 'a.txt': 'cat\ndog\ncow\n', 'b.txt': 'cot' })
  expect(await run(search, { query: '^c.t$', regex: true })).toBe('a.txt:1: cat\nb.txt:1: cot')
})

test('says what is wrong with a pattern', async () => {
  const { run } = await workspace()
  await expect(run(search, { query: '(', regex: true })).rejects.toThrow(
    'query: expected a regular expression, got "("',
  )
})

test('ends a pattern that would run for years, keeps the process alive meanwhile, and shows what it has', async () => {
  const { run } = await workspace({ 'a.txt': 'aaa', 'b.txt': SLOW_LINE, 'c.txt': 'aaa' })
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), 10)
  const found = await run(searchFiles({ ms: 2000 }), { query: SLOW_PATTERN, regex: true })
  clearInterval(ticking)
  expect(found).toMatch(/^a\.txt:1: aaa\n\[… stopped because the search took too long/)
  expect(ticks).toBeGreaterThan(20)
})

test('ends such a pattern at once when it is cancelled', async () => {
  const { run } = await workspace({ 'b.txt': SLOW_LINE })
  const stop = new AbortController()
  const searching = run(search, { query: SLOW_PATTERN, regex: true }, stop.signal)
  setTimeout(() => stop.abort(), 200)
  const took = ownTime()
  await expect(searching).rejects.toThrow('abort')
  expect(took()).toBeLessThan(3000)
})

test('shows what it has when there are too many files for its time', async () => {
  const { run } = await workspace(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}.txt`, 'x'])))
  const found = await run(searchFiles({ ms: 1 }), { query: 'nowhere' })
  const [, files] = /^\(no match in (\d+) files\)\n\[… stopped because the search took too long/.exec(found) ?? []
  expect(Number(files)).toBeLessThan(500)
})

test('survives the thread of a pattern running out of memory', async () => {
  const matcher = patternMatcher('b', new AbortController().signal)
  await expect(matcher.find('b\n'.repeat(5_000_000), 5_000_000)).rejects.toThrow('The pattern could not be run')
  await expect(matcher.find('b', 1)).rejects.toThrow('The pattern could not be run')
  await matcher.close()
})

test('passes over binary and large files, links, .git and node_modules', async () => {
  const { run, at, outside } = await workspace({
    'bin.dat': 'needle\0',
    'large.txt': `needle\n${'x'.repeat(1024 * 1024)}`,
    'node_modules/m/a.js': 'needle',
    'sub/.git/config': 'needle',
    'ok.txt': 'needle',
  })
  await symlink(outside, at('out'))
  await symlink(`${outside}/secret.txt`, at('secret'))
  expect(await run(search, { query: 'needle' })).toBe('ok.txt:1: needle')
  expect(await run(search, { query: 'secret' })).toContain('no match')
  expect(await run(search, { query: 'needle', path: 'node_modules/m' })).toBe('node_modules/m/a.js:1: needle')
  await expect(run(search, { query: 'secret', path: 'secret' })).rejects.toThrow('outside the folder')
})

test('shows at most 200 matches and says that there are more', async () => {
  const { run } = await workspace({ 'a.txt': 'x\n'.repeat(150), 'b.txt': 'x\n'.repeat(150), 'c.txt': 'x\n' })
  const lines = (await run(search, { query: 'x' })).split('\n')
  expect(lines).toHaveLength(201)
  expect(lines[199]).toBe('b.txt:50: x')
  expect(lines[200]).toContain('there are more matches')
})

test('looks at and shows only the beginning of a very long line', async () => {
  const { run } = await workspace({ 'a.txt': `start ${'x'.repeat(5000)} end` })
  const found = await run(search, { query: 'start' })
  expect(found).toHaveLength('a.txt:1: '.length + 301)
  expect(await run(search, { query: 'end' })).toContain('no match')
})
