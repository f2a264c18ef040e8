import { isObject } from '../../../lib/type-guards.ts'
import { addressOf, recordsIn } from './read-answer.ts'
import type { EngineAddress, SearchEngine, Within } from './search-engine.ts'

const FRESHNESS: Readonly<Record<Within, string>> = { day: 'pd', month: 'pm', year: 'py' }

export function brave({ url, key = '' }: EngineAddress): SearchEngine {
  return {
    name: 'Brave Search',
    request({ text, count, within }) {
      const at = addressOf(url ?? 'https://api.search.brave.com', '/res/v1/web/search')
      at.search = new URLSearchParams({
        q: text,
        count: String(count),
        text_decorations: '0',
        result_filter: 'web',
        ...(within && { freshness: FRESHNESS[within] }),
      }).toString()
      return { url: at, init: { headers: { accept: 'application/json', 'x-subscription-token': key } } }
    },
    hits(answer) {
      if (!isObject(answer)) return undefined
      // Without `web` nothing was found.
      const { web = { results: [] } } = answer
      return recordsIn(web, 'results')?.map(({ title, url: place, description, age, page_age: paged }) => ({
        title,
        url: place,
        text: description,
        date: paged ?? age,
      }))
    },
    refusals: { 401: KEY, 403: KEY, 422: KEY, 402: 'its plan is used up' },
  }
}

const KEY = 'it refuses the key (BRAVE_API_KEY) or the question'
