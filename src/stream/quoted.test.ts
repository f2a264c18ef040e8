import { expect, test } from 'vitest'
import { quoted } from './quoted.ts'

test('HTML is shown and pictures are links, whatever stands before them', () => {
  expect(quoted('<h2>User</h2>')).toBe('> &lt;h2>User&lt;/h2>\n')
  expect(quoted('see ![me](https://a.example/x.png)')).toBe('> see &#33;[me](https://a.example/x.png)\n')
  expect(quoted('\\<b>\\![x](y)')).toBe('> \\&lt;b>\\&#33;[x](y)\n')
})

test.each([
  ['a block', '```ts\nMap<string>\n```'],
  ['a block of waves', '~~~\n```\n<b>\n~~~'],
  ['a block that never ends', '```\n<b>\n\n<i>'],
  ['a longer block', '````\n```\n<b>\n````'],
  ['a span', 'a `Map<string>` and `` ` <b> `` here'],
])('code stays as it is: %s', (_, text) => {
  expect(quoted(text)).toBe(`${text.replaceAll(/^/gm, '> ')}\n`)
})

test.each([
  ['after a block', '```\n```\n<b>'],
  ['after a block that began further in', ' ```\nx\n```\n<b>'],
  ['after a block that ended further in', '```\n  ```\n<b>'],
  ['after a mark that is too far in to end a block', '```\n    ```\n```\n<b>'],
  ['after a block ended by a mark behind a tab', '```\n\t```\n<b>'],
  ['after a block in a list', '- a\n  ```\n<b>'],
  ['after a block in a quote', '> ```\n<b>'],
  ['in what looks like a span, with a mark in the line before', 'a ` b\nc ` <b> ` d'],
  ['in what looks like a span, after an escaped mark', '\\` <b> `'],
  ['in what looks like a span, in two cells', '| ` | <b> ` |\n|---|---|'],
  ['between marks of different length', '`` <b> `'],
])('HTML is shown %s', (_, text) => {
  expect(quoted(text)).toContain('&lt;b>')
})
