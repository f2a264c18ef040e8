import type { JsonObject } from '../../contract/message.ts'
import type { CostRule, Tool, ToolContext } from '../../contract/tool.ts'
import type { Egress } from '../../egress/index.ts'
import { parseObject } from '../../lib/parse-object.ts'
import { textArgument } from '../local/text-argument.ts'
import { WITHIN, type Hit, type SearchEngine, type SearchQuery } from './search/search-engine.ts'
import { showHits } from './show-hits.ts'

interface SearchLimits {
  /** for a question, until the end of the answer */
  readonly searchMs: number
  /** the most pages in an answer */
  readonly results: number
  /** characters of the text of a page */
  readonly hitChars: number
  /** bytes of what the engine sends */
  readonly bodyBytes: number
}

interface WebSearchOptions {
  readonly engine: SearchEngine
  /** which may reach the engine, and for this tool alone */
  readonly egress: Egress
  readonly limits: SearchLimits
  /** of one question */
  readonly cost: CostRule
}

const GRACE_MS = 2_000
const QUERY_CHARS = 400
const USUAL_COUNT = 5

/** Asks a search engine of the web. */
export function webSearch({ engine, egress, limits, cost }: WebSearchOptions): Tool {
  return {
    name: 'web_search',
    description:
      `Searches the web with ${engine.name}. Each result has a title, an address and a few lines; ` +
      'read a page with web_fetch where that is not enough. What you look for is sent to the engine.',
    consent: 'webSearch',
    input: inputOf(limits.results),
    // Asking twice only costs more, and that is reserved before each call.
    effect: 'pure',
    approval: 'auto',
    reach: ['outward'],
    own: false,
    target: (args) => `${engine.name}: ${textArgument(args, 'query')}`,
    outputChars: 50_000,
    timeoutMs: limits.searchMs + GRACE_MS,
    cost,
    run: (args, ctx) => run(args, ctx, engine, egress, limits),
  }
}

const inputOf = (most: number): Tool['input'] => ({
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, maxLength: QUERY_CHARS, description: 'what to look for' },
    count: { type: 'integer', minimum: 1, maximum: most, default: Math.min(USUAL_COUNT, most) },
    within: { type: 'string', enum: WITHIN, description: 'only what is not older than this' },
  },
  required: ['query'],
  additionalProperties: false,
})

async function run(
  args: JsonObject,
  ctx: ToolContext,
  engine: SearchEngine,
  egress: Egress,
  limits: SearchLimits,
): Promise<string> {
  const { count, within } = args
  const query: SearchQuery = {
    text: textArgument(args, 'query'),
    count: typeof count === 'number' ? Math.min(count, limits.results) : USUAL_COUNT,
    within: WITHIN.find((one) => one === within),
  }
  const { url, init } = engine.request(query)
  let isSent = false
  try {
    const response = await egress.fetch(url, {
      ...init,
      signal: ctx.signal,
      totalMs: limits.searchMs,
      maxBytes: limits.bodyBytes,
      // The key and the question are for this engine alone.
      follow: () => false,
      onSend: () => {
        isSent = true
      },
    })
    return showHits(await hitsOf(response, engine), query.count, limits.hitChars)
  } finally {
    if (!isSent) ctx.charge(0)
  }
}

/** What the engine says is never repeated in an error, because it may repeat the key. */
async function hitsOf(response: Response, { name, refusals, hits }: SearchEngine): Promise<readonly Hit[]> {
  const { status } = response
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`${name} did not answer the question: ${refusals[status] ?? meaningOf(status)}.`)
  }
  const found = hits(parseObject(await response.text()))
  if (found === undefined) throw new Error(`${name} sent something that is no list of results.`)
  return found
}

function meaningOf(status: number): string {
  if (status === 429) return 'it was asked too often; try again later'
  if (status >= 300 && status < 400) return 'it sends elsewhere, which is not followed (SEGNO_SEARCH_URL)'
  return `it says ${status}`
}
