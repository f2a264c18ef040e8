import { join } from 'node:path'
import type { Config, Rooms } from './config/index.ts'
import type { RoundLimits } from './contract/limits.ts'
import type { Tool } from './contract/tool.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { asFetch, createEgress, type EgressOptions } from './egress/index.ts'
import type { Clock } from './lib/clock.ts'
import { askModel, mostCost, type Breakers, type Models } from './model/index.ts'
import { explainCall, offeredTools, type Hands } from './round/index.ts'
import type { Segno, ToolView } from './segno.ts'
import type { AccountStore } from './store/index.ts'
import type { Log } from './telemetry/index.ts'
import {
  bash,
  createRegistry,
  deepReasoning,
  detectSandbox,
  KNOWN_HOSTS,
  localTools,
  storedPins,
  storedTokens,
  webFetch,
  withTools,
  type NoSandbox,
  type RegisteredTool,
  type Sandbox,
  type ToolRegistry,
} from './tool/index.ts'
import {
  createMcp,
  readMcpServers,
  type Mcp,
  type McpChange,
  type McpServer,
  type McpServers,
} from './tool/mcp/index.ts'
import type { Workspaces } from './workspace/index.ts'

export interface ToolParts {
  readonly settings: Rooms['tools']
  readonly clock: Clock
  readonly models: Models
  readonly breakers: Breakers
  /** of the embedder; the same name replaces a built-in one */
  readonly own: readonly Tool[]
  readonly servers: McpServers
  readonly store: AccountStore
  readonly builtIn: boolean
  /** of the system workspace of the local tenant */
  readonly folder: string
  /** how names are looked up and connections made; a test may stand in for the Internet */
  readonly ways?: Pick<EgressOptions, 'resolve' | 'dial' | 'own'> | undefined
  /** they know the folder of a session, and which servers it uses */
  readonly workspaces: Pick<Workspaces, 'of' | 'folder'>
  /** told when a server of tools changes its state */
  readonly log: Log
}

/** The tools of this installation, from wherever they come. */
export interface Toolbox {
  /** those there are in a workspace now */
  of(tenant: string, workspaceId: string): Promise<ToolRegistry>
  readonly mcp: Mcp
  close(): Promise<void>
}

export async function assembleTools(parts: ToolParts): Promise<Toolbox> {
  const { settings, clock, servers, store } = parts
  const ways = { ...settings.egress, ...parts.ways }
  const egress = createEgress(ways)
  // Where a server is, the operator said; that is no reason for a model, or another server, to go there.
  const toServers = new Map(
    Object.entries(servers).map(([name, server]) => [
      name,
      createEgress({ ...ways, privateOrigins: originsOf(server) }),
    ]),
  )
  const mcp = createMcp({
    servers,
    clock,
    pins: storedPins(store),
    tokens: storedTokens(store, clock),
    redirectUrl: callbackUrl(settings),
    folder: join(settings.home, 'mcp'),
    fetchOf: (server) => asFetch(toServers.get(server) ?? egress),
    limits: settings.mcp,
    onHealth: (change) => logServer(parts.log, change),
  })
  const builtIn = parts.builtIn ? [...localTools({ now: () => clock.now() }), deepReasoningOf(parts)] : []
  const knownHosts = [...KNOWN_HOSTS, ...settings.knownHosts]
  const web = parts.builtIn ? [webFetch({ egress, knownHosts, limits: settings.web })] : []
  const registry = await createRegistry(replaced([...builtIn, ...web], parts.own))
  const withShell = once(async () => withTools(registry, parts.builtIn ? await shellOf(settings, parts.folder) : []))
  const hasServers = Object.keys(servers).length > 0
  const known = new WeakMap<readonly Tool[], Promise<ToolRegistry>>()

  async function of(tenant: string, workspaceId: string): Promise<ToolRegistry> {
    const local = await withShell()
    if (!hasServers) return local
    const foreign = await mcp.tools({ tenant, workspaceId, ...(await placeOf(parts.workspaces, tenant, workspaceId)) })
    let all = known.get(foreign)
    if (!all) known.set(foreign, (all = withTools(local, foreign)))
    return all
  }

  return {
    of,
    mcp,
    async close() {
      await mcp.close()
      await Promise.all([egress, ...toServers.values()].map((one) => one.close()))
    },
  }
}

function logServer(log: Log, { server, tenant, workspaceId, state, restarts }: McpChange): void {
  const fields = { server, tenant, workspaceId, reason: state.replaceAll(' ', '_'), count: restarts }
  if (state === 'failed') log.warn('mcp_server', fields)
  else log.info('mcp_server', fields)
}

async function placeOf({ of, folder }: ToolParts['workspaces'], tenant: string, id: string) {
  const { mcpServers } = await of(tenant, id)
  const found = await folder(tenant, id)
  return { folder: 'path' in found ? found.path : undefined, servers: mcpServers }
}

/** A tool of the embedder's replaces the built-in one of the same name. */
function replaced(builtIn: readonly Tool[], own: readonly Tool[]): Tool[] {
  const named = new Set(own.map(({ name }) => name))
  return [...builtIn.filter(({ name }) => !named.has(name)), ...own]
}

function originsOf(server: McpServer): string[] {
  if (server.transport !== 'http') return []
  const urls = [server.url, ...(server.oauth?.issuer === undefined ? [] : [server.oauth.issuer])]
  return urls.map((url) => new URL(url).origin)
}

/** Where the browser of somebody on this machine finds Segno. */
function callbackUrl({ host, port }: Rooms['tools']): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/mcp/callback`
}

/** SEGNO_MCP, checked before anything is opened. */
export const serversOf = (config: Config): McpServers => readMcpServers(config.mcp ?? {})

/** What no tool may bring back: keys of providers, and what other servers are given to prove who we are. */
export function secretsOf({ providers, otlp }: Config, servers: McpServers): (string | undefined)[] {
  const keys = Object.entries(providers).flatMap(([name, value]) => (name.endsWith('_API_KEY') ? [value] : []))
  const given = Object.values(servers).flatMap((server) =>
    server.transport === 'stdio'
      ? [...secretValues(Object.entries(server.env)), ...secretValues(server.args.map((one) => one.split(/=(.*)/s)))]
      : [...secretValues(Object.entries(server.headers)).flatMap(wordsOf), server.oauth?.clientSecret],
  )
  const traces = (otlp?.headers ?? '').split(',').map((one) => one.split(/=(.*)/s)[1] ?? '')
  return [...keys, ...given, ...traces.flatMap(wordsOf)]
}

/** A token is one without `Bearer` before it too. */
const wordsOf = (header = ''): string[] => [header, ...header.split(' ')]

const SECRET_NAME = /key|token|secret|pass|pwd|credential|auth|cookie|dsn|database_url/i
const secretValues = (named: readonly (readonly string[])[]): (string | undefined)[] =>
  named.flatMap(([name = '', value]) => (SECRET_NAME.test(name) ? [value] : []))

/** Is there a place where commands can do no harm? Found out by running one. */
export function sandboxOf(
  { home, folderRoots, bash: limits, cgroup }: Rooms['tools'],
  folder = join(home, 'workspace'),
): Promise<Sandbox | NoSandbox> {
  const own = ['tenants', 'workspaces'].map((name) => join(home, name))
  const roots = [...own, folder, ...[...folderRoots.values()].flat()]
  return detectSandbox({ limits, hidden: [home], roots, cgroup })
}

async function shellOf(settings: Rooms['tools'], folder: string): Promise<Tool[]> {
  const sandbox = await sandboxOf(settings, folder)
  return 'run' in sandbox ? [bash(sandbox, settings.bash)] : []
}

/** The second model is asked like any other, and can do nothing but answer. */
function deepReasoningOf({ settings, models, breakers }: ToolParts): Tool {
  const { timeoutMs, model: named, ...options } = settings.reasoning
  const model = () => models.get(named ?? models.standard)
  return deepReasoning(
    {
      ask: (question, signal) => askModel(model(), question, { ...options, breakers, signal }),
      cost: (text) => mostCost(model(), text),
    },
    timeoutMs,
  )
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** What can be asked about tools, by who may see the workspace. */
export function toolDoors(
  hands: Hands,
  workspaces: Pick<Workspaces, 'get'>,
  limits: RoundLimits,
): Pick<Segno, 'tools' | 'explain'> {
  return {
    async tools(actor, workspaceId = SYSTEM_WORKSPACE) {
      await workspaces.get(actor, workspaceId)
      const registry = await hands.tools(actor.tenant, workspaceId)
      return offeredTools(registry, { mode: 'act', permissions: actor.permissions }).map(toolView)
    },
    async explain(actor, { workspaceId = SYSTEM_WORKSPACE, mode = 'act', tainted = false, ...call }) {
      await workspaces.get(actor, workspaceId)
      return explainCall(hands, actor, { ...call, workspaceId, mode, tainted }, limits)
    },
  }
}

function toolView({ name, description, effect, jsonSchema, tool }: RegisteredTool): ToolView {
  const { kind = 'local', foreign = false } = tool
  return { name, description, kind, effect, foreign, inputSchema: jsonSchema }
}
