import { describe, expect, test } from 'vitest'
import type { Block, Inline } from './markdown-tree.ts'
import { parseMarkdown } from './parse-markdown.ts'

/** A tree in few characters: `p(…)`, `em(…)`, `ul(li(…))`. */
function sketch(blocks: Block[]): string {
  return blocks.map(sketchBlock).join(' ')
}

function sketchBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `p(${sketchInlines(block.children)})`
    case 'heading':
      return `h${block.level}(${sketchInlines(block.children)})`
    case 'code':
      return `code${block.info === '' ? '' : `:${block.info}`}(${block.text})`
    case 'rule':
      return 'hr'
    case 'quote':
      return `quote(${sketch(block.children)})`
    case 'list':
      return `${block.start === undefined ? 'ul' : `ol:${block.start}`}${block.loose ? '+' : ''}(${sketch(block.children)})`
    case 'item':
      return `li${block.done === undefined ? '' : `:${block.done}`}(${sketch(block.children)})`
    case 'table':
      return `table:${block.align.join(',')}(${[block.head, ...block.rows]
        .map((row) => row.map(sketchInlines).join('|'))
        .join(' / ')})`
  }
}

function sketchInlines(inlines: Inline[]): string {
  return inlines
    .map((one) => {
      switch (one.type) {
        case 'text':
          return one.text
        case 'code-span':
          return `code(${one.text})`
        case 'em':
        case 'strong':
        case 'strike':
          return `${one.type}(${sketchInlines(one.children)})`
        case 'link':
          return `a:${one.target}${one.title === '' ? '' : `:${one.title}`}(${sketchInlines(one.children)})`
        case 'image':
          return `img:${one.target}${one.title === '' ? '' : `:${one.title}`}(${one.alt})`
        case 'break':
          return 'br'
      }
    })
    .join('')
}

function cases(rows: [string, string][]): void {
  test.each(rows)('%j', (text, tree) => expect(sketch(parseMarkdown(text))).toBe(tree))
}

describe('headings, rules and paragraphs', () => {
  cases([
    ['', ''],
    ['a\nb\n\n\nc', 'p(a\nb) p(c)'],
    ['# a\n###### b\n####### c', 'h1(a) h6(b) p(####### c)'],
    ['#a', 'p(#a)'],
    ['# a #\n## b# \n### ###', 'h1(a) h2(b#) h3()'],
    ['a\n===\nb\n--', 'h1(a) h2(b)'],
    ['a\n-', 'p(a\n-)'],
    ['---\n* * *\n___', 'hr hr hr'],
    ['a\n***\nb', 'p(a) hr p(b)'],
    ['a\r\nb\r\n\r\n# c\r\n', 'p(a\nb) h1(c)'],
    ['\ufeff', 'p(\ufeff)'],
  ])
})

describe('code', () => {
  cases([
    ['```ts\na\n\n  b\n```\nc', 'code:ts(a\n\n  b) p(c)'],
    ['~~~~\n```\n~~~\n~~~~', 'code(```\n~~~)'],
    ['```\nopen\n', 'code(open)'],
    ['```', 'code()'],
    ['``` a`b', 'p(``` a`b)'],
    ['  ```\n   a\n b\n  ```', 'code( a\nb)'],
    ['```\n\ta\n```', 'code(\ta)'],
    ['a\n```\nb\n```', 'p(a) code(b)'],
    ['    a\n\n\n      b\n\nc', 'code(a\n\n\n  b) p(c)'],
    ['a\n    b', 'p(a\nb)'],
    ['\ta', 'code(a)'],
  ])
})

describe('lists', () => {
  cases([
    ['- a\n- b', 'ul(li(p(a)) li(p(b)))'],
    ['- a\n\n- b', 'ul+(li(p(a)) li(p(b)))'],
    ['- a\n  - b\n    - c\n- d', 'ul(li(p(a) ul(li(p(b) ul(li(p(c)))))) li(p(d)))'],
    ['1. a\n   - b\n2. c', 'ol:1(li(p(a) ul(li(p(b)))) li(p(c)))'],
    ['7) a\n8) b', 'ol:7(li(p(a)) li(p(b)))'],
    ['1. a\n1) b', 'ol:1(li(p(a))) ol:1(li(p(b)))'],
    ['- a\n* b', 'ul(li(p(a))) ul(li(p(b)))'],
    ['- a\n\n  b', 'ul+(li(p(a) p(b)))'],
    ['- a\nb', 'ul(li(p(a\nb)))'],
    ['- a\n\nb', 'ul(li(p(a))) p(b)'],
    ['-\n  a', 'ul(li(p(a)))'],
    ['-\n\n  a', 'ul(li()) p(a)'],
    ['- a\n  - b\n\n- c', 'ul+(li(p(a) ul(li(p(b)))) li(p(c)))'],
    ['- a\n  > b\n  >\n- c', 'ul(li(p(a) quote(p(b))) li(p(c)))'],
    ['- ```\n  a\n\n  b\n  ```\n- c', 'ul(li(code(a\n\nb)) li(p(c)))'],
    ['-\ta\n\n\tb', 'ul+(li(p(a) p(b)))'],
    ['-     a', 'ul(li(code(a)))'],
    ['a\n- b', 'p(a) ul(li(p(b)))'],
    ['in\n1985. was', 'p(in\n1985. was)'],
    ['in\n1. was', 'p(in) ol:1(li(p(was)))'],
    ['1234567890. a', 'p(1234567890. a)'],
    ['-a', 'p(-a)'],
    ['- [ ] a\n- [x] b\n- [X]\n- [y] c', 'ul(li:false(p(a)) li:true(p(b)) li(p([X])) li(p([y] c)))'],
    ['- # a\n- b\n  ===', 'ul(li(h1(a)) li(h1(b)))'],
  ])
})

describe('quotes', () => {
  cases([
    ['> a\n> b', 'quote(p(a\nb))'],
    ['>a\nb', 'quote(p(a\nb))'],
    ['> a\n\n> b', 'quote(p(a)) quote(p(b))'],
    ['> > a\n> b', 'quote(quote(p(a\nb)))'],
    ['> - a\n>\n>   b', 'quote(ul+(li(p(a) p(b))))'],
    ['> ```\n> a\nb', 'quote(code(a)) p(b)'],
    ['> a\n---', 'quote(p(a)) hr'],
    ['>\ta', 'quote(p(a))'],
  ])
})

describe('tables', () => {
  cases([
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'table:,(a|b / 1|2)'],
    ['a | b | c\n:-- | :-: | --:\n1 | *2*', 'table:left,center,right(a|b|c / 1|em(2))'],
    ['x\n| a |\n|---|\n| 1 | 2 |\nend', 'p(x) table:(a / 1|2) p(end)'],
    ['| a | b |\n|---|', 'p(| a | b |\n|---|)'],
    ['| a \\| b | `c \\| d` |\n|-|-|', 'table:,(a | b|code(c | d))'],
    ['| a |\n|-|\n| b<br>c<br/>d |', 'table:(a / bbrcbrd)'],
    ['a<br>b', 'p(a<br>b)'],
    ['| a |\n|-|\n| b |\n\n| c |', 'table:(a / b) p(| c |)'],
    ['- | a |\n  |---|\n  | b |', 'ul(li(table:(a / b)))'],
  ])
})

describe('styles', () => {
  cases([
    ['*a* _b_ **c** __d__ ~~e~~', 'p(em(a) em(b) strong(c) strong(d) strike(e))'],
    ['***a*** **a *b* c** *a **b** c*', 'p(em(strong(a)) strong(a em(b) c) em(a strong(b) c))'],
    ['***a** b* ***a* b**', 'p(em(strong(a) b) strong(em(a) b))'],
    ['snake_case_name a*b*c', 'p(snake_case_name aem(b)c)'],
    ['* a* 2 * 3 ** 4', 'ul(li(p(a* 2 * 3 ** 4)))'],
    ['**open and *open', 'p(**open and *open)'],
    ['**a*', 'p(*em(a))'],
    ['*a **b*', 'p(*a *em(b))'],
    ['*a ~~b* c~~', 'p(em(a ~~b) c~~)'],
    ['about ~5 and ~6, ~~~7~~~ ', 'p(about ~5 and ~6, ~~~7~~~)'],
    ['**中文（a）**文字**「b」**も', 'p(strong(中文（a）)文字strong(「b」)も)'],
    ['**"a"**b', 'p(**"a"**b)'],
    ['*******a*******', 'p(*******a*******)'],
    ['\\*a\\* \\a \\\\', 'p(*a* \\a \\)'],
  ])
})

describe('code spans, breaks and entities', () => {
  cases([
    ['`a` ``b`c`` ` d `', 'p(code(a) code(b`c) code(d))'],
    ['`` ` ``', 'p(code(`))'],
    ['`open ``also', 'p(`open ``also)'],
    ['`a\nb` `*c*` `\\`', 'p(code(a b) code(*c*) code(\\))'],
    ['\\`a`', 'p(`a`)'],
    ['a  \nb\\\nc\nd', 'p(abrbbrc\nd)'],
    [
      '&amp; &lt;b&gt; &#65;&#x42; &#0; &#xd800; &nope; &constructor; &',
      'p(& <b> AB \ufffd \ufffd &nope; &constructor; &)',
    ],
    ['&#42;a&#42;', 'p(*a*)'],
  ])
})

describe('links and images', () => {
  cases([
    ['[a](https://b.example)', 'p(a:https://b.example(a))'],
    ['[a](<b c> \'d\') [e](f "g\\"h") [i](j (k))', 'p(a:b c:d(a) a:f:g"h(e) a:j:k(i))'],
    ['[a](b(c(d))e) [f]()', 'p(a:b(c(d))e(a) a:(f))'],
    ['[a *b `]` c*](d)', 'p(a:d(a em(b code(]) c)))'],
    ['*[a*](b)', 'p(*a:b(a*))'],
    ['[a [b](c) d](e)', 'p([a a:c(b) d](e))'],
    ['[![a *b*](c)](d)', 'p(a:d(img:c(a b)))'],
    ['![a [b](c)](d "e")', 'p(img:d:e(a b))'],
    ['[a] (b) [a][b] [a](b', 'p([a] (b) [a][b] [a](b)'],
    ['\\[a](b) !\\[a](b)', 'p([a](b) ![a](b))'],
    ['[a](b&amp;c\\)d)', 'p(a:b&c)d(a))'],
    [
      '<https://a.b/c> <d@e.example> <f g> <h:i>',
      'p(a:https://a.b/c(https://a.b/c) a:mailto:d@e.example(d@e.example) <f g> <h:i>)',
    ],
    ['see https://a.b/c_d?e=f&g. ok', 'p(see a:https://a.b/c_d?e=f&g(https://a.b/c_d?e=f&g). ok)'],
    ['(https://a.b/c_(d)) "www.e.f"', 'p((a:https://a.b/c_(d)(https://a.b/c_(d))) "a:https://www.e.f(www.e.f)")'],
    [
      '**https://a.b** [https://c.d] xhttps://e.f http:// www.',
      'p(strong(a:https://a.b(https://a.b)) [a:https://c.d(https://c.d)] xhttps://e.f http:// www.)',
    ],
    ['[https://a.b](https://c.d)', 'p(a:https://c.d(https://a.b))'],
    ['見てhttps://a.b。次', 'p(見てhttps://a.b。次)'],
    ['見て https://a.b。次', 'p(見て a:https://a.b(https://a.b)。次)'],
  ])
})

test('nesting deeper than anybody writes is text', () => {
  const depth = (blocks: Block[]): number =>
    Math.max(0, ...blocks.map((block) => ('children' in block ? 1 + depth(block.children as Block[]) : 1)))
  expect(depth(parseMarkdown('>'.repeat(10_000)))).toBeLessThan(60)
  expect(depth(parseMarkdown('- '.repeat(10_000) + 'a'))).toBeLessThan(60)
  expect(depth(parseMarkdown('*a **b '.repeat(5_000) + 'c** d*'.repeat(5_000)))).toBeLessThan(60)
  expect(depth(parseMarkdown('!['.repeat(5_000) + '](a)'.repeat(5_000)))).toBeLessThan(60)
})
