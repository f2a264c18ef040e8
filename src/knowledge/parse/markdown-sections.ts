import { headingOf, isUnderline, mayBeUnderlined, plainTitle } from './heading.ts'
import { wholeCharacters } from './split-paragraph.ts'

/**
 * What stands under one heading, the heading included; headings with nothing under them stand with the next one, and so
 * does the front matter.
 */
export interface Section {
  /** the path of headings; empty before the first one */
  readonly place: string
  readonly paragraphs: readonly string[]
}

export const MOST_PLACE_CHARS = 200
const BETWEEN_HEADINGS = ' › '
const FRONT_MATTER_CHARS = 5000

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** A Markdown text by its headings, in order; what looks like a heading inside of fenced code is none. */
export function markdownSections(text: string): Section[] {
  const sections = [newSection('')]
  const titles: string[] = []
  let paragraph: { readonly from: number; to: number; lines: number } | undefined
  let fence: string | undefined

  const endParagraph = (): void => {
    if (paragraph !== undefined) sections.at(-1)?.paragraphs.push(text.slice(paragraph.from, paragraph.to))
    paragraph = undefined
  }
  const beginSection = (level: number, title: string): void => {
    titles.splice(level - 1)
    while (titles.length < level - 1) titles.push('')
    titles.push(title)
    const bare = sections.at(-1)?.hasText === false ? sections.pop() : undefined
    sections.push(newSection(placeOf(titles), bare?.paragraphs))
  }

  const frontMatter = endOfFrontMatter(text)
  for (const { from, to } of linesOf(text)) {
    const line = text.slice(from, to)
    if (to <= frontMatter) {
      paragraph = { from: 0, to, lines: Infinity }
      continue
    }
    if (fence !== undefined) {
      if (endsFence(line, fence)) fence = undefined
      paragraph = { from: paragraph?.from ?? from, to, lines: (paragraph?.lines ?? 0) + 1 }
      continue
    }
    if (line.trim() === '') {
      endParagraph()
      continue
    }
    const heading = headingOf(line)
    if (heading !== undefined) {
      endParagraph()
      beginSection(heading.level, heading.title)
    } else if (paragraph?.lines === 1 && isUnderline(line)) {
      const title = text.slice(paragraph.from, paragraph.to)
      if (mayBeUnderlined(title)) beginSection(line.includes('=') ? 1 : 2, plainTitle(title))
    } else {
      fence = fenceOf(line)
      const section = sections.at(-1)
      if (section) section.hasText = true
    }
    paragraph = { from: paragraph?.from ?? from, to, lines: (paragraph?.lines ?? 0) + 1 }
  }
  endParagraph()
  return sections.filter(({ paragraphs }) => paragraphs.length > 0)
}

const newSection = (place: string, paragraphs: string[] = []) => ({ place, paragraphs, hasText: false })

/** A text without headings, by its blank lines. */
export function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  let start: number | undefined
  let end = 0
  for (const { from, to } of linesOf(text)) {
    const isBlank = text.slice(from, to).trim() === ''
    if (!isBlank) end = to
    if (isBlank && start !== undefined) paragraphs.push(text.slice(start, end))
    start = isBlank ? undefined : (start ?? from)
  }
  if (start !== undefined) paragraphs.push(text.slice(start, end))
  return paragraphs
}

function* linesOf(text: string): Generator<{ readonly from: number; readonly to: number }> {
  for (let from = 0; from <= text.length;) {
    const next = text.indexOf('\n', from)
    const to = next < 0 ? text.length : next
    yield { from, to }
    from = to + 1
  }
}

/** Where the lines between `---` at the very beginning end, which say what a text is about; 0 if there are none. */
function endOfFrontMatter(text: string): number {
  const lines = text.slice(0, FRONT_MATTER_CHARS).split('\n')
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, at) => at > 0 && (line.trimEnd() === '---' || line.trimEnd() === '...'))
  const all = lines.slice(0, end + 1)
  return all.some((line) => line.trim() === '') ? 0 : all.join('\n').length
}

function fenceOf(line: string): string | undefined {
  const fence = FENCE.exec(line)?.[1]
  // A backtick after the fence makes it code in a line.
  const isInLine = fence?.startsWith('`') === true && line.trimStart().slice(fence.length).includes('`')
  return isInLine ? undefined : fence
}

function endsFence(line: string, fence: string): boolean {
  const found = FENCE.exec(line)?.[1]
  return found?.startsWith(fence) === true && line.trim() === found
}

function placeOf(titles: readonly string[]): string {
  const place = titles.filter((title) => title !== '').join(BETWEEN_HEADINGS)
  if (place.length <= MOST_PLACE_CHARS) return place
  return `${place.slice(0, wholeCharacters(place, MOST_PLACE_CHARS - 1))}…`
}
