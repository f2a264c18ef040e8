import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Source } from '../../contract/message.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { Meta } from './read-part.ts'

/** A file that a model made, as it came. */
export interface Made {
  readonly mediaType: string
  readonly data: Uint8Array
  readonly meta?: Meta
}

const MOST_SOURCES = 100
const MOST_URL_CHARS = 2000
const MOST_TITLE_CHARS = 300
const MOST_TYPE_CHARS = 100
/** of all files of one answer, encoded or not */
const MOST_FILE_CHARS = 64_000_000

type SourcePart = Extract<LanguageModelV4StreamPart, { type: 'source' }>
type FilePart = Extract<LanguageModelV4StreamPart, { type: 'file' }>

/** What an answer comes with besides words and calls: sources, each once, and files. */
export function takeExtras() {
  const sources: Source[] = []
  const files: Made[] = []
  const seen = new Set<string>()
  let chars = 0

  function cite(source: Source): void {
    const key = JSON.stringify(source)
    if (sources.length >= MOST_SOURCES || seen.has(key)) return
    seen.add(key)
    sources.push(source)
  }

  function citePage(url: unknown, title?: unknown): void {
    const page = typeof url === 'string' ? pageUrl(url) : undefined
    if (page !== undefined) cite({ url: page, ...titled(typeof title === 'string' ? title : undefined) })
  }

  return {
    sources,
    files,
    /** Sources that packages leave out: a list of addresses, as xAI sends it, or annotations, as OpenRouter does. */
    raw(chunk: unknown): void {
      if (!isObject(chunk)) return
      for (const url of listIn(chunk, 'citations')) citePage(url)
      for (const choice of listIn(chunk, 'choices'))
        for (const note of isObject(choice) ? listIn(choice['delta'], 'annotations') : []) {
          const cited = isObject(note) ? note['url_citation'] : undefined
          if (isObject(cited)) citePage(cited['url'], cited['title'])
        }
    },
    source(part: SourcePart): void {
      if (part.sourceType === 'url') return citePage(part.url, part.title)
      cite({ ...titled(part.title), mediaType: part.mediaType.slice(0, MOST_TYPE_CHARS) })
    },
    file({ mediaType, data, providerMetadata: meta }: FilePart): void {
      // What is elsewhere is only named; nothing is fetched that nobody asked for.
      if (data.type === 'url') {
        const url = pageUrl(String(data.url))
        if (url !== undefined) cite({ url, mediaType: mediaType.slice(0, MOST_TYPE_CHARS) })
        return
      }
      chars += data.data.length
      if (chars > MOST_FILE_CHARS) return
      const bytes = typeof data.data === 'string' ? Buffer.from(data.data, 'base64') : data.data
      files.push({ mediaType, data: bytes, ...(meta && { meta }) })
    },
  }
}

const listIn = (value: unknown, name: string): readonly unknown[] =>
  isObject(value) && Array.isArray(value[name]) ? (value[name] as unknown[]).slice(0, MOST_SOURCES) : []

function titled(title: string | undefined): { title?: string } {
  const words = title?.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_TITLE_CHARS).toWellFormed()
  return words ? { title: words } : {}
}

/** An address that a person can open; others, such as `javascript:`, are no source. */
function pageUrl(url: string): string | undefined {
  const parsed = url.length <= MOST_URL_CHARS ? URL.parse(url) : null
  return parsed && ['http:', 'https:'].includes(parsed.protocol) ? parsed.href : undefined
}
