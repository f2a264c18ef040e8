import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { VisibleText } from './visible-text.tsx'
import { hidesSomething, visible, visibleText } from './visible.ts'

describe('what cannot be seen is shown as its number', () => {
  test.each([
    ['a control character', 'a\u0007b', 'a\\u{7}b'],
    ['an escape sequence of a terminal', '\u001b[2J', '\\u{1b}[2J'],
    ['a carriage return that overwrites a line', 'deny\rok', 'deny\\u{d}ok'],
    ['a right-to-left override', 'gpj\u202eexe', 'gpj\\u{202e}exe'],
    [
      'isolates and direction marks',
      '\u2066a\u2069\u200e\u200f\u061c',
      '\\u{2066}a\\u{2069}\\u{200e}\\u{200f}\\u{61c}',
    ],
    ['a zero-width space', 'pay\u200bpal', 'pay\\u{200b}pal'],
    ['a joiner between Latin letters', 'pay\u200dpal', 'pay\\u{200d}pal'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['tag characters', 'a\u{e0061}\u{e0062}', 'a\\u{e0061}\\u{e0062}'],
    [
      'a word in tag characters behind a flag',
      '🏴\u{e0067}\u{e0062}\u{e0061}\u{e007f}',
      '🏴\\u{e0067}\\u{e0062}\\u{e0061}\\u{e007f}',
    ],
    ['variation selectors behind a letter', 'a\ufe0fb\u{e0100}', 'a\\u{fe0f}b\\u{e0100}'],
    ['a second variation selector behind an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{fe0f}'],
    ['a half of a surrogate pair', 'a\ud800b', 'a\\u{d800}b'],
    ['line separators of Unicode', 'a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['spaces that are none of the usual', 'a\u00a0b\u2003c\u3000d', 'a\\u{a0}b\\u{2003}c\\u{3000}d'],
    ['letters without ink', '\u3164\u115f\u2800', '\\u{3164}\\u{115f}\\u{2800}'],
    ['private characters', '\ue000', '\\u{e000}'],
  ])('%s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown)
    expect(hidesSomething(text)).toBe(true)
  })
})

describe('ordinary text stays as it is', () => {
  test.each([
    ['lines and tabs', 'a\n\tb\r\nc'],
    ['Arabic', 'السلام عليكم، ١٢٣ ﴿١﴾ \u06dd'],
    ['Hebrew with vowels', 'שָׁלוֹם עוֹלָם'],
    ['Persian with joiners', 'می\u200cخواهم'],
    ['Devanagari with joiners', 'क्\u200dष क्\u200cष हिन्दी'],
    ['Malayalam with a joiner at the end of a word', 'അവന്\u200d വന്നു'],
    ['Chinese, Japanese and Korean', '中文，日本語。한국어'],
    ['a Japanese name with its variant', '葛\u{e0100}城'],
    ['Thai, Greek, Cyrillic, accents', 'ภาษาไทย Ελληνικά Русский e\u0301'],
    [
      'emoji with joiners, skin tones and selectors',
      '👩\u200d👩\u200d👧 👍🏽 ❤\ufe0f\u200d🔥 🧑🏽\u200d🚀 🏳\ufe0f\u200d🌈',
    ],
    ['keycaps and flags', '1\ufe0f\u20e3 🇩🇪 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ])('%s', (_, text) => {
    expect(visible(text)).toEqual([text])
    expect(hidesSomething(text)).toBe(false)
  })

  test('keeps the spaces of good typography in prose, and only there', () => {
    expect(visibleText('10\u202f000\u00a0€', 'prose')).toBe('10\u202f000\u00a0€')
    expect(visibleText('a\u2003b', 'prose')).toBe('a\\u{2003}b')
  })
})

test('characters in a row become one mark', () => {
  expect(visible('a\u200b\u200c\u202eb\u0000')).toEqual([
    'a',
    { mark: '\\u{200b}\\u{200c}\\u{202e}' },
    'b',
    { mark: '\\u{0}' },
  ])
})

test('a mark is an element of its own with a hint', () => {
  const html = renderToStaticMarkup(<VisibleText text={'<b>\u202e'} />)
  expect(html).toMatch(/^&lt;b&gt;<span class="mark" title="[^"]+">\\u\{202e\}<\/span>$/)
})
