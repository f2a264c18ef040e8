import { fileURLToPath } from 'node:url'
import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Policy } from '../../src/contract/policy.ts'
import type { Script } from '../../src/model/index.ts'
import type { Segno } from '../../src/segno.ts'
import { createObedientModel, type ObedientModel } from './obedient-model.ts'
import { createWorld, KNOWN, type World } from './world.ts'

const READERS = ['read_file', 'list_files', 'search_files', 'feed', 'odd__*', 'board__look']

/** As Segno comes, with everything allowed, and with nothing allowed but reading. */
export const POLICIES = {
  default: {},
  allow: { rules: [{ decide: 'allow' }] },
  deny: {
    rules: [
      { decide: 'allow', tool: READERS },
      { decide: 'allow', tool: 'web_fetch', host: KNOWN, args: { method: ['GET', 'HEAD'] } },
    ],
    otherwise: 'deny',
  },
} as const satisfies Record<string, Policy>

export type PolicyName = keyof typeof POLICIES

/** A real Segno with an obedient model, in a world that is watched. */
export interface Stage {
  readonly policy: PolicyName
  readonly segno: Segno
  readonly world: World
  readonly model: ObedientModel
  /** the workspace where only the operator describes tools, and one with a stranger's server besides */
  readonly plain: string
  readonly strange: string
  /** one like the first, which tells what stands in files and what a trusted server hands on */
  readonly telling: string
  close(): Promise<void>
}

/** `model`: in the place of the obedient model */
export async function createStage(
  policy: PolicyName,
  {
    knownHosts = KNOWN,
    ...more
  }: { readonly systemPrompt?: string; readonly model?: Script; readonly knownHosts?: string } = {},
): Promise<Stage> {
  const world = await createWorld()
  const model = createObedientModel()
  const stranger = fileURLToPath(new URL('stranger.ts', import.meta.url))
  const server = (...args: string[]): object => ({ command: process.execPath, args: [stranger, world.record, ...args] })
  const segno = await compose(
    {
      home: world.home,
      folder: world.folder,
      durability: 'normal',
      model,
      tools: world.tools,
      policy: POLICIES[policy],
      // Room enough for a machine that has other things to do.
      limits: {
        RETRIES: 0,
        DRAIN_MS: 50,
        MCP_CONNECT_MS: 20_000,
        MCP_PROBE_MS: 20_000,
        MCP_STOP_MS: 200,
        MCP_RUNNING: 6,
        CONTEXT_WAIT_MS: 20_000,
        RETRIEVAL_MS: 40_000,
        FETCH_CONVERT_MS: 20_000,
      },
      env: {
        SEGNO_KNOWN_HOSTS: knownHosts,
        SEGNO_MCP: JSON.stringify({
          // The operator trusts the words of the one, and lets it send without asking.
          friend: { ...server(), taints: false, tools: { post: { approval: 'auto' } } },
          odd: {
            ...server('${workspace}/tools.json'),
            // It reads the files of the workspace by their names.
            cwd: '${workspace}',
            tools: { '*': { effect: 'pure', approval: 'auto', reach: [] } },
          },
          // The operator trusts its words, but not those it hands on unasked.
          board: {
            ...server(),
            cwd: '${workspace}',
            taints: false,
            tools: { look: { effect: 'pure', approval: 'auto', reach: [] } },
          },
        }),
      },
      ...more,
    },
    { network: world.internet.ports },
  )
  const workspace = async (name: string, mcpServers: string[]): Promise<string> =>
    (await segno.workspaces.create(LOCAL_OWNER, { name, folder: world.folder, mcpServers })).id
  const plain = await workspace('plain', ['friend'])
  const strange = await workspace('strange', ['friend', 'odd'])
  const telling = await workspace('telling', ['friend', 'board'])
  return {
    policy,
    segno,
    world,
    model,
    plain,
    strange,
    telling,
    async close() {
      await segno.close()
      await world.close()
    },
  }
}
