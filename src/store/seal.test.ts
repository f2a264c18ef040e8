import { expect, test } from 'vitest'
import { sealOf } from './seal.ts'

const row = { seq: 1, at: 23, tenant: 'acme', body: '[]' }

test('a seal changes with everything it seals', () => {
  const others = [{ seq: 2 }, { at: 24 }, { tenant: 'acma' }, { body: '[1]' }]
  const seals = [sealOf('', row), sealOf('a', row), ...others.map((other) => sealOf('', { ...row, ...other }))]
  expect(new Set(seals).size).toBe(seals.length)
})

test('a seal tells where each of its parts ends', () => {
  const pairs = [
    [
      { ...row, tenant: 'acme ', body: '[]' },
      { ...row, tenant: 'acme', body: ' []' },
    ],
    [
      { ...row, seq: 1, at: 23 },
      { ...row, seq: 12, at: 3 },
    ],
    [
      { ...row, tenant: '', body: ' x' },
      { ...row, tenant: ' ', body: 'x' },
    ],
  ] as const
  for (const [one, other] of pairs) expect(sealOf('', one)).not.toBe(sealOf('', other))
})
