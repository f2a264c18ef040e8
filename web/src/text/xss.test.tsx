import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Shown } from '../../../src/contract/shown.ts'
import { Sources } from '../conversation/sources.tsx'
import { AskShown } from '../conversation/ask-shown.tsx'
import { Markdown, StreamingMarkdown } from './markdown.tsx'
import { createMarkdownStream } from './parse-markdown.ts'
import { safeLink } from './safe-link.ts'
import { UNSAFE_TARGETS, XSS_CORPUS } from './xss-corpus.suite.ts'

const ELEMENTS = new Set(
  'div p span h3 h4 h5 h6 pre code button hr blockquote ul ol li table thead tbody tr th td em strong del a br bdi mark svg path'.split(
    ' ',
  ),
)
const DRAWN = 'width height viewBox focusable d aria-hidden'
const ATTRIBUTES = new Set(
  `class dir href title rel target role aria-label aria-expanded tabindex type start scope ${DRAWN}`.split(' '),
)

/** Reads what React wrote, tag by tag; React escapes `<`, `>` and quotes everywhere else. */
function tagsOf(html: string): { name: string; attributes: [string, string][] }[] {
  return [...html.matchAll(/<(\/?)([^\s>]*)([^>]*)>/g)].map(([, , name = '', rest = '']) => ({
    name,
    attributes: [...rest.matchAll(/\s([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, value]),
  }))
}

/** All that is wrong with what was drawn. */
function findings(html: string): string[] {
  return tagsOf(html).flatMap(({ name, attributes }) => [
    ...(ELEMENTS.has(name.replace(/\/$/, '')) ? [] : [`element ${name}`]),
    ...attributes.flatMap(([key, value]) => [
      ...(ATTRIBUTES.has(key) || key === '/' ? [] : [`attribute ${key} of ${name}`]),
      ...(key !== 'href' || /^(?:https?:\/\/[^@/?#]+(?:[/?#]|$)|mailto:[^?]+$)/.test(value)
        ? []
        : [`address ${value}`]),
    ]),
  ])
}

test('the corpus has at least 120 texts of its own and no text twice', () => {
  expect(XSS_CORPUS.length).toBeGreaterThanOrEqual(120)
  expect(new Set(XSS_CORPUS).size).toBe(XSS_CORPUS.length)
})

test('the check would see a script, a handler, a source and a bad address', () => {
  expect(findings('<div><script>x</script></div>')).not.toEqual([])
  expect(findings('<p onclick="x">')).not.toEqual([])
  expect(findings('<a src="x">')).not.toEqual([])
  expect(findings('<a href="javascript:x">')).not.toEqual([])
  expect(findings('<a href="https://a@b/">')).not.toEqual([])
  expect(findings('<a href="https://a/b@c">')).toEqual([])
})

describe('nothing in the corpus becomes more than text and safe links', () => {
  test('as a message', () => {
    for (const text of XSS_CORPUS) expect(findings(renderToStaticMarkup(<Markdown text={text} />)), text).toEqual([])
  })

  test.each([
    ['heading', (text: string) => `# ${text}`],
    ['item', (text: string) => `- ${text}`],
    ['quote', (text: string) => `> ${text}`],
    ['cell', (text: string) => `| a | b |\n|---|---|\n| ${text} | c |`],
    ['language of code', (text: string) => `~~~${text}\ncode`],
    ['text of a link', (text: string) => `[${text}](https://bank.example)`],
    ['words for an image', (text: string) => `![${text}](https://bank.example)`],
    ['title of a link', (text: string) => `[a](https://bank.example "${text}")`],
    ['path of a link', (text: string) => `[a](https://bank.example/${text})`],
    ['host of a link', (text: string) => `[a](https://${text})`],
  ])('as the %s', (_, around) => {
    for (const text of XSS_CORPUS) {
      expect(findings(renderToStaticMarkup(<Markdown text={around(text)} />)), text).toEqual([])
    }
  })

  test('at no moment of being written', () => {
    for (const text of XSS_CORPUS.slice(0, 150)) {
      const stream = createMarkdownStream()
      for (const char of text) {
        const blocks = stream.append(char)
        expect(findings(renderToStaticMarkup(<StreamingMarkdown blocks={blocks} />)), text).toEqual([])
      }
    }
  })
})

test('nothing in the corpus becomes more than text as what an answer refers to', () => {
  for (const text of [...XSS_CORPUS, ...UNSAFE_TARGETS]) {
    const sources = [{ url: text, title: text }, { url: text }, { url: 'https://bank.example/', title: text }]
    expect(findings(renderToStaticMarkup(<Sources sources={sources} />)), text).toEqual([])
  }
})

test('no target of the corpus may be clicked', () => {
  for (const target of UNSAFE_TARGETS) expect(safeLink(target), target).toBeUndefined()
})

test('links that lie about their host say the real one', () => {
  const lying = XSS_CORPUS.filter((text) =>
    /^\[[^\]]*[.\u3002]example[^\]]*\]\((?:https:\/\/|mailto:)[^)]*\)$/u.test(text),
  )
  expect(lying.length).toBeGreaterThan(5)
  for (const text of lying) expect(renderToStaticMarkup(<Markdown text={text} />), text).toContain('md-misleads')
})

const OWN_ICON = /<use href="#icon-[a-z]+"><\/use>/g

describe('nothing in the corpus becomes more than text on a card that asks', () => {
  const shapes: Readonly<Record<string, (text: string) => Shown>> = {
    'a new file': (text) => ({ kind: 'file', path: text, text, note: text }),
    'a file that changes': (text) => ({
      kind: 'file',
      path: text,
      text,
      diff: `@@ -1 +1 @@\n-${text}\n+${text}\n ${text}`,
    }),
    'a command': (text) => ({
      kind: 'command',
      text,
      dangers: [
        { from: 0, to: 3, why: text },
        { from: 5, to: text.length, why: text },
      ],
    }),
    'a table': (text) => ({ kind: 'fields', rows: [{ name: text, value: text }] }),
  }
  test.each(Object.keys(shapes))('%s', (shape) => {
    for (const text of [...XSS_CORPUS, '\u202eevorppa\u202c', 'a\u2066b\u2069', 'zero\u200bwidth']) {
      const shown = shapes[shape]?.(text)
      if (!shown) throw new Error(shape)
      const html = renderToStaticMarkup(<AskShown tool="a" shown={shown} args={text} />)
      expect(findings(html.replaceAll(OWN_ICON, '')), text).toEqual([])
      expect(html, text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/)
    }
  })
})
