import { addressOf, recordsIn } from './read-answer.ts'
import type { EngineAddress, SearchEngine } from './search-engine.ts'

export function tavily({ url, key = '' }: EngineAddress): SearchEngine {
  return {
    name: 'Tavily',
    request: ({ text, count, within }) => ({
      url: addressOf(url ?? 'https://api.tavily.com', '/search'),
      init: {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${key}` },
        // A deeper search costs twice as much.
        body: JSON.stringify({
          query: text,
          max_results: count,
          search_depth: 'basic',
          ...(within && { time_range: within }),
        }),
      },
    }),
    hits: (answer) =>
      recordsIn(answer, 'results')?.map(({ title, url: place, content, published_date: date }) => ({
        title,
        url: place,
        text: content,
        date,
      })),
    refusals: {
      401: 'it refuses the key (TAVILY_API_KEY)',
      403: 'it refuses the key (TAVILY_API_KEY)',
      432: USED_UP,
      433: USED_UP,
    },
  }
}

const USED_UP = 'its plan is used up'
