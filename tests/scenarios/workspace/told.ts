import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../../src/contract/message.ts'
import type { Workspace } from '../../../src/contract/workspace.ts'
import { segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { ada, tempFolder } from './support.ts'

const stranger = fileURLToPath(new URL('../../injection/stranger.ts', import.meta.url))
const wild = fileURLToPath(new URL('../../mcp/servers/wild.ts', import.meta.url))

const READS = { effect: 'pure', approval: 'auto' }
export const TOOLS: Readonly<Record<string, object>> = {
  look: READS,
  fail: READS,
  structured: { ...READS, approval: 'ask' },
  resource: { ...READS, cost: 10 },
  link: { ...READS, quota: { perHour: 5 } },
  picture: { ...READS, reach: ['secrets'] },
  post: { effect: 'unsafe', approval: 'auto' },
}

export interface Told extends SegnoUnderTest {
  readonly workspace: Workspace
  /** what the server was told that it writes down */
  recorded(): string
  /** Says something in a session, a new one if none is given; its id, and what the model was given. */
  say(sessionId?: string): Promise<{ sessionId: string; prompt: LanguageModelV4CallOptions['prompt'] }>
  change(changes: Parameters<SegnoUnderTest['segno']['workspaces']['change']>[2]): Promise<Workspace>
}

/** Ada's workspace, where a server called `board` hands on what stands in files, and one called `wild` does not answer. */
export async function toldUnderTest(
  opening: Opening = {},
  tools: Readonly<Record<string, object>> = TOOLS,
): Promise<Told> {
  const record = join(tempFolder(), 'record')
  const u = await segnoUnderTest({
    builtInTools: true,
    repeat: true,
    turns: [{ text: 'Yes.' }],
    ...opening,
    // Time enough for a machine that has other things to do.
    limits: { CONTEXT_WAIT_MS: 20_000, RETRIEVAL_MS: 40_000, ...opening.limits },
    env: servers(),
  })

  function servers() {
    const command = process.execPath
    const SEGNO_MCP = JSON.stringify({
      board: { command, args: [stranger, record], cwd: '${workspace}', tools },
      wild: { command, args: [wild], tools: { hang: READS } },
    })
    return { SEGNO_MCP, ...opening.env }
  }

  const workspace = await u.segno.workspaces.create(ada, { name: 'Desk' })
  return Object.assign(Object.create(u) as SegnoUnderTest, {
    workspace,
    recorded: () => (existsSync(record) ? readFileSync(record, 'utf8') : ''),
    async say(given?: string) {
      const sessionId = given ?? (await u.segno.createSession({ workspaceId: workspace.id }, { actor: ada })).id
      await u.ask('hi', { sessionId, actor: ada })
      return { sessionId, prompt: u.requests.at(-1)?.prompt ?? [] }
    },
    change: (changes: JsonObject) => u.segno.workspaces.change(ada, workspace.id, changes),
  })
}

/** How often a text stands in what the model was given. */
export const times = (prompt: LanguageModelV4CallOptions['prompt'], text: string): number =>
  JSON.stringify(prompt).split(text).length - 1
