import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown, StreamingMarkdown } from './markdown.tsx'
import { parseMarkdown } from './parse-markdown.ts'

const html = (text: string): string => renderToStaticMarkup(<Markdown text={text} />)
const inside = (text: string): string => html(text).replace(/^<div class="md">(.*)<\/div>$/s, '$1')

describe('links', () => {
  test('open elsewhere and tell the other page nothing', () => {
    expect(inside('[a](https://bank.example/x "hint")')).toBe(
      '<p dir="auto"><a href="https://bank.example/x" title="hint – https://bank.example/x"' +
        ' rel="noopener noreferrer nofollow" target="_blank">a</a></p>',
    )
  })

  test.each([
    ['[https://bank.example](https://evil.example)', 'evil.example'],
    ['[bank.example/evil.example](https://evil.example/bank.example)', 'evil.example'],
    ['[log in at www.bank.example now](https://evil.example)', 'evil.example'],
    ['[bank\u3002example](https://evil.example)', 'evil.example'],
    ['[bank\u200b.example](https://evil.example)', 'evil.example'],
    ['[10.0.0.1](https://evil.example:8443)', 'evil.example:8443'],
    ['[b\u0430nk.example](https://b\u0430nk.example)', 'xn--bnk-6cd.example'],
    ['https://b\u0430nk.example/', 'xn--bnk-6cd.example'],
    ['[help@bank.example](mailto:help@evil.example)', 'help@evil.example'],
    ['[help@bank.example](https://evil.example)', 'evil.example'],
  ])('%s says where it really goes', (text, place) => {
    expect(html(text)).toContain(`<span class="md-aside md-misleads"> (<bdi>${place}</bdi>)</span>`)
  })

  test.each([
    '[the docs](https://bank.example)',
    '[bank.example](https://bank.example/a?b=c.d)',
    '[www.bank.example](https://bank.example)',
    '[https://Bank.example/a/file.html](https://bank.example/a/file.html)',
    'see https://bank.example/a/file.html.',
    '[help@bank.example](mailto:help@bank.example)',
    '[version 2.5](https://bank.example)',
  ])('%s needs no such hint', (text) => {
    expect(html(text)).toContain('<a ')
    expect(html(text)).not.toContain('md-misleads')
  })

  test('to anything else are text with the target beside it', () => {
    expect(inside('[a](docs/x.md)')).toBe('<p dir="auto">a<span class="md-aside"> (<bdi>docs/x.md</bdi>)</span></p>')
    expect(inside('<javascript:alert(1)>')).toBe('<p dir="auto">&lt;javascript:alert(1)&gt;</p>')
  })

  test('to a mail address carry nothing but the address', () => {
    expect(html('[write](mailto:a@bank.example?bcc=b@evil.example)')).toContain('href="mailto:a@bank.example"')
  })

  test('without a text show their target', () => {
    expect(html('[](https://bank.example/x)')).toContain('>https://bank.example/x</a>')
  })
})

describe('images', () => {
  test('are a chip with a link, and never load', () => {
    expect(inside('![a cat](https://bank.example/cat.png)')).toBe(
      '<p dir="auto"><span class="md-image" title="https://bank.example/cat.png">image: <a href="https://bank.example/cat.png"' +
        ' title="https://bank.example/cat.png" rel="noopener noreferrer nofollow" target="_blank">a cat</a>' +
        '<span class="md-aside"> (<bdi>bank.example</bdi>)</span></span></p>',
    )
  })

  test('inside of a link are not links themselves, nor name another host', () => {
    const shown = html('[![badge](https://a.example/b.svg)](https://c.example)')
    expect(shown.match(/<a /g)).toHaveLength(1)
    expect(shown.replaceAll(/<[^>]*>/g, '')).toBe('image: badge')
  })

  test('from nowhere safe show the beginning of their source', () => {
    expect(html(`![x](data:image/png;base64,${'A'.repeat(5_000)})`).length).toBeLessThan(400)
  })
})

describe('blocks', () => {
  test('headings begin at the third level', () => {
    expect(inside('# a\n## b\n### c\n#### d\n##### e\n###### f').match(/<h\d/g)).toEqual(
      ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'].map((tag) => `<${tag}`),
    )
  })

  test('code has its language, a button to copy it, and its text unchanged', () => {
    const shown = html('```ts title="a.ts"\nif (a < b) {\n\treturn `x`\n}\n```')
    expect(shown).toContain('ts title=&quot;a.ts&quot;')
    expect(shown).toContain('<button type="button" class="md-copy"')
    expect(shown).toContain('<code>if (a &lt; b) {\n\treturn `x`\n}</code>')
  })

  test('long code is drawn in parts and stays whole', () => {
    const code = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n')
    expect(html(`~~~\n${code}\n~~~`)).toContain(`<code>${code}</code>`)
  })

  test('a table has a box of its own and aligned columns', () => {
    const shown = inside('| a | b |\n|:-:|--:|\n| 1 | 2 | 3 |')
    expect(shown).toMatch(/^<div class="md-table"[^>]*><table><thead><tr><th [^>]*class="md-center">a<\/th>/)
    expect(shown).toMatch(/<td [^>]*class="md-right">2<\/td><td dir="auto">3<\/td>/)
  })

  test('a tight list has lines, a loose one paragraphs, a task its box', () => {
    expect(inside('- a\n- b')).toBe(
      '<ul dir="auto"><li><span class="md-line">a</span></li><li><span class="md-line">b</span></li></ul>',
    )
    expect(inside('3. a\n\n4. b')).toBe('<ol dir="auto" start="3"><li><p>a</p></li><li><p>b</p></li></ol>')
    expect(inside('- [x] a')).toContain('<span class="md-box" role="img" aria-label="done">☑</span>')
  })

  test('raw markup is text', () => {
    expect(inside('<b onclick="x">bold</b>')).toBe('<p dir="auto">&lt;b onclick=&quot;x&quot;&gt;bold&lt;/b&gt;</p>')
  })

  test('hidden characters are marks in text, code, hosts and hints', () => {
    for (const text of ['a\u202eb', '`a\u202eb`', '```\na\u202eb\n```', '```a\u202eb\nx\n```', '&#x202e;']) {
      expect(html(text)).toContain('<span class="mark"')
    }
    expect(html('[a](https://bank.example "b\u202ec")')).toContain('title="b\\u{202e}c – ')
  })

  test('blocks that came in a stream look the same as the text at once', () => {
    const text = '# a\n\n- b\n  1. c\n\n> d'
    expect(renderToStaticMarkup(<StreamingMarkdown blocks={parseMarkdown(text)} />)).toBe(html(text))
  })
})
