import { addressOf, recordsIn } from './read-answer.ts'
import type { EngineAddress, SearchEngine } from './search-engine.ts'

export function searxng({ url = '' }: EngineAddress): SearchEngine {
  return {
    name: 'SearXNG',
    request({ text, within }) {
      const at = addressOf(url, '/search')
      at.search = new URLSearchParams({ q: text, format: 'json', ...(within && { time_range: within }) }).toString()
      return { url: at, init: { headers: { accept: 'application/json' } } }
    },
    hits: (answer) =>
      recordsIn(answer, 'results')?.map(({ title, url: place, content, publishedDate: date }) => ({
        title,
        url: place,
        text: content,
        date,
      })),
    refusals: { 403: 'it does not answer in JSON; add json to search.formats in its settings.yml' },
  }
}
