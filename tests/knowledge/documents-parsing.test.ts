import { expect, test } from 'vitest'
import { createParsing } from '../../src/knowledge/documents-parsing.ts'
import { LIMITS, SLOW_HTML } from './support/documents.ts'

test('a tenant whose documents take long keeps others waiting for one of them, not for all', async () => {
  const parse = createParsing({ parsers: 1, limits: { ...LIMITS, parseMs: 500 } })
  const ended: string[] = []
  const reading = ['slow', 'slow', 'slow', 'other'].map(async (tenant) => {
    const [bytes, type] =
      tenant === 'slow' ? ([SLOW_HTML, 'text/html'] as const) : ([Buffer.from('a'), 'text/plain'] as const)
    await parse(tenant, bytes, type).catch(() => {})
    ended.push(tenant)
  })
  await Promise.all(reading)
  expect(ended).toEqual(['slow', 'other', 'slow', 'slow'])
})
