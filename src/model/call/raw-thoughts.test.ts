import { expect, test } from 'vitest'
import { addDetails, rawThought, type Detail } from './raw-thoughts.ts'

const chunk = (...details: unknown[]) => ({ choices: [{ index: 0, delta: { reasoning_details: details } }] })
const detailsOf = (value: unknown): readonly Detail[] => {
  const thought = rawThought(value)
  return thought && 'details' in thought ? thought.details : []
}

test('details that come in pieces are put together as they were', () => {
  const all: Detail[] = []
  const text = { type: 'reasoning.text', format: 'f', index: 0 }
  addDetails(all, detailsOf(chunk({ ...text, text: 'First' })))
  addDetails(all, detailsOf(chunk({ ...text, text: ', this.', signature: null })))
  addDetails(
    all,
    detailsOf(chunk({ ...text, signature: 'seal' }, { type: 'reasoning.encrypted', index: 1, data: 'd' })),
  )
  addDetails(all, detailsOf(chunk({ ...text, index: 2, text: 'Then' })))
  expect(all).toEqual([
    { ...text, text: 'First, this.', signature: 'seal' },
    { type: 'reasoning.encrypted', index: 1, data: 'd' },
    { ...text, index: 2, text: 'Then' },
  ])
})

test('every character counts, so that they cannot grow without end', () => {
  expect(addDetails([], [{ type: 'a', text: 'bcd' }])).toBe(4)
})

test('a chunk of any form is no error', () => {
  for (const odd of [null, 1, 'x', [], {}, { choices: 1 }, { choices: [null] }, chunk(1, null), chunk()])
    expect(rawThought(odd)).toBeUndefined()
  expect(rawThought({ type: 'response.reasoning_text.delta', item_id: 'rs', delta: 'so' })).toEqual({
    id: 'rs:0',
    text: 'so',
  })
})
