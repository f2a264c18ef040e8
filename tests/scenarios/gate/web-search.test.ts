import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { ENGINE_NAMES, SEARCH_KEY, searchServer, type EngineName, type Play } from '../../support/search-server.ts'
import { said, segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'

const PAGES = ['one', 'two', 'three'].map((name) => ({
  title: `Page ${name}`,
  url: `https://${name}.example.org/`,
  text: `All about ${name}.`,
  date: '2026-11-01',
}))

interface Staged {
  readonly engine?: EngineName
  readonly args?: Record<string, string | number>
  readonly pages?: typeof PAGES
  readonly play?: Play
  readonly key?: string
  readonly env?: Record<string, string>
  readonly opening?: Opening
}

/** A model that searches once, and an engine that answers. */
async function stage({ engine = 'brave', args = {}, pages = PAGES, play, key, env = {}, opening = {} }: Staged = {}) {
  const server = await searchServer(pages, play)
  const calls = [{ name: 'web_search', args: { query: 'foxes at dawn', ...args } }]
  const it = await segnoUnderTest({
    builtInTools: true,
    turns: [{ calls }, { text: 'Done.' }],
    env: { ...server.env(engine, key), ...env },
    ...opening,
  })
  return { it, server }
}

/** What came of the search, with nobody there to ask. */
async function searched(it: SegnoUnderTest) {
  const { events } = await it.ask('Search.', { attended: false })
  const [result] = said(events, 'tool.result').filter(({ name }) => name === 'web_search')
  return { ...result, content: result?.content ?? '' }
}

for (const engine of ENGINE_NAMES) {
  verifies('ORC-9', `${engine}: finds pages, with what is known of each, as untrusted data`, async () => {
    const { it, server } = await stage({ engine, args: { count: 2, within: 'month' } })
    const result = await searched(it)
    expect(result).toMatchObject({ outcome: 'ok', effect: 'none' })
    expect(result.content).toBe(
      '1. Page one\n   https://one.example.org/\n   2026-11-01\n   All about one.\n\n' +
        '2. Page two\n   https://two.example.org/\n   2026-11-01\n   All about two.',
    )
    const count = engine === 'searxng' ? undefined : 2
    expect(server.asked).toEqual([{ engine, text: 'foxes at dawn', count, within: 'month' }])
    expect(JSON.stringify(it.requests[1]?.prompt.at(-1))).toMatch(/<untrusted-data \w+>.*Page one/)
  })

  verifies('ORC-9', `${engine}: says so when nothing is found`, async () => {
    const { it } = await stage({ engine, pages: [] })
    expect(await searched(it)).toMatchObject({ outcome: 'ok', content: 'Nothing was found.' })
  })

  const strange: Record<string, [play: Play, says: RegExp]> = {
    'asked too often': [(response) => response.writeHead(429).end(SEARCH_KEY), /asked too often; try again later\.$/],
    'sent elsewhere': [
      (response) => response.writeHead(302, { location: 'https://evil.example.org/' }).end(),
      /which is not followed/,
    ],
    'a page that is no answer': [
      (response) => response.end('<html>hello</html>'),
      /sent something that is no list of results\.$/,
    ],
    'a list of nonsense': [
      (response) => response.end('{"web": {"results": 5}, "results": "none"}'),
      /no list of results\.$/,
    ],
    'an answer that is too large': [(response) => response.end(`"${'x'.repeat(20_000)}"`), /larger than 10,000 bytes/],
    'an answer that never ends': [
      (response) => void response.writeHead(200, { 'content-length': '50' }).write('{'),
      /took longer than 0\.3 s/,
    ],
  }
  for (const [what, [play, says]] of Object.entries(strange))
    verifies('ORC-9', `${engine}: ${what} is an error in plain words, and ends`, async () => {
      const limits = { SEARCH_BYTES: 10_000, SEARCH_MS: 300 }
      const { it, server } = await stage({ engine, play, opening: { limits } })
      const { outcome, content } = await searched(it)
      expect([outcome, content]).toEqual(['error', expect.stringMatching(says)])
      expect(content).not.toContain(SEARCH_KEY)
      expect(server.asked).toHaveLength(1)
    })
}

for (const engine of ['brave', 'tavily'] as const)
  verifies('GOV-8', `${engine}: a key that is refused is told by its name, and is nowhere else`, async () => {
    const key = 'another-key-that-nobody-may-read'
    const { it } = await stage({ engine, key })
    const { outcome, content } = await searched(it)
    expect([outcome, content]).toEqual(['error', expect.stringContaining(`${engine.toUpperCase()}_API_KEY`)])
    expect(JSON.stringify([await it.events(), it.requests])).not.toContain(key)
  })

verifies('GOV-8', 'a tool that has read the key of an engine cannot tell it, not even one nobody asks', async () => {
  const spare = 'tvly-spare-key-0123456789'
  const spy = probe('spy', { run: () => `the keys are ${SEARCH_KEY} and ${spare}` })
  const opening = { tools: [spy], turns: [{ calls: [{ name: 'spy' }] }, { text: 'Done.' }] }
  const { it } = await stage({ opening, env: { TAVILY_API_KEY: spare } })
  const { events } = await it.ask()
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'ok' }])
  for (const key of [SEARCH_KEY, spare]) expect(JSON.stringify(events)).not.toContain(key)
})

verifies('ORC-9', 'results are bounded in number and length, and only web addresses are shown', async () => {
  const pages = [
    { title: 'x'.repeat(5000), url: 'https://long.example.org/', text: 'word '.repeat(5000), date: '' },
    { title: 'A trap', url: 'javascript:alert(1)', text: 'no', date: '' },
    { title: 'Lines\nand\u0007bells', url: 'https://lines.example.org/', text: 'a\n\nb', date: '' },
    ...PAGES,
  ]
  const { it } = await stage({ pages, opening: { limits: { SEARCH_RESULTS: 2, SEARCH_HIT_CHARS: 50 } } })
  const { content } = await searched(it)
  expect(content.split('\n\n')).toHaveLength(2)
  expect(content.length).toBeLessThan(400)
  expect(content).not.toContain('javascript')
  expect(content).toContain('Lines and bells\n   https://lines.example.org/\n   a b')
})

verifies('ORC-9', 'a search that is cancelled ends at once', async () => {
  const { promise: isAsked, resolve: noteAsked } = Promise.withResolvers<void>()
  const { it } = await stage({ play: () => noteAsked() })
  const round = await it.send('Search.')
  await isAsked
  await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, round.requestId)
  expect(await round.completion).toMatchObject({ finishReason: 'cancelled' })
})

verifies('GOV-5', 'who does not allow searching is not offered it, and it is refused', async () => {
  const { it, server } = await stage()
  await it.segno.preferences.put(LOCAL_OWNER, { allowWebSearch: false })
  expect(await searched(it)).toMatchObject({ outcome: 'refused', code: 'PERMISSION' })
  expect(it.requests[0]?.tools?.map(({ name }) => name)).not.toContain('web_search')
  expect(server.asked).toEqual([])
})

verifies('GOV-8', 'in a conversation with text from outside a search asks first, the second search too', async () => {
  const search = (query: string) => ({ calls: [{ name: 'web_search', args: { query } }] })
  const { it, server } = await stage({ opening: { turns: [search('one'), search('two'), { text: 'Done.' }] } })
  const { approvals } = await it.askUntilWaiting('Search.')
  expect(approvals).toMatchObject([{ tool: 'web_search', target: 'Brave Search: two' }])
  expect(approvals[0]?.reason).toContain('web_search sends data out')
  expect(server.asked.map(({ text }) => text)).toEqual(['one'])
})

verifies(['GOV-22', 'GOV-10'], 'what a search costs is said by the operator, and paid from the budget', async () => {
  const { it } = await stage({ env: { SEGNO_SEARCH_COST: '5000' } })
  await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyToolCost: 7000 })
  expect(await searched(it)).toMatchObject({ outcome: 'ok', cost: 5000 })
  const { it: other } = await stage({ env: { SEGNO_SEARCH_COST: '8000' } })
  await other.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyToolCost: 7000 })
  expect(await searched(other)).toMatchObject({ code: 'BUDGET_EXCEEDED' })
})

verifies('GOV-22', 'a search without a price is refused to who has a cost budget, and not to others', async () => {
  const { it, server } = await stage()
  await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyCost: 1_000_000 })
  expect(await searched(it)).toMatchObject({ code: 'COST_ESTIMATE_FAILED' })
  expect(server.asked).toEqual([])
  const { it: free } = await stage()
  expect(await searched(free)).toMatchObject({ outcome: 'ok' })
})

verifies('GOV-22', 'a SearXNG of your own costs nothing unless you say so', async () => {
  const { it } = await stage({ engine: 'searxng' })
  await it.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyCost: 0 })
  expect(await searched(it)).toMatchObject({ outcome: 'ok', cost: 0 })
})

verifies('GOV-10', 'a search that was never sent costs nothing', async () => {
  const { it } = await stage({ env: { SEGNO_SEARCH_COST: '5000', SEGNO_SEARCH_URL: 'http://127.0.0.1:9' } })
  expect(await searched(it)).toMatchObject({ outcome: 'error', cost: 0 })
})

verifies('ORC-9', 'the address of the engine opens no private address for web_fetch', async () => {
  const server = await searchServer(PAGES)
  const fetching = { calls: [{ name: 'web_fetch', args: { url: `${server.url}/search?q=x&format=json` } }] }
  const it = await segnoUnderTest({
    builtInTools: true,
    env: server.env('searxng'),
    policy: { rules: [{ decide: 'allow' }] },
    turns: [fetching, { text: 'Done.' }],
  })
  const { events } = await it.ask()
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'error' }])
  expect(server.asked).toEqual([])
})

verifies(
  'ORC-9',
  'without an engine web_search is not offered, and who asks for tools is told how to get it',
  async () => {
    const it = await segnoUnderTest({ builtInTools: true })
    const { body } = await ask(it, 'GET', '/api/tools')
    expect((body['items'] as { name: string }[]).map(({ name }) => name)).not.toContain('web_search')
    expect(body['missing']).toMatchObject([{ name: 'web_search' }])
    expect(JSON.stringify(body['missing'])).toMatch(
      /set SEGNO_SEARCH to brave \(with BRAVE_API_KEY\).*SEGNO_SEARCH_URL/,
    )
    const { it: with_ } = await stage()
    const { body: then } = await ask(with_, 'GET', '/api/tools')
    expect((then['items'] as { name: string }[]).map(({ name }) => name)).toContain('web_search')
    expect(then['missing']).toEqual([])
  },
)

test.each([
  [{ SEGNO_SEARCH: 'brave' }, 'SEGNO_SEARCH is brave, which needs BRAVE_API_KEY'],
  [{ SEGNO_SEARCH: 'tavily', BRAVE_API_KEY: 'k' }, 'SEGNO_SEARCH is tavily, which needs TAVILY_API_KEY'],
  [{ SEGNO_SEARCH: 'searxng' }, 'needs its address in SEGNO_SEARCH_URL'],
  [{ SEGNO_SEARCH: 'searxng', SEGNO_SEARCH_URL: 'ftp://x' }, 'SEGNO_SEARCH_URL is not an address'],
  [{ SEGNO_SEARCH: 'altavista' }, 'SEGNO_SEARCH is "altavista", expected brave or tavily or searxng'],
  [{ SEGNO_SEARCH_COST: 'little' }, 'SEGNO_SEARCH_COST is "little", expected micro-dollars'],
  [{ SEGNO_ASSUMED_TOOL_COST: '-1' }, 'SEGNO_ASSUMED_TOOL_COST is "-1", expected micro-dollars'],
])('a start with %j says what is wrong', async (env, words) => {
  await expect(segnoUnderTest({ env })).rejects.toThrow(words)
})
