import { expect, test } from 'vitest'
import { headerFault } from './header-fault.ts'

const field = (more: object): object => ({ type: 'object', properties: { a: { type: 'string', ...more } } })

test('takes headers of plain fields with a name of their own', () => {
  expect(headerFault(undefined)).toBeUndefined()
  expect(headerFault(field({}))).toBeUndefined()
  expect(headerFault(field({ 'x-mcp-header': 'Region' }))).toBeUndefined()
  const nested = {
    type: 'object',
    properties: { b: field({ 'x-mcp-header': 'Deep' }), c: field({ 'x-mcp-header': 'Other' }) },
  }
  expect(headerFault(nested)).toBeUndefined()
})

test.each([
  ['an empty name', field({ 'x-mcp-header': '' })],
  ['no text', field({ 'x-mcp-header': 3 })],
  ['a name that ends a header', field({ 'x-mcp-header': 'a\r\nb' })],
  ['a list', field({ 'x-mcp-header': 'Region', type: 'array' })],
  ['the arguments as a whole', { type: 'object', 'x-mcp-header': 'All' }],
  [
    'what stands in a list',
    { type: 'object', properties: { l: { type: 'array', items: field({ 'x-mcp-header': 'In' }) } } },
  ],
  [
    'the same name twice',
    {
      type: 'object',
      properties: { a: { type: 'string', 'x-mcp-header': 'R' }, b: { type: 'string', 'x-mcp-header': 'r' } },
    },
  ],
])('refuses a header for %s', (_, schema) => {
  expect(headerFault(schema)).toContain('x-mcp-header')
})
