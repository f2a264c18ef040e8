import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { call, eventually, isAlive, mcpUnderTest, ownServer, temporaryFolder } from './under-test.ts'
import { ownTime } from '../support/own-time.ts'

const unknownEffect: unknown = expect.objectContaining({ effect: 'unknown' })
const noEffect: unknown = expect.not.objectContaining({ effect: 'unknown' })
const wild = (...args: string[]): object => ownServer('wild', ...args)

verifies('COO-8', 'gives a server the configured environment and nothing of its own', async () => {
  process.env['SEGNO_TEST_SECRET'] = 'do not tell'
  const { tools } = mcpUnderTest({ wild: { ...wild(), env: { GIVEN: '${workspace}/x' } } })
  const seen = JSON.parse(await call((await tools())['wild__env'])) as Record<string, string>
  delete process.env['SEGNO_TEST_SECRET']
  // The system may add what every process has.
  const names = Object.keys(seen).filter((key) => !key.startsWith('__'))
  expect(names.sort()).toEqual(['GIVEN', 'HOME', 'LANG', 'PATH'])
  expect(seen['GIVEN']).toMatch(/segno-mcp-\w+\/x$/)
})

verifies('COO-8', 'goes on with the other servers when one is broken, in every way it can be', async () => {
  const ways = [
    'crash-at-start',
    'hang-at-start',
    'hang-on-list',
    'crash-on-list',
    'not-json',
    'flood-stdout',
    'endless-line',
  ]
  const broken = Object.fromEntries(ways.map((way) => [way, wild(way)]))
  const limits = { connectMs: 3000, startMs: 4000, probeMs: 500, messageBytes: 1_000_000, floodMessages: 1000 }
  const { mcp, tools } = mcpUnderTest({ good: wild(), ...broken }, { limits })
  const took = ownTime()
  const found = await tools()
  expect(took()).toBeLessThan(4500)
  expect(await call(found['good__echo'], { text: 'hello' })).toBe('hello')
  expect(new Set(Object.keys(found).map((name) => name.split('__')[0]))).toEqual(new Set(['good']))
  const tookAgain = ownTime()
  await tools()
  expect(tookAgain()).toBeLessThan(1000)
  const errors = (): (string | undefined)[] => mcp.status().map(({ error }) => error)
  await eventually(() =>
    errors()
      .slice(1)
      .every((error) => error !== undefined),
  )
  expect(errors()[0]).toBeUndefined()
  const known =
    /^(?:the connection was lost|it did not start in time|it sends too many messages|a message of its has more)/
  for (const error of errors().slice(1)) expect(error).toMatch(known)
})

verifies('COO-8', 'starts a server again after a crash, and the call that was cut has an unknown effect', async () => {
  const { mcp, tools } = mcpUnderTest({ wild: wild() })
  const found = await tools()
  const before = await call(found['wild__pid'])
  await expect(call(found['wild__crash'])).rejects.toEqual(unknownEffect)
  const after = await call(found['wild__pid'])
  expect(after).not.toBe(before)
  expect(mcp.status()[0]).toMatchObject({ state: 'ready', restarts: 1 })
})

verifies(
  'COO-6',
  'restarts a server that dies every 200 ms, leaves it alone for a while, and tries again',
  async () => {
    const changes: { state: string; restarts: number; at: number }[] = []
    const { mcp, tools } = mcpUnderTest(
      { wild: wild('die-soon') },
      {
        limits: { breakerFailures: 3, breakerMs: 1500 },
        onHealth: ({ state, restarts }) => changes.push({ state, restarts, at: Date.now() }),
      },
    )
    const when = (state: string, restarts: number): number =>
      changes.find((change) => change.state === state && change.restarts === restarts)?.at ?? Infinity
    await tools()
    await eventually(() => mcp.status()[0]?.error?.includes('failed 3 times in a row') === true)
    expect(await tools()).toEqual({})
    await eventually(() => when('starting', 3) < Infinity)
    const leftAloneMs = when('starting', 3) - when('failed', 2)
    expect(leftAloneMs).toBeGreaterThan(1400)
    expect(when('starting', 1) - when('failed', 0)).toBeLessThan(leftAloneMs)
  },
)

verifies('COO-8', 'restarts a server that does not answer when it is asked whether it is well', async () => {
  const { mcp, tools } = mcpUnderTest({ wild: wild('deaf') }, { limits: { healthMs: 50, pingMs: 100 } })
  await tools()
  await eventually(() => (mcp.status()[0]?.restarts ?? 0) > 0)
  expect(mcp.status()[0]?.error ?? 'it does not answer').toBe('it does not answer')
})

test('stops a server nobody needs, and starts it again for the next call', async () => {
  const { mcp, tools } = mcpUnderTest({ wild: wild() }, { limits: { idleMs: 200 } })
  const found = await tools()
  const pid = Number(await call(found['wild__pid']))
  await eventually(() => mcp.status()[0]?.state === 'stopped' && !isAlive(pid))
  expect(await call(found['wild__echo'], { text: 'again' })).toBe('again')
})

verifies('REL-5', 'bounds what a server sends: a huge result, a line without end, floods of messages', async () => {
  const { tools } = mcpUnderTest({ wild: wild() }, { limits: { messageBytes: 1_000_000, floodMessages: 300 } })
  const found = await tools()
  await expect(call(found['wild__big'], { bytes: 100_000_000 })).rejects.toThrow('more than 1000000 bytes')
  await expect(call(found['wild__flood'])).rejects.toThrow('too many messages')
  await expect(call(found['wild__pings'])).rejects.toThrow('too many messages')
  expect(await call(found['wild__echo'], { text: 'well again' })).toBe('well again')
})

test('keeps the end of a flood on standard error, and no more', async () => {
  const { mcp, tools } = mcpUnderTest({ wild: wild('flood-stderr'), calm: wild('log') }, { limits: { logLines: 5 } })
  await tools()
  const logs = (server: string): readonly string[] => mcp.logs(server, 'default', 'system')
  await eventually(() => logs('wild').join('').length > 100)
  expect(logs('wild').join('').length).toBeLessThan(5 * 500 + 500)
  expect(logs('calm')).toEqual(['first line', 'second line'])
})

verifies('REL-2', 'takes an answer only under the id of its own call, and only once', async () => {
  const { tools } = mcpUnderTest({ wild: wild() })
  const found = await tools()
  const others = Array.from({ length: 5 }, (_, i) => call(found['wild__echo'], { text: `mine ${i}` }))
  expect(await call(found['wild__twice'])).toBe('the truth')
  expect(await Promise.all(others)).toEqual(['mine 0', 'mine 1', 'mine 2', 'mine 3', 'mine 4'])
  const hanging = new AbortController()
  const open = call(found['wild__hang'], {}, { signal: hanging.signal })
  expect(await call(found['wild__twice'])).toBe('the truth')
  hanging.abort(new Error('enough'))
  await expect(open).rejects.toThrow()
})

verifies(
  'REL-2',
  'says that nobody knows when an answer cannot be read, and that nothing happened when the server says no',
  async () => {
    const { tools } = mcpUnderTest({ wild: wild() })
    const found = await tools()
    await expect(call(found['wild__strange'])).rejects.toEqual(unknownEffect)
    await expect(call(found['wild__error'])).rejects.toThrow('no such thing')
    await expect(call(found['wild__error'])).rejects.toEqual(noEffect)
  },
)

verifies('REL-2', 'repeats a call whose server died only where the operator says that this is safe', async () => {
  const file = join(temporaryFolder(), 'effects')
  const run = async (effect: string): Promise<unknown> => {
    const { tools } = mcpUnderTest({ [effect]: { ...wild('', file), tools: { effect: { effect } } } })
    const found = await tools()
    const pid = Number(await call(found[`${effect}__pid`]))
    const going = call(found[`${effect}__effect`], { label: effect, ms: 300 }).catch((error: unknown) => error)
    await eventually(() => readOr(file).includes(effect))
    process.kill(pid, 'SIGKILL')
    return going
  }
  expect(await run('unsafe')).toEqual(unknownEffect)
  expect(await run('pure')).toBe('did pure')
  expect(await run('keyed')).toBe('did keyed')
  const lines = readFileSync(file, 'utf8').split('\n')
  const count = (label: string): number => lines.filter((line) => line === label).length
  expect([count('unsafe'), count('pure'), count('keyed')]).toEqual([1, 2, 2])
})

verifies('REL-2', 'says that nobody knows when the second try of a call never reached the server', async () => {
  const file = join(temporaryFolder(), 'effects')
  const server = { ...wild('one-effect', file), tools: { effect: { effect: 'keyed' } } }
  const { tools } = mcpUnderTest({ wild: server })
  await expect(call((await tools())['wild__effect'], { label: 'once' })).rejects.toEqual(unknownEffect)
  expect(readFileSync(file, 'utf8')).toBe('once\n')
})

test('passes the idempotency key of a keyed tool on, and of no other', async () => {
  const { tools } = mcpUnderTest({ wild: { ...wild(), tools: { meta: { effect: 'keyed' } } }, plain: wild() })
  const found = await tools()
  expect(JSON.parse(await call(found['wild__meta']))).toMatchObject({ 'segno/idempotencyKey': 'key-1' })
  expect(await call(found['plain__meta'])).not.toContain('key-1')
})

test('tells the server when a call is cancelled', async () => {
  const { tools } = mcpUnderTest({ wild: wild() })
  const found = await tools()
  const stop = new AbortController()
  const going = call(found['wild__hang'], {}, { signal: stop.signal })
  expect(await call(found['wild__cancelled'])).toBe('[]')
  stop.abort(new Error('not needed'))
  await expect(going).rejects.toThrow()
  expect(JSON.parse(await call(found['wild__cancelled']))).toHaveLength(1)
})

test('turns content of every kind into text and files', async () => {
  const { tools } = mcpUnderTest({ wild: wild() })
  expect(await call((await tools())['wild__mixed'])).toBe(
    [
      'one',
      '[resource file:///a/b.txt]',
      'inside',
      '[resource file:///a/c.pdf]',
      '[resource file:///a/d: d, text/html]',
      '[content of a kind that is not known here]',
      'two<image/png 8><audio/wav 3><application/pdf 5>',
    ].join('\n'),
  )
})

test('shows how far a call has come', async () => {
  const said: string[] = []
  const { tools } = mcpUnderTest({ wild: wild() })
  expect(await call((await tools())['wild__progress'], {}, { say: (words) => void said.push(words) })).toBe('whole')
  expect(said).toEqual(['[1/2] half\n'])
})

verifies('COO-8', 'kills a server that ignores the end of its input and SIGTERM, with all it started', async () => {
  const { mcp, tools } = mcpUnderTest({ wild: wild('ignore-eof,ignore-sigterm') }, { limits: { stopMs: 200 } })
  const found = await tools()
  const pids = [Number(await call(found['wild__pid'])), Number(await call(found['wild__child']))]
  expect(pids.map(isAlive)).toEqual([true, true])
  await mcp.close()
  await eventually(() => !pids.some(isAlive), 2000)
})

verifies('COO-8', 'leaves no server behind when Segno itself is killed', async () => {
  const host = fork(new URL('servers/host.ts', import.meta.url), [temporaryFolder()], { stdio: 'ignore' })
  const [pids] = (await once(host, 'message')) as [number[]]
  expect(pids.map(isAlive)).toEqual([true, true, true, true])
  host.kill('SIGKILL')
  await eventually(() => !pids.some(isAlive), 3000)
})

test('ends what a crashed server left behind', async () => {
  const { tools } = mcpUnderTest({ wild: wild() })
  const found = await tools()
  const child = Number(await call(found['wild__child']))
  await expect(call(found['wild__crash'])).rejects.toThrow()
  await eventually(() => !isAlive(child), 3000)
})

test('reaches servers that know only the older protocol, whatever they do with a question from the newer one', async () => {
  const servers = { exits: wild('exit-on-question'), silent: wild('silent-on-question'), answers: wild() }
  const { mcp, tools } = mcpUnderTest(servers, { limits: { probeMs: 300 } })
  const found = await tools()
  for (const name of Object.keys(servers)) expect(await call(found[`${name}__echo`], { text: name })).toBe(name)
  expect(mcp.status().map(({ protocolVersion }) => protocolVersion)).toEqual(['2025-06-18', '2025-06-18', '2025-06-18'])
})

test('asks the person of the call what the server wants to know, a bounded number of times', async () => {
  const { tools } = mcpUnderTest({ wild: wild() }, { limits: { maxQuestions: 2 } })
  const found = await tools()
  const questions: string[] = []
  const ask = async ({ message }: { message: string }) => {
    questions.push(message)
    return { action: 'accept' as const, content: { colour: 'red' } }
  }
  expect(JSON.parse(await call(found['wild__ask'], { times: 3 }, { ask }))).toEqual([
    { action: 'accept', content: { colour: 'red' } },
    { action: 'accept', content: { colour: 'red' } },
    { action: 'decline' },
  ])
  expect(questions).toEqual(Array(2).fill('The MCP server "wild" asks: Which colour?'))
})

test('lends a server no model', async () => {
  const { tools } = mcpUnderTest({ wild: wild() })
  expect(JSON.parse(await call((await tools())['wild__sample']))).toMatchObject({ error: { code: -32_601 } })
})

test('declines a question while it cannot be known which of several calls it belongs to', async () => {
  const { tools } = mcpUnderTest({ wild: wild() })
  const found = await tools()
  const stop = new AbortController()
  const other = call(found['wild__hang'], {}, { signal: stop.signal })
  const ask = () => Promise.reject(new Error('Nobody may be asked.'))
  expect(await call(found['wild__ask'], {}, { ask })).toBe('[{"action":"decline"}]')
  stop.abort(new Error('enough'))
  await expect(other).rejects.toThrow()
})

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
