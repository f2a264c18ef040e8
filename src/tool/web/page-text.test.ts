import { expect, test } from 'vitest'
import { pageText } from './page-text.ts'

const markdown = (html: string): string => pageText({ html, base: 'https://example.com/dir/page?x=1', as: 'markdown' })
const plain = (html: string): string => pageText({ html, base: 'https://example.com/', as: 'text' })

test('begins with the title, and reads what a reader sees', () => {
  const html =
    '<!doctype html><html><head><title> A &amp;\n B </title><meta name=x></head><body><h2>Part</h2><p>Some <em>words</em>' +
    '<pre><code>let x\n</code></pre><ul><li>one<li>two</ul></body></html>'
  expect(markdown(html)).toBe('# A & B\n\n## Part\n\nSome *words*\n\n```\nlet x\n```\n\n-   one\n-   two')
})

test.each([
  '<script>secret</script>',
  '<style>secret</style>',
  '<noscript>secret</noscript>',
  '<iframe src="https://x">secret</iframe>',
  '<template><p>secret</template>',
  '<svg><title>secret</title><text>secret</text></svg>',
  '<p hidden>secret</p>',
  '<div style="color:red; DISPLAY : none"><p>secret</div>',
  '<span style="visibility:hidden">secret</span>',
  '<h1 aria-hidden="true">secret</h1>',
  '<a href="https://x" hidden>secret</a>',
  '<!-- secret -->',
])('leaves out what is not shown: %s', (html) => {
  expect(markdown(`before${html}after`).replaceAll(/\s/g, '')).toBe('beforeafter')
  expect(plain(`before${html}after`).replaceAll(/\s/g, '')).toBe('beforeafter')
})

test('makes links absolute, and drops those that lead nowhere', () => {
  const html =
    '<a href="../up">up</a> <a href="/a(b)">root</a> <a href="//other.org/x">other</a> <a href="javascript:alert(1)">js</a> ' +
    '<a href="data:text/html,x">data</a> <a href="http://[bad">bad</a> <a href="#here">here</a> <img src="i.png" alt="an [image]"> ' +
    '<img src="data:image/png;base64,AAAA" alt="inline">'
  expect(markdown(html)).toBe(
    '[up](https://example.com/up) [root](https://example.com/a%28b%29) [other](https://other.org/x) js data bad ' +
      '[here](https://example.com/dir/page?x=1#here) ![an image](https://example.com/dir/i.png) inline',
  )
  expect(markdown('<base href="https://cdn.org/x/"><a href="y">z</a>')).toBe('[z](https://cdn.org/x/y)')
})

test('a link cannot break out of its line', () => {
  expect(markdown('<a href="/x">one<br>\n<p>two</p></a>')).toBe('[one two](https://example.com/x)')
})

test('keeps tables as tables', () => {
  const html = '<table><caption>c</caption><thead><tr><th>a<th>b|c</thead><tbody><tr><td>1<td><p>2</p><p>3</p></table>'
  expect(markdown(html)).toBe('c\n| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |')
})

test('as text has the words only', () => {
  expect(plain('<title>T</title><h1>H</h1><p>a <b>b</b> <a href="/x">l*nk</a> <img alt="pic" src="x">')).toBe(
    'T\n\nH\n\na b l*nk pic',
  )
})

test('a page that is mostly scripts still shows its text', () => {
  expect(markdown(`<script>${'x = 1;'.repeat(500_000)}</script><p>words</p>`)).toBe('words\n\n[… the page may go on]')
})
