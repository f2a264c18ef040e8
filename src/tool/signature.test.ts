import { assert, dictionary, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../tests/support/verifies.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Tool } from '../contract/tool.ts'
import { createRegistry } from './registry.ts'
import { signature } from './signature.ts'

const declared: Tool = {
  name: 'fetch',
  description: 'fetches',
  input: {
    type: 'object',
    properties: { path: { type: 'string' }, depth: { type: 'integer', default: 2 }, more: {} },
  },
  normalise: { path: 'path', url: 'url', host: 'host' },
  run: () => null,
}
const tool = (await createRegistry([declared])).get('fetch')
const sign = (args: JsonObject, name = 'fetch', workspace = 'w') => signature(tool, name, args, workspace)

verifies('PHA-4', 'gives the same signature whatever the order of keys at any depth', () => {
  expect(sign({ a: 1, b: { c: [{ d: 1, e: 2 }], f: 3 } })).toBe(sign({ b: { f: 3, c: [{ e: 2, d: 1 }] }, a: 1 }))
})

verifies('PHA-4', 'gives the same signature to a call that leaves out a default and one that states it', async () => {
  const signed = async (args: JsonObject) => {
    const validation = await tool?.validate(args)
    return sign(validation?.ok === true ? validation.args : {})
  }
  expect(await signed({ path: 'a' })).toBe(await signed({ depth: 2, path: './a/' }))
  expect(await signed({ path: 'a' })).not.toBe(await signed({ path: 'a', depth: 3 }))
})

verifies('PHA-4', 'tells apart calls of other tools, actions, workspaces and arguments', () => {
  const signatures = [
    sign({ path: 'a' }),
    sign({ path: 'b' }),
    sign({ path: 'a' }, 'other'),
    sign({ path: 'a' }, 'fetch', 'w2'),
    sign({ path: 'a', action: 'delete' }),
    sign({ path: 'a', action: 'create' }),
    sign({ path: 'a', n: 1 }),
    sign({ path: 'a', n: '1' }),
    sign({ path: 'a', n: { x: { y: 1 } } }),
    sign({ path: 'a', n: { x: { y: 2 } } }),
  ]
  expect(new Set(signatures).size).toBe(signatures.length)
})

const spellings: readonly [field: string, plain: string, others: readonly string[]][] = [
  ['path', 'src/a.ts', ['./src/a.ts', 'src//a.ts', 'src/a.ts/', 'src\\a.ts', 'src/./a.ts', 'src/b/../a.ts']],
  ['path', '.', ['', './', 'a/..', '.\\']],
  ['path', '/', ['//', '/..', '/./']],
  ['path', '../a', ['..\\a', './../a/', 'b/../../a']],
  ['url', 'https://example.org/', ['HTTPS://Example.ORG', 'https://example.org:443/', 'https://example.org/#top']],
  ['url', 'http://example.org/a?q=B', ['http://EXAMPLE.org:80/x/../a?q=B', 'http://example.org/./a?q=B#x']],
  ['host', 'example.org', ['EXAMPLE.org', 'example.org.']],
]

verifies('PHA-4', 'does not care how a path, a URL or a host is spelled', () => {
  for (const [field, plain, others] of spellings) {
    for (const other of others) expect(sign({ [field]: other }), other).toBe(sign({ [field]: plain }))
  }
})

verifies('PHA-4', 'compares all other strings as they are', () => {
  expect(sign({ text: 'src//a.ts' })).not.toBe(sign({ text: 'src/a.ts' }))
  expect(sign({ text: 'A' })).not.toBe(sign({ text: 'a' }))
  expect(sign({ url: 'https://example.org/?q=A' })).not.toBe(sign({ url: 'https://example.org/?q=a' }))
  expect(sign({ path: 'A' })).not.toBe(sign({ path: 'a' }))
  expect(sign({ nested: { path: './a' } })).not.toBe(sign({ nested: { path: 'a' } }))
})

test('signs what is no URL, no string or no known tool all the same', () => {
  expect(sign({ url: 'not a url' })).toMatch(/^[0-9a-f]{64}$/)
  expect(sign({ path: 5, url: null, host: ['x'] })).toMatch(/^[0-9a-f]{64}$/)
  expect(signature(undefined, 'gone', { path: './a' }, 'w')).not.toBe(signature(undefined, 'gone', { path: 'a' }, 'w'))
})

test('keeps half surrogate pairs apart, in values and in keys', () => {
  const texts = ['\uD800', '\uDC00', '\uFFFD', 'a\uD800', '\uD800a', '😀']
  expect(new Set(texts.map((text) => sign({ text }))).size).toBe(texts.length)
  expect(new Set(texts.map((text) => sign({ [text]: 1 }))).size).toBe(texts.length)
})

test('has one signature per value, for any arguments', () => {
  assert(
    property(dictionary(string({ unit: 'binary' }), jsonValue()), (args) => {
      const shuffled = Object.fromEntries(Object.entries(args).reverse())
      expect(sign(shuffled as JsonObject)).toBe(sign(args as JsonObject))
    }),
  )
})

test('leaves the arguments as they were', () => {
  const args = Object.freeze({ path: './a/', url: 'HTTP://A' })
  sign(args)
  expect(args).toEqual({ path: './a/', url: 'HTTP://A' })
})
