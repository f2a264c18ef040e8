import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { betweenMarkers } from './between-markers.ts'
import { cleanInstructions } from './clean-instructions.ts'
import { visibleText } from './visible.ts'

test.each([
  ['plain', 'plain'],
  ['  I am a nurse.\n', 'I am a nurse.'],
  ['a\tb\nc', 'a\tb\nc'],
  ['a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
  ['no\u00a0break\u3000space', 'no break space'],
  ['a\0b\u001b[2Jc\u0085d', 'ab[2Jcd'],
  ['z\u200be\u200cr\u200do\u200e-\u200fw\u2060i\ufeffdth', 'zero-width'],
  ['\u202aturned\u202b \u202caround\u202d\u202e \u2066and\u2067 \u2068back\u2069', 'turned around and back'],
  ['ta\u{e0001}gg\u{e0041}\u{e007f}ed', 'tagged'],
  ['soft\u00adhyphen\ufe0f\u{e0100}\u180b', 'softhyphen'],
  ['\u115f\u1160\u3164\uffa0\u034f\u17b4', ''],
  ['private \ue000\u{f0000}use', 'private use'],
  ['half\ud800', 'half'],
  ['Cafe\u0301', 'Café'],
  ['e\u200d\u0301', 'é'],
  ['hello, שלום, مرحبا, 日本語, 🎼', 'hello, שלום, مرحبا, 日本語, 🎼'],
])('%j becomes %j', (text, clean) => {
  expect(cleanInstructions(text)).toBe(clean)
})

test.each([
  '<untrusted-data abc>',
  '</untrusted-data abc>',
  '< / UNTRUSTED_data>',
  '＜/untrusted data x＞',
  '‹untrusted-data›',
  '<untrus\u200bted-data>',
  '<untrus<untrusted-data>ted-data 1>',
  '<<untrusted-data 1>/untrusted-data 1>',
  '</untrusted-data',
])('what looks like a marker is taken out: %j', (marker) => {
  expect(cleanInstructions(`before ${marker}`)).toBe('before')
})

test('what is left can be seen, stays the same when it is cleaned again, and needs no escapes between markers', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      const clean = cleanInstructions(text)
      expect(cleanInstructions(clean)).toBe(clean)
      expect(visibleText(clean)).toBe(clean)
      expect(betweenMarkers(clean, 'c', 'x')).toContain(clean)
    }),
    { numRuns: 2000 },
  )
})
