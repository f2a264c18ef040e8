import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src/contract/message.ts'
import type { ToolContext } from '../../src/contract/tool.ts'
import { verifies } from '../support/verifies.ts'
import { call, eventually, mcpUnderTest, ownServer, reference } from './under-test.ts'

type Row = readonly [tool: string, args: JsonObject, expected: RegExp, more?: Partial<ToolContext>]

const accepts = { ask: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } } as const) }

/** Every tool of the server "everything", called once. */
const EVERYTHING: readonly Row[] = [
  ['echo', { message: 'hello' }, /^Echo: hello$/],
  ['get-annotated-message', { messageType: 'success', includeImage: true }, /successful[^]*<image\/png \d+>$/],
  ['get-env', {}, /"LANG"/],
  ['get-resource-links', { count: 2 }, /\[resource demo:\/\/resource[^]*\[resource demo:/],
  [
    'get-resource-reference',
    { resourceType: 'Text', resourceId: 1 },
    /\[resource demo:\/\/resource\/dynamic\/text\/1\]/,
  ],
  ['get-structured-content', { location: 'Chicago' }, /"temperature"/],
  ['get-sum', { a: 2, b: 3 }, /The sum of 2 and 3 is 5/],
  ['get-tiny-image', {}, /<image\/png \d+>/],
  [
    'gzip-file-as-resource',
    { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    /<application\/gzip \d+>$/,
  ],
  ['toggle-simulated-logging', {}, /logging/i],
  ['toggle-subscriber-updates', {}, /updates/i],
  ['trigger-long-running-operation', { duration: 0.2, steps: 2 }, /completed/],
  ['get-roots-list', {}, /file:\/\/\/.*segno-mcp-/],
  ['trigger-elicitation-request', {}, /Ada/, accepts],
  [
    'trigger-url-elicitation',
    { url: 'https://example.com/', message: 'Look', elicitationId: 'e1' },
    /accept/i,
    accepts,
  ],
]
/** This one answers later; `tasks.test.ts` waits for it. */
const ONLY_AS_TASK = 'e__simulate-research-query'

async function callEverything(
  tools: () => Promise<Record<string, unknown>>,
  under: ReturnType<typeof mcpUnderTest>,
): Promise<void> {
  // The server adds some tools after the handshake.
  await eventually(async () => 'e__trigger-elicitation-request' in (await tools()))
  const found = await under.tools()
  for (const [tool, args, expected, more] of EVERYTHING) {
    expect(await call(found[`e__${tool}`], args, more), tool).toMatch(expected)
  }
  const named = [...EVERYTHING.map(([tool]) => `e__${tool}`), ONLY_AS_TASK]
  expect(Object.keys(found).filter((name) => !named.includes(name))).toEqual([])
  expect(found).toHaveProperty(ONLY_AS_TASK)
}

verifies('COO-8', 'calls every tool of the reference server "everything" over stdio', async () => {
  const under = mcpUnderTest({ e: reference('everything') })
  await callEverything(() => under.tools(), under)
  expect(under.mcp.status()[0]).toMatchObject({ transport: 'stdio', protocolVersion: '2025-11-25' })
})

verifies('COO-8', 'calls every tool of the reference server "everything" over HTTP', async () => {
  const child = fork(new URL('servers/everything-http.ts', import.meta.url), { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  const under = mcpUnderTest({ e: { url: `http://127.0.0.1:${port}/mcp` } })
  await callEverything(() => under.tools(), under)
  expect(under.mcp.status()[0]).toMatchObject({ transport: 'http', protocolVersion: '2025-11-25' })
})

test('shows the progress of a long operation of "everything", and stops it when it is cancelled', async () => {
  const { tools } = mcpUnderTest({ e: reference('everything') })
  const long = (await tools())['e__trigger-long-running-operation']
  const said: string[] = []
  await call(long, { duration: 0.6, steps: 2 }, { say: (words) => void said.push(words) })
  expect(said[0]).toMatch(/^\[\d\/2\]/)
  const stop = new AbortController()
  const going = call(long, { duration: 60, steps: 60 }, { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(going).rejects.toThrow()
})

verifies(
  'COO-8',
  'works with files of the workspace through the reference server "filesystem", and with none outside',
  async () => {
    const { tools, folder } = mcpUnderTest({ files: reference('filesystem', ['${workspace}']) })
    const found = await tools()
    writeFileSync(join(folder, 'a.txt'), 'alpha')
    expect(await call(found['files__read_text_file'], { path: join(folder, 'a.txt') })).toBe('alpha')
    await call(found['files__write_file'], { path: join(folder, 'b.txt'), content: 'beta' })
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('beta')
    expect(await call(found['files__list_directory'], { path: folder })).toBe('[FILE] a.txt\n[FILE] b.txt')
    await expect(call(found['files__read_text_file'], { path: '/etc/hostname' })).rejects.toThrow('Access denied')
  },
)

verifies('COO-8', 'keeps the reference server "memory" of two workspaces apart', async () => {
  const { mcp, folder } = mcpUnderTest({
    memory: reference('memory', [], { MEMORY_FILE_PATH: '${workspace}/memory.jsonl' }),
  })
  const other = mcpUnderTest({}).folder
  const at = async (workspaceId: string, where: string) => {
    const tools = await mcp.tools({ tenant: 'default', workspaceId, folder: where, servers: [] })
    return Object.fromEntries(tools.map((tool) => [tool.name, tool]))
  }
  const [one, two] = [await at('one', folder), await at('two', other)]
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
  await call(one['memory__create_entities'], { entities })
  expect(await call(one['memory__search_nodes'], { query: 'programs' })).toContain('Ada')
  expect(await call(two['memory__read_graph'])).not.toContain('Ada')
  expect(mcp.status().map(({ workspaceId }) => workspaceId)).toEqual(['one', 'two'])
})

test('says which servers a workspace uses when it names them', async () => {
  const { tools, mcp } = mcpUnderTest({
    a: ownServer('wild'),
    b: ownServer('wild'),
    c: { ...ownServer('wild'), disabled: true },
  })
  expect(Object.keys(await tools(['b', 'c'])).every((name) => name.startsWith('b__'))).toBe(true)
  expect(mcp.status().map(({ name, state, disabled }) => [name, state, disabled])).toEqual([
    ['a', 'stopped', false],
    ['b', 'ready', false],
    ['c', 'stopped', true],
  ])
})
