import { expect, test } from 'vitest'
import { charsOfFiles, fileTokens } from './token-guess.ts'

test('a picture takes the same place whatever its size, text and documents by their length', () => {
  const bytes = 4000
  expect(fileTokens({ mediaType: 'image/png', bytes: 1 })).toBe(1500)
  expect(fileTokens({ mediaType: 'image/webp', bytes: 3_000_000 })).toBe(1500)
  expect(fileTokens({ mediaType: 'text/markdown', bytes })).toBe(1000)
  expect(fileTokens({ mediaType: 'application/pdf', bytes })).toBe(400)
  expect(fileTokens({ mediaType: 'text/plain', bytes: 1 })).toBe(1)
})

test('files are counted as the text that would take their place', () => {
  const files = [
    { mediaType: 'image/png', bytes: 1 },
    { mediaType: 'text/plain', bytes: 8 },
  ]
  expect(charsOfFiles(files)).toBe(3 * (1500 + 2))
  expect(charsOfFiles([])).toBe(0)
})
