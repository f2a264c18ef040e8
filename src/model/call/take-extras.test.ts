import { expect, test } from 'vitest'
import { takeExtras } from './take-extras.ts'

const page = (url: string, title?: string) =>
  ({ type: 'source', sourceType: 'url', id: '1', url, ...(title !== undefined && { title }) }) as const

test('a source is kept once, with a title on one line, and only if a person can open it', () => {
  const extras = takeExtras()
  extras.source(page('https://a.example/', 'A\n page'))
  extras.source(page('https://a.example/', 'A page'))
  extras.source(page('javascript:alert(1)'))
  extras.source(page(`https://a.example/${'x'.repeat(2000)}`))
  extras.source({ type: 'source', sourceType: 'document', id: '2', mediaType: 'application/pdf', title: 'Lamps' })
  expect(extras.sources).toEqual([
    { url: 'https://a.example/', title: 'A page' },
    { title: 'Lamps', mediaType: 'application/pdf' },
  ])
})

test('at most a hundred sources are kept', () => {
  const extras = takeExtras()
  for (let n = 0; n < 150; n++) extras.source(page(`https://a.example/${n}`))
  expect(extras.sources).toHaveLength(100)
})

test('a file that is elsewhere is not fetched but named', () => {
  const extras = takeExtras()
  extras.file({ type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://a.example/b.png') } })
  extras.file({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } })
  expect(extras.sources).toEqual([{ url: 'https://a.example/b.png', mediaType: 'image/png' }])
  expect(extras.files).toEqual([{ mediaType: 'image/png', data: Buffer.from([1, 2, 3]) }])
})

test('a chunk of any form is no error', () => {
  const extras = takeExtras()
  for (const odd of [null, 1, [], { citations: 1 }, { citations: [1] }, { choices: [null, {}, { delta: null }] }])
    extras.raw(odd)
  expect(extras.sources).toEqual([])
})
