import Turndown from 'turndown'
import { withoutScripts } from './without-scripts.ts'

export interface Page {
  readonly html: string
  /** the URL it was fetched from */
  readonly base: string
  readonly as: 'markdown' | 'text'
}

/** The parts of an element that are used here. */
interface Element {
  readonly nodeName: string
  readonly textContent: string | null
  readonly parentNode: Element | null
  readonly firstElementChild: Element | null
  readonly previousElementSibling: Element | null
  readonly children: { readonly length: number }
  getAttribute(name: string): string | null
}

/** Far more than a model is shown. */
const MOST_CHARS = 1_000_000
/** More cannot be converted in time. */
const MOST_HTML_CHARS = 2_000_000
const NOT_SHOWN = new Set(
  'SCRIPT STYLE NOSCRIPT IFRAME TEMPLATE SVG CANVAS OBJECT EMBED AUDIO VIDEO META LINK DIALOG'.split(' '),
)
const HIDDEN_STYLE = /(?:^|;)(?:display:none|visibility:hidden)/i
const LINKS = ['http:', 'https:', 'mailto:']

/** What a reader of the page sees, with its title first and all links in full. */
export function pageText({ html, base, as }: Page): string {
  const seen: { title?: string; base: string } = { base }
  const turndown = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  })
  if (as === 'text') turndown.escape = (text) => text
  for (const [name, { filter, write }] of Object.entries(as === 'text' ? PLAIN_RULES : RULES(seen)))
    turndown.addRule(name, {
      filter: (node) => filter(node as Element),
      replacement: (text, node) => write(text, node as Element),
    })
  turndown
    .addRule('title', {
      // The title of an SVG is in lower case.
      filter: (node) => (node as Element).nodeName === 'TITLE',
      replacement: (_text, node) => {
        seen.title ??= oneLine((node as Element).textContent ?? '')
        return ''
      },
    })
    .addRule('base', {
      filter: ['base'],
      replacement: (_text, node) => {
        seen.base = absolute((node as Element).getAttribute('href'), base) ?? seen.base
        return ''
      },
    })
    .addRule('hidden', { filter: (node) => isHidden(node as Element), replacement: () => '' })
  const isLong = html.length > MOST_HTML_CHARS
  const text = turndown.turndown(isLong ? withoutScripts(html).slice(0, MOST_HTML_CHARS) : html).trim()
  const title = seen.title === undefined || seen.title === '' ? '' : `${as === 'text' ? '' : '# '}${seen.title}\n\n`
  return `${title}${text}`.slice(0, MOST_CHARS) + (isLong ? '\n\n[… the page may go on]' : '')
}

function isRows(element: Element | null): boolean {
  return element !== null && ['THEAD', 'TBODY', 'TFOOT'].includes(element.nodeName)
}

interface Rule {
  filter(element: Element): boolean
  write(text: string, element: Element): string
}

const named =
  (...names: readonly string[]) =>
  ({ nodeName }: Element): boolean =>
    names.includes(nodeName)

const RULES = (page: { readonly base: string }): Readonly<Record<string, Rule>> => ({
  link: {
    filter: named('A'),
    write: (text, element) => {
      const href = absolute(element.getAttribute('href'), page.base)
      const words = oneLine(text)
      return href === undefined || words === '' ? words : `[${words}](${href})`
    },
  },
  image: {
    filter: named('IMG'),
    write: (_text, element) => {
      const src = absolute(element.getAttribute('src'), page.base)
      const alt = oneLine(element.getAttribute('alt') ?? '').replaceAll(/[[\]]/g, '')
      return src === undefined ? alt : `![${alt}](${src})`
    },
  },
  cell: { filter: named('TD', 'TH'), write: (text) => ` ${oneLine(text).replaceAll('|', '\\|')} |` },
  row: { filter: named('TR'), write: (text, element) => `\n|${text}${headerLine(element)}` },
  rows: { filter: isRows, write: (text) => text },
  table: { filter: named('TABLE'), write: (text) => `\n\n${text.trim()}\n\n` },
})

const PLAIN_RULES: Readonly<Record<string, Rule>> = {
  inline: { filter: named('A', 'EM', 'I', 'STRONG', 'B', 'CODE'), write: (text) => text },
  heading: { filter: ({ nodeName }) => /^H[1-6]$/.test(nodeName), write: (text) => `\n\n${text}\n\n` },
  image: { filter: named('IMG'), write: (_text, element) => oneLine(element.getAttribute('alt') ?? '') },
  row: { filter: named('TR'), write: (text) => `\n${text.trim()}` },
  cell: { filter: named('TD', 'TH'), write: (text) => `${oneLine(text)}\t` },
}

/** The line below the first row of a Markdown table. */
function headerLine(row: Element): string {
  const rows = row.parentNode
  const isFirst = rows?.firstElementChild === row && !isRows(rows.previousElementSibling)
  return isFirst ? `\n|${' --- |'.repeat(row.children.length)}` : ''
}

function isHidden(element: Element): boolean {
  if (NOT_SHOWN.has(element.nodeName.toUpperCase())) return true
  if (element.getAttribute('hidden') !== null || element.getAttribute('aria-hidden') === 'true') return true
  return HIDDEN_STYLE.test((element.getAttribute('style') ?? '').replaceAll(/\s/g, ''))
}

/** Undefined for scripts, data and what is no URL. */
function absolute(href: string | null, base: string): string | undefined {
  const url = href === null ? null : URL.parse(href, base)
  if (url === null || !LINKS.includes(url.protocol)) return undefined
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29')
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
