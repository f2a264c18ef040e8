import { expect, test } from 'vitest'
import { parseInlines } from './parse-inlines.ts'
import { withCitations, type Shown } from './with-citations.ts'

const KNOWN = new Set(['k1', 'k2'])
const cited = (text: string): readonly Shown[] => withCitations(parseInlines(text), KNOWN)
const words = (text: string): string =>
  cited(text)
    .map((one) => (one.type === 'text' ? one.text : `<${one.type}>`))
    .join('')
const labels = (text: string): string[] => cited(text).flatMap((one) => (one.type === 'cite' ? [one.label] : []))

test('a label stands on its own where the answer has it, alone, in a row or with commas', () => {
  expect(cited('Yes [k1].')).toEqual([
    { type: 'text', text: 'Yes ' },
    { type: 'cite', label: 'k1' },
    { type: 'text', text: '.' },
  ])
  expect(labels('[k1][k2] and [k1, k2] and [k2,k1]')).toEqual(['k1', 'k2', 'k1', 'k2', 'k2', 'k1'])
  expect(words('[k1, k9] or [k9]')).toBe('<cite>[k9] or [k9]')
})

test('what only looks like a label stays what it is', () => {
  for (const text of [
    '`[k1]`',
    '[k1](https://example.org)',
    '![k1](https://example.org)',
    '[k3]',
    '[ k1]',
    '[K1]',
    'k1',
  ])
    expect(labels(text)).toEqual([])
  expect(words('no [k9] here')).toBe('no [k9] here')
})
