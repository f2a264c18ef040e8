import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const SEARCH_KEY = 'key-for-searching-0123456789'

interface Page {
  readonly title: string
  readonly url: string
  readonly text: string
  readonly date?: string
}

/** What was asked, in the same words whichever engine it was. */
interface Asked {
  readonly engine: EngineName
  readonly text: string
  readonly count: number | undefined
  readonly within: string | undefined
}

export const ENGINE_NAMES = ['brave', 'tavily', 'searxng'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

/** Says something else than the pages. */
export type Play = (response: ServerResponse) => void

/** A server that speaks as the three engines do: each in its place, with its key and its own names. */
export async function searchServer(pages: readonly Page[], play?: Play) {
  const asked: Asked[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
    const say = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const text = await Array.fromAsync(request as AsyncIterable<Buffer>)
    const body = text.length > 0 ? (JSON.parse(Buffer.concat(text).toString()) as Record<string, unknown>) : {}
    const take = (engine: EngineName, query: unknown, count: unknown, within: unknown): boolean => {
      asked.push({
        engine,
        text: String(query),
        count: count === null || count === undefined ? undefined : Number(count),
        within: typeof within === 'string' ? within : undefined,
      })
      if (play) play(response)
      return play === undefined
    }
    if (request.method === 'GET' && pathname === '/res/v1/web/search') {
      if (request.headers['x-subscription-token'] !== SEARCH_KEY) return say(401, { error: { detail: SEARCH_KEY } })
      const fresh = { pd: 'day', pm: 'month', py: 'year' }[searchParams.get('freshness') ?? '']
      if (!take('brave', searchParams.get('q'), searchParams.get('count'), fresh)) return
      const results = pages.map((page) => ({
        title: page.title,
        url: page.url,
        description: `<strong>${page.text}</strong>`,
        page_age: page.date,
      }))
      return say(200, pages.length > 0 ? { type: 'search', web: { results } } : { type: 'search' })
    }
    if (request.method === 'POST' && pathname === '/search') {
      if (request.headers.authorization !== `Bearer ${SEARCH_KEY}`) return say(401, { detail: { error: SEARCH_KEY } })
      if (!take('tavily', body['query'], body['max_results'], body['time_range'])) return
      const results = pages.map(({ title, url, text: content, date }) => ({
        title,
        url,
        content,
        published_date: date,
        score: 0.5,
      }))
      return say(200, { query: body['query'], results })
    }
    if (request.method === 'GET' && pathname === '/search') {
      if (searchParams.get('format') !== 'json') return say(403, {})
      if (!take('searxng', searchParams.get('q'), undefined, searchParams.get('time_range'))) return
      const results = pages.map(({ title, url, text: content, date }) => ({ title, url, content, publishedDate: date }))
      return say(200, { query: searchParams.get('q'), results })
    }
    say(404, {})
  }

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    /** the settings with which web_search asks it */
    env: (engine: EngineName, key = SEARCH_KEY): Record<string, string> => ({
      SEGNO_SEARCH: engine,
      SEGNO_SEARCH_URL: url,
      ...(engine !== 'searxng' && { [`${engine.toUpperCase()}_API_KEY`]: key }),
    }),
  }
}
