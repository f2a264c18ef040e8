import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOSTILE, tagged } from './hostile.ts'
import { newHome, openStage, type Stage } from './stage.ts'

const WILD_SERVER = fileURLToPath(new URL('../../mcp/servers/wild.ts', import.meta.url))
const ALL = HOSTILE.map((_, i) => i)
/** Rounds in one conversation: fewer than the page loads and draws at once. */
const TOGETHER = 30
const FILES_TOGETHER = 10

export interface HostileHome {
  readonly stage: Stage
  /** conversations to look at, with everything in them unfolded */
  readonly sessions: readonly string[]
  /** how many texts of each field were taken and must be shown */
  readonly taken: ReadonlyMap<string, number>
  /** The tools of the MCP server come with other descriptions from now on. */
  changeTools(): void
}

/** A server whose every text is hostile: what people, models, tools and MCP servers said. */
export async function hostileHome(): Promise<HostileHome> {
  const home = newHome()
  const tools = join(home, 'tools.json')
  const describe = (field: string): void => writeFileSync(tools, JSON.stringify(ALL.map((i) => definition(field, i))))
  describe('description')
  mkdirSync(join(home, 'workspace'))
  for (const i of ALL) writeFileSync(join(home, `workspace/${i}.txt`), tagged('output', i))
  const stage = await openStage({
    home,
    script: {
      scenarios: [...ALL.map(talk), ...ALL.map(write), ...groups(TOGETHER).map(readAll)],
      otherwise: { text: 'Yes.' },
    },
    env: {
      SEGNO_LIMITS_MAX_TOOL_CALLS: '100',
      SEGNO_LIMITS_MAX_ROUNDS: '1000',
      SEGNO_LIMITS_MAX_COORDINATORS: '1000',
      SEGNO_MCP: JSON.stringify({ wild: { command: process.execPath, args: [WILD_SERVER, '', tools] } }),
      SEGNO_MODELS: JSON.stringify(
        Object.fromEntries(ALL.map((i) => [`m${i}`, { provider: 'openai-compatible', model: tagged('model', i) }])),
      ),
    },
  })
  const taken = new Map<string, number>()
  const take = (field: string, count = 1): void => void taken.set(field, (taken.get(field) ?? 0) + count)
  const session = async (title?: string): Promise<string> =>
    (await stage.post('/api/sessions', title === undefined ? {} : { title })).id ?? ''

  for (const i of ALL) {
    const title = `§title-${i}; ${HOSTILE[i]}`
    if (title.length > 200) continue
    await session(title)
    take('title')
  }
  const sessions: string[] = []
  for (const group of groups(TOGETHER)) {
    const id = await session()
    sessions.push(id)
    for (const i of group) {
      await stage.post(`/api/sessions/${id}/messages?wait=1`, { content: tagged('user', i) })
      for (const field of ['user', 'thought', 'text', 'arg', 'final']) take(field)
    }
    const reading = await session()
    sessions.push(reading)
    await stage.post(`/api/sessions/${reading}/messages?wait=1`, { content: `read from ${group[0]}` })
    // What holds a zero is no text.
    take('output', group.filter((i) => !HOSTILE[i]?.includes('\u0000')).length)
  }
  const withFiles = await session()
  sessions.push(withFiles)
  for (const group of groups(FILES_TOGETHER)) {
    // A name is one line; the server takes no other.
    const names = group.map((i) => tagged('file', i)).filter((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    const files = names.map((name) => ({ type: 'file', mediaType: 'text/plain', name, data: 'aGk=' }))
    await stage.post(`/api/sessions/${withFiles}/messages?wait=1`, {
      content: [{ type: 'text', text: 'hi' }, ...files],
    })
    take('file', names.length)
  }
  for (const i of ALL) {
    const id = await session()
    await stage.post(`/api/sessions/${id}/messages?wait=1`, { content: `write ${i}.` })
    take('content')
  }
  for (const field of ['description', 'model']) take(field, ALL.length)
  return { stage, sessions, taken, changeTools: () => describe('changed') }
}

function groups(size: number): number[][] {
  return ALL.filter((i) => i % size === 0).map((from) => ALL.slice(from, from + size))
}

const definition = (field: string, i: number) => ({
  name: `tool${i}`,
  description: tagged(field, i),
  inputSchema: { type: 'object', properties: { [`a ${HOSTILE[i]}`]: { type: 'string', description: HOSTILE[i] } } },
})

const talk = (_: number, i: number) => ({
  when: `§user-${i};$`,
  turns: [
    {
      reasoning: tagged('thought', i),
      text: tagged('text', i),
      calls: [{ name: tagged('name', i), args: { [`${HOSTILE[i]}`]: tagged('arg', i) } }],
    },
    { text: tagged('final', i) },
  ],
})

/** A new file, one that is there already, a command: each is shown in its own way. */
const asks = (i: number) => [
  { name: 'write_file', args: { path: `${i}/a.txt`, content: tagged('content', i) } },
  { name: 'write_file', args: { path: `${i}.txt`, content: tagged('content', i) } },
  { name: 'bash', args: { command: `sudo ${tagged('content', i)}` } },
]

const write = (_: number, i: number) => ({
  when: `^write ${i}\\.`,
  turns: [{ calls: asks(i).slice(i % 3, (i % 3) + 1) }],
})

const readAll = (group: readonly number[]) => ({
  when: `^read from ${group[0]}$`,
  turns: [{ calls: group.map((i) => ({ name: 'read_file', args: { path: `${i}.txt` } })) }, { text: 'Read.' }],
})
