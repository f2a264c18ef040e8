import Turndown from 'turndown'

/** The parts of an element that are used here. */
interface Element {
  readonly nodeName: string
  getAttribute(name: string): string | null
}

/** Not shown, or no part of what the page says: the links of its menus would be found as a passage of their own. */
const LEFT_OUT = new Set(
  'HEAD SCRIPT STYLE NOSCRIPT IFRAME TEMPLATE SVG CANVAS OBJECT EMBED AUDIO VIDEO META LINK DIALOG TITLE NAV'.split(
    ' ',
  ),
)
const HIDDEN_STYLE = /(?:^|;)(?:display:none|visibility:hidden)/i
const LINK = /^(?:https?:|mailto:)/i
/** What text at the start of a line would be taken for a heading or a fence. */
const TAKEN_FOR_MARKDOWN = /^(?=#|===|---|```|~~~)/gm

/** What a reader of the page sees, as Markdown. Text is left as it is wherever it cannot be taken for a heading. */
export function htmlToMarkdown(html: string): string {
  if (html.trim() === '') return ''
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '* * *' })
  turndown.escape = (text) => text.replaceAll(TAKEN_FOR_MARKDOWN, '\\')
  const rule = (name: string, filter: (element: Element) => boolean, write: (text: string, one: Element) => string) =>
    turndown.addRule(name, {
      filter: (node) => filter(node as Element),
      replacement: (text, node) => write(text, node as Element),
    })
  const named =
    (...names: readonly string[]) =>
    ({ nodeName }: Element): boolean =>
      names.includes(nodeName)
  rule('link', named('A'), (text, element) => {
    const href = element.getAttribute('href') ?? ''
    const words = oneLine(text)
    return LINK.test(href) && words !== '' ? `[${words}](${href})` : words
  })
  rule('image', named('IMG'), (_text, element) => oneLine(element.getAttribute('alt') ?? ''))
  rule('cell', named('TD', 'TH'), (text) => ` ${oneLine(text)} |`)
  rule('row', named('TR'), (text) => `\n|${text}`)
  rule('rows', named('THEAD', 'TBODY', 'TFOOT'), (text) => text)
  rule('table', named('TABLE'), (text) => `\n\n${text.trim()}\n\n`)
  rule('hidden', isHidden, () => '')
  return turndown.turndown(html)
}

function isHidden(element: Element): boolean {
  if (LEFT_OUT.has(element.nodeName.toUpperCase()) || element.getAttribute('hidden') !== null) return true
  return HIDDEN_STYLE.test((element.getAttribute('style') ?? '').replaceAll(/\s/g, ''))
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
