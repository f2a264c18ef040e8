import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoted } from '../../../src/stream/quoted.ts'
import type { Block, Inline } from '../../../web/src/text/markdown-tree.ts'
import { parseMarkdown } from '../../../web/src/text/parse-markdown.ts'

const PIECES = ['`', '``', '```', '~~~', ' ', '   ', '\t', '\n', '\n\n', '<b>', '![a](b)', '- ', '> ', '|', '\\', 'a']
const BLOCKS = ['\n```\n', '\n~~~\n', '\n   ```\n', '\n- ```\n', '\n|-|-|\n', '\n[x]: /u ', '# ', '1. ', '    ']

/** Everything in a document that is not code. */
function outsideCode(node: Block | Inline): string {
  if (node.type === 'code' || node.type === 'code-span') return ''
  if (node.type === 'image') return '<a picture>'
  if (node.type === 'table') return [node.head, ...node.rows].flat(2).map(outsideCode).join('')
  if ('children' in node) return node.children.map(outsideCode).join('')
  return 'text' in node ? node.text : ''
}

test('no text that somebody wrote is HTML or a picture to a reader of Markdown, however it plays with code', () => {
  const text = fc.array(fc.constantFrom(...PIECES, ...BLOCKS), { maxLength: 16 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (said) => {
      const document = quoted(said).replaceAll('&lt;', '')
      expect(parseMarkdown(document).map(outsideCode).join('')).not.toContain('<')
    }),
    { numRuns: 20_000 },
  )
})
