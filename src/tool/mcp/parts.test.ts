import { expect, test } from 'vitest'
import { diff } from './diff.ts'
import { LineReader } from './line-reader.ts'
import { createLogRing } from './log-ring.ts'
import { whoseLogin } from './login.ts'
import { sameWhileSame } from './same-while-same.ts'
import { toolName } from './tool-name.ts'

const lines = (reader: LineReader, ...chunks: string[]): string[] =>
  chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))])

test('cuts bytes into lines, wherever the pieces end', () => {
  expect(lines(new LineReader(100), 'a\nb', 'c\n', '\nd')).toEqual(['a', 'bc', ''])
  const [first = 0, second = 0, ...rest] = Buffer.from('é\n')
  const reader = new LineReader(100)
  expect([...reader.read(Buffer.from([first])), ...reader.read(Buffer.from([second, ...rest]))]).toEqual(['é'])
  expect(() => lines(new LineReader(5), '123', '456')).toThrow('more than 5 bytes')
})

test('keeps the last lines of a log, each cut to its length', () => {
  const ring = createLogRing(2)
  ring.add('one\ntwo\nth')
  ring.add('ree\nfour')
  expect(ring.lines()).toEqual(['two', 'three', 'four'])
  for (let i = 0; i < 100; i += 1) ring.add('x'.repeat(10_000))
  expect(ring.lines().join('').length).toBeLessThan(1100)
})

test('shows every difference of two definitions, with what cannot be seen spelled out', () => {
  const before = { a: 1, b: { c: [1, 2], d: 'same' }, gone: null }
  const after = { a: '1', b: { c: [1, 3, 4], d: 'same' }, 'new\u200b': 'a\u00a0b\u{e0041}' }
  expect(diff(before, after).split('\n')).toEqual([
    '- a: 1',
    '+ a: "1"',
    '- b.c[1]: 2',
    '+ b.c[1]: 3',
    '+ b.c[2]: 4',
    '- gone: null',
    '+ "new\\u{200b}": "a\\u{a0}b\\u{e0041}"',
  ])
  expect(diff(before, before)).toBe('')
  expect(diff({}, JSON.parse('{"__proto__":{"x":1}}') as Record<string, never>)).toBe('+ __proto__: {"x":1}')
})

test('joins the same lists to the very same list, and others to another', () => {
  const join = sameWhileSame<number>()
  const [a, b, c] = [[1], [2, 3], [4]]
  const all = join([a, [], b])
  expect(all).toEqual([1, 2, 3])
  expect(join([a, [], b])).toBe(all)
  expect(join([[], a, b])).toBe(all)
  expect(join([a, b, c])).toEqual([1, 2, 3, 4])
  expect(join([b, a])).toEqual([2, 3, 1])
  expect(join([a])).toEqual([1])
  expect(join([[], []])).toBe(join([]))
})

test('gives different names to what would look the same', () => {
  const names = ['a b', 'a.b', 'a_b', 'a_b-0123456789ab', 'x'.repeat(80), 'x'.repeat(81), '\ud800', '\ud801', '']
  const made = names.map((name) => toolName('s', name))
  expect(new Set(made).size).toBe(names.length)
  expect(made[2]).toBe('s__a_b')
  for (const name of made) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
})

test('reads whose login a state belongs to, and nothing from what is no state', () => {
  const state = `${Buffer.from('["tenant","server"]').toString('base64url')}.random`
  expect(whoseLogin(state)).toEqual({ tenant: 'tenant', server: 'server' })
  for (const strange of [
    '',
    'x',
    '..',
    Buffer.from('{"a":1}').toString('base64url'),
    Buffer.from('[1,2]').toString('base64url'),
  ]) {
    expect(whoseLogin(strange)).toBeUndefined()
  }
})
