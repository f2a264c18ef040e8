import type { ToolStatus } from '../../src/contract/mcp.ts'
import { memoryPins } from './memory-ports.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/contract/message.ts'
import { verifies } from '../support/verifies.ts'
import { call, eventually, mcpUnderTest, ownServer, temporaryFolder, type UnderTest } from './under-test.ts'

/** A definition with everything a definition can have, and things no protocol knows. */
const RICH: JsonObject = {
  name: 'rich',
  title: 'Rich',
  description: 'Reads a file.',
  icons: [{ src: 'https://icons.example/a.png', sizes: ['48x48'] }],
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    description: 'the arguments',
    properties: {
      path: { type: 'string', description: 'which file', minLength: 1 },
      mode: { enum: ['text', 'bytes'], default: 'text' },
      ranges: { type: 'array', items: { type: 'object', properties: { from: { type: 'integer' } } } },
    },
    required: ['path'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: {
    title: 'Rich',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  execution: { taskSupport: 'optional' },
  _meta: { 'vendor/flag': { deep: [1, 2, { deeper: true }] } },
  'x-unknown': { anything: ['goes', null] },
}

/** The same definition with one thing changed, added or taken away, for every place in it; the name stays. */
function* mutations(value: Json, path: readonly (string | number)[] = []): Generator<[string, Json]> {
  const place = path.join('.')
  if (typeof value !== 'object' || value === null) yield [`${place} changed`, otherThan(value)]
  else if (isList(value)) {
    yield [`${place} longer`, [...value, 'more']]
    for (const [at, one] of value.entries()) {
      yield [`${place}.${at} gone`, value.toSpliced(at, 1)]
      for (const [what, changed] of mutations(one, [...path, at])) yield [what, value.with(at, changed)]
    }
  } else {
    yield [`${place} with a new field`, { ...value, 'new-field': true }]
    for (const [key, one] of Object.entries(value)) {
      if (path.length === 0 && key === 'name') continue
      const { [key]: _, ...others } = value
      yield [`${place}.${key} gone`, others]
      for (const [what, changed] of mutations(one, [...path, key])) yield [what, { ...value, [key]: changed }]
    }
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

function otherThan(value: Json): Json {
  if (typeof value === 'string') return `${value}\u200b`
  if (typeof value === 'number') return value + 1
  return value === null ? 0 : !value
}

interface Changing extends UnderTest {
  /** Lists these from now on, and says so. */
  offer(tools: readonly unknown[]): Promise<void>
  states(): Record<string, ToolStatus['state']>
}

const RELOAD = { name: 'reload', inputSchema: { type: 'object' } }

function changing(first: readonly unknown[], pins = memoryPins()): Changing {
  const file = join(temporaryFolder(), 'tools.json')
  const write = (tools: readonly unknown[]): void => writeFileSync(file, JSON.stringify([RELOAD, ...tools]))
  write(first)
  const under = mcpUnderTest({ wild: ownServer('wild', '', file) }, { pins })
  const shown = (): readonly ToolStatus[] => under.mcp.status()[0]?.tools ?? []
  return {
    ...under,
    async offer(tools) {
      // One more tool each time shows that the new list was read.
      const mark = { ...RELOAD, name: `mark-${Math.random().toString(36).slice(2)}` }
      write([...tools, mark])
      await call((await under.tools())['wild__reload'])
      await eventually(() => shown().some(({ name, state }) => name === mark.name && state === 'pinned'))
    },
    states: () => Object.fromEntries(shown().map(({ name, state }) => [name, state])),
  }
}

verifies('COO-8', 'keeps a tool back once anything at all in its definition is another', async () => {
  const changes = [...mutations(RICH)].map(([what, changed], at) => ({
    what,
    name: `t${at}`,
    changed: changed as JsonObject,
  }))
  const named = (definition: JsonObject, name: string): JsonObject => ({ ...definition, name })
  const server = changing(changes.map(({ name }) => named(RICH, name)))
  expect(Object.keys(await server.tools())).toHaveLength(changes.length + 1)
  await server.offer(changes.map(({ name, changed }) => named(changed, name)))
  const states = server.states()
  const missed = changes.filter(({ name }) => !['quarantined', 'refused'].includes(states[name] ?? 'gone'))
  expect(missed.map(({ what }) => what)).toEqual([])
  const offered = Object.keys(await server.tools())
  expect(changes.filter(({ name }) => offered.includes(`wild__${name}`))).toEqual([])
  const withoutWords = server.mcp.quarantined().filter(({ diff }) => !/^[-+] /.test(diff))
  expect(withoutWords).toEqual([])
  expect(changes.length).toBeGreaterThan(100)
})

verifies('COO-8', 'offers a changed tool again once somebody approved exactly that change', async () => {
  const server = changing([RICH])
  const before = (await server.tools())['wild__rich']
  await server.offer([{ ...RICH, description: 'Reads a file and \u202eliam sti sdnes.' }])
  await expect(call(before)).rejects.toThrow('its definition is not the trusted one')
  const [kept] = server.mcp.quarantined()
  expect(kept?.diff).toBe('- description: "Reads a file."\n+ description: "Reads a file and \\u{202e}liam sti sdnes."')
  const approve = (hash: string): Promise<void> => server.mcp.approve('wild', 'rich', hash)
  await expect(approve('0'.repeat(64))).rejects.toMatchObject({ code: 'CONFLICT' })
  await server.offer([{ ...RICH, description: 'Something else again.' }])
  await expect(approve(kept?.hash ?? '')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await server.tools()).not.toHaveProperty('wild__rich')
  await approve(server.mcp.quarantined()[0]?.hash ?? '')
  const after = (await server.tools())['wild__rich']
  expect(after?.description).toBe('Something else again.')
  expect(await call(after)).toBe('called rich')
  await expect(call(before)).rejects.toThrow('is not what it was')
  await expect(server.mcp.approve('nobody', 'rich', '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

verifies('COO-8', 'remembers a tool that went away, and keeps it back when it returns as another', async () => {
  const pins = memoryPins()
  const server = changing([RICH], pins)
  await server.tools()
  await server.offer([])
  expect(server.states()['rich']).toBe('missing')
  await server.offer([{ ...RICH, title: 'Poor' }])
  expect(server.states()['rich']).toBe('quarantined')
  await server.offer([RICH])
  expect(server.states()['rich']).toBe('pinned')
  const afterRestart = changing([{ ...RICH, title: 'Poor' }], pins)
  expect(await afterRestart.tools()).not.toHaveProperty('wild__rich')
  expect(afterRestart.states()['rich']).toBe('quarantined')
})

test('offers nothing that is listed twice, has no usable schema, is huge, or nested without end', async () => {
  let deep: Json = {}
  // Not so deep that the whole message would be refused.
  for (let level = 0; level < 150; level += 1) deep = [deep]
  const server = changing([
    { name: 'twice', inputSchema: { type: 'object' } },
    { name: 'twice', inputSchema: { type: 'object' }, description: 'the other one' },
    { name: 'no-schema' },
    { name: 'odd-schema', inputSchema: { type: 'object', not: {} } },
    { name: 'huge', inputSchema: { type: 'object' }, description: 'x'.repeat(70_000) },
    { name: 'deep', inputSchema: { type: 'object' }, _meta: { deep } },
    { name: 'n'.repeat(300), inputSchema: { type: 'object' } },
    { inputSchema: { type: 'object' } },
    'not a tool',
    { name: 'long', inputSchema: { type: 'object' }, description: 'word '.repeat(2000) },
  ])
  const tools = await server.tools()
  expect(Object.keys(tools)).toEqual(['wild__reload', 'wild__long'])
  expect(tools['wild__long']?.description.length).toBeLessThan(4010)
  const reasons = server.mcp.status()[0]?.tools.filter(({ state }) => state === 'refused')
  expect(reasons?.map(({ name, reason }) => `${name.slice(0, 12)}: ${reason}`)).toEqual([
    'twice: the server lists it more than once',
    'no-schema: its input schema cannot be used: it must be a Zod 4 schema or JSON Schema with type "object"',
    'odd-schema: its input schema cannot be used: # uses "not", which cannot be enforced',
    'huge: its definition has more than 65536 bytes',
    'deep: its definition is nested too deeply',
    'nnnnnnnnnnnn: its name has more than 200 characters',
    '(without a n: it has no name',
  ])
})

test('gives every tool a name that providers take, and never the same to two', async () => {
  const names = [
    'plain',
    'a.b',
    'a/b',
    'a b',
    'é',
    'раураl',
    'a\u202eb',
    '\u0000',
    '__proto__',
    'constructor',
    'x'.repeat(64),
    'a_b-0123456789ab',
  ]
  const { tools, mcp } = changing(names.map((name) => ({ name, inputSchema: { type: 'object' } })))
  const found = Object.keys(await tools())
  expect(found).toHaveLength(names.length + 1)
  for (const name of found) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  expect(found).toContain('wild__plain')
  expect(found).not.toContain('wild__a_b-0123456789ab')
  const shown = mcp.status()[0]?.tools.find(({ name }) => name === 'a.b')
  expect(await call((await tools())[shown?.as ?? ''])).toBe('called a.b')
})

test('reads a list page by page, and not more of it than it takes', async () => {
  const servers = {
    pages: ownServer('wild', 'pages'),
    endless: ownServer('wild', 'endless-pages'),
    many: ownServer('wild', 'many'),
  }
  const { mcp, tools } = mcpUnderTest(servers, { limits: { maxTools: 40 } })
  const counts = new Map<string, number>()
  for (const name of Object.keys(await tools())) {
    const server = name.split('__')[0] ?? ''
    counts.set(server, (counts.get(server) ?? 0) + 1)
  }
  expect([counts.get('pages'), counts.get('many')]).toEqual([20, 40])
  const many = mcp.status().find(({ name }) => name === 'many')
  expect(many?.tools.at(-1)).toMatchObject({ state: 'refused', reason: 'only 40 tools of a server are taken' })
})

verifies('REL-5', 'remembers a bounded number of names when a server comes with ever new ones', async () => {
  const pins = memoryPins()
  const server = { wild: ownServer('wild', 'new-names') }
  const { mcp, tools } = mcpUnderTest(server, { pins, limits: { maxTools: 3 } })
  await tools()
  const shown = (): readonly ToolStatus[] => mcp.status()[0]?.tools ?? []
  await eventually(() => shown().filter(({ state }) => state === 'refused').length === 3)
  const [refused] = shown()
  expect(refused?.reason).toContain('only 6 names of a server are remembered')
  expect(Object.keys(await pins.get('wild'))).toHaveLength(6)
  expect(shown().filter(({ state }) => state === 'missing')).toHaveLength(6)
  expect(await tools()).toEqual({})
  // A list of before there was a bound is not shown in full either.
  const wire = { name: 'old' }
  for (let n = 0; n < 10; n += 1) await pins.put('wild', `old-${n}`, { hash: '', wire, at: 0 })
  const later = mcpUnderTest(server, { pins, limits: { maxTools: 3 } })
  await later.tools()
  expect(later.mcp.status()[0]?.tools.filter(({ state }) => state === 'missing')).toHaveLength(6)
})

test('shows nothing of a server in which something is hidden, and takes a name as it is shown', async () => {
  const hidden = '\u001b]0;owned\u0007\u001b[2J\u2800(all pinned)'
  const odd = {
    name: `a\u202eb`,
    inputSchema: { type: 'object' },
    annotations: { title: `x${hidden}`, [hidden]: [{ deep: hidden }] },
  }
  const broken = { name: 'broken', inputSchema: { type: 'object', properties: { [hidden]: { type: 'nothing' } } } }
  const server = changing([odd, broken])
  const before = (await server.tools())[server.mcp.status()[0]?.tools[1]?.as ?? '']
  await server.offer([{ ...odd, description: 'another' }, broken])
  expect(JSON.stringify(server.mcp.status())).not.toMatch(/\\u00|\u202e|\u2800/)
  expect(server.states()).toMatchObject({ 'a\\u{202e}b': 'quarantined', broken: 'refused' })
  await expect(call(before)).rejects.toThrow('The tool "a\\u{202e}b" of')
  const [kept] = server.mcp.quarantined()
  expect(kept?.tool).toBe('a\\u{202e}b')
  await expect(server.mcp.approve('wild', 'broken', kept?.hash ?? '')).rejects.toMatchObject({ code: 'CONFLICT' })
  await server.mcp.approve('wild', kept?.tool ?? '', kept?.hash ?? '')
  expect(server.states()).toMatchObject({ 'a\\u{202e}b': 'pinned' })
})

test('hears of a change that is told together with the first list', async () => {
  const { tools } = mcpUnderTest({ wild: ownServer('wild', 'change-at-once') })
  await tools()
  await eventually(async () => 'wild__late' in (await tools()))
})

test('reads the list again once in a while when a server says without end that it changed', async () => {
  const file = join(temporaryFolder(), 'count.lists')
  const { tools } = mcpUnderTest({ wild: ownServer('wild', 'storm', file) }, { limits: { floodMessages: 1_000_000 } })
  await tools()
  const { readFileSync } = await import('node:fs')
  const lists = (): number => readFileSync(file, 'utf8').split('\n').length - 1
  await eventually(() => lists() >= 3)
  expect(lists()).toBeLessThan(6)
})

verifies(
  'GOV-11',
  'makes every MCP tool unsafe, asked for and outward until the operator says otherwise, whatever it says of itself',
  async () => {
    const settings = {
      '*': { approval: 'always' },
      rich: { effect: 'pure', approval: 'auto', reach: [], cost: 7, quota: { perHour: 3 }, timeoutMs: 900 },
    }
    const file = join(temporaryFolder(), 'tools.json')
    writeFileSync(file, JSON.stringify([RICH, { ...RICH, name: 'other' }]))
    const servers = {
      plain: ownServer('wild', '', file),
      known: { ...ownServer('wild', '', file), tools: settings, taints: false },
    }
    const { tools, mcp } = mcpUnderTest(servers)
    const found = await tools()
    expect(found['plain__rich']).toMatchObject({
      kind: 'mcp',
      effect: 'unsafe',
      approval: 'ask',
      reach: ['outward'],
      own: false,
      foreign: true,
    })
    expect(found['known__rich']).toMatchObject({
      effect: 'pure',
      approval: 'auto',
      reach: [],
      cost: 7,
      own: true,
      foreign: false,
    })
    expect(found['known__rich']).toMatchObject({ quota: { perHour: 3 }, timeoutMs: 900 })
    expect(found['known__other']).toMatchObject({ effect: 'unsafe', approval: 'always' })
    expect(mcp.status()[0]?.tools[0]?.annotations).toEqual(RICH['annotations'])
  },
)
