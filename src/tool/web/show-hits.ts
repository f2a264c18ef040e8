import type { Hit } from './search/search-engine.ts'

const TITLE_CHARS = 200
const URL_CHARS = 2000
const DATE_CHARS = 40

/** The hits for a model to read, a page with a web address each. */
export function showHits(hits: readonly Hit[], count: number, hitChars: number): string {
  const pages = hits.flatMap((hit) => pageOf(hit, hitChars)).slice(0, count)
  return pages.length === 0 ? 'Nothing was found.' : pages.map((page, at) => `${at + 1}. ${page}`).join('\n\n')
}

function pageOf({ title, url, text, date }: Hit, hitChars: number): string[] {
  const href = typeof url === 'string' && url.length <= URL_CHARS ? URL.parse(url) : null
  if (href === null || !['http:', 'https:'].includes(href.protocol)) return []
  const lines = [plain(title, TITLE_CHARS) || href.hostname, href.href, plain(date, DATE_CHARS), plain(text, hitChars)]
  return [lines.filter((line) => line !== '').join('\n   ')]
}

/** One line without marks; engines mark words of the query even where they were asked not to. */
function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return ''
  const line = value
    .slice(0, most * 4)
    .replaceAll(/<\/?(?:strong|em|b|mark|span)>/gi, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}
