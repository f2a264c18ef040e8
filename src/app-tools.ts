import type { MissingTool, ToolView } from './contract/views.ts'
import { join } from 'node:path'
import { databasePasswords, HOW_TO_SEARCH, type Config, type Rooms } from './config/index.ts'
import type { RoundLimits } from './contract/limits.ts'
import { Problem } from './contract/problem.ts'
import type { Tool } from './contract/tool.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { asFetch, createEgress, type EgressOptions } from './egress/index.ts'
import type { Clock } from './lib/clock.ts'
import { SECRET_NAME } from './lib/secret-texts.ts'
import { askModel, maxUsageOfQuestion, type Breakers, type LearnedWindows, type Models } from './model/index.ts'
import { explainCall, offeredTools, type Deps } from './round/index.ts'
import type { Segno } from './segno.ts'
import type { Secrets } from './secret/index.ts'
import type { AccountStore, SecretStore } from './store/index.ts'
import type { Log } from './telemetry/index.ts'
import {
  bash,
  createRegistry,
  deepReasoning,
  detectSandbox,
  ENGINES,
  KNOWN_HOSTS,
  localTools,
  storedPins,
  storedTokens,
  webFetch,
  webSearch,
  withToolFolder,
  withTools,
  type NoSandbox,
  type RegisteredTool,
  type Sandbox,
  type ToolRegistry,
} from './tool/index.ts'
import { createMcp, readMcpServers, type McpChange, type McpServer, type McpServers } from './tool/mcp/index.ts'
import type { Workspaces } from './workspace/index.ts'

export interface ToolParts {
  readonly settings: Rooms['tools']
  readonly clock: Clock
  readonly models: Models
  readonly breakers: Breakers
  readonly windows: LearnedWindows
  /** of the embedding program; the same name replaces a built-in one */
  readonly own: readonly Tool[]
  readonly servers: McpServers
  readonly store: AccountStore & SecretStore
  readonly secrets: Secrets
  readonly builtIn: boolean
  /** of the local tenant's system workspace */
  readonly folder: string
  /** DNS and connections, which a test may replace */
  readonly network?: Pick<EgressOptions, 'resolve' | 'dial' | 'own'> | undefined
  /** for the folder and servers of a session */
  readonly workspaces: Pick<Workspaces, 'of' | 'folder'>
  readonly log: Log
}

/** All tools of this installation. */
export async function assembleTools(parts: ToolParts) {
  const { settings, clock, servers, store } = parts
  const network = { ...settings.egress, ...parts.network }
  const egress = createEgress(network)
  // The operator allows a server's private origin for that server only, not for models or other servers.
  const toServers = new Map(
    Object.entries(servers).map(([name, server]) => [
      name,
      createEgress({ ...network, privateOrigins: originsOf(server) }),
    ]),
  )
  const mcp = createMcp({
    servers,
    clock,
    pins: storedPins(store),
    tokens: storedTokens(store, parts.secrets, clock),
    onStored: store.onChange,
    redirectUrl: callbackUrl(settings),
    folder: join(settings.home, 'mcp'),
    fetchOf: (server) => asFetch(toServers.get(server) ?? egress),
    limits: settings.mcp,
    onHealth: (change) => logServer(parts.log, change),
  })
  const builtIn = parts.builtIn ? [...localTools({ now: () => clock.now() }), deepReasoningOf(parts)] : []
  const knownHosts = [...KNOWN_HOSTS, ...settings.knownHosts]
  const search = parts.builtIn && settings.search ? searchOf(settings.search, network) : undefined
  const web = parts.builtIn ? [webFetch({ egress, knownHosts, limits: settings.web })] : []
  if (search) web.push(search.tool)
  const registry = await createRegistry(replaced([...builtIn, ...web], parts.own))
  let local: Promise<() => Promise<ToolRegistry>> | undefined
  const findLocal = async (): Promise<() => Promise<ToolRegistry>> => {
    const withShell = await withTools(registry, parts.builtIn ? await shellOf(settings, parts.folder) : [])
    return withToolFolder(withShell, join(settings.home, 'tools'), clock)
  }
  const hasServers = Object.keys(servers).length > 0
  const known = new WeakMap<readonly Tool[], { readonly own: ToolRegistry; readonly all: Promise<ToolRegistry> }>()

  /** The tools of a workspace now. */
  async function of(tenant: string, workspaceId: string): Promise<ToolRegistry> {
    const own = await (await (local ??= findLocal()))()
    if (!hasServers) return own
    const foreign = await mcp.tools({
      tenant,
      workspaceId,
      ...(await mcpScopeOf(parts.workspaces, tenant, workspaceId)),
    })
    let found = known.get(foreign)
    if (found?.own !== own) known.set(foreign, (found = { own, all: withTools(own, foreign) }))
    return found.all
  }

  return {
    of,
    mcp,
    /** built-in tools that are not offered, and what is missing for them */
    missing: parts.builtIn && !registry.get('web_search') ? [NO_SEARCH] : [],
    async close(): Promise<void> {
      await mcp.close()
      const searching = search ? [search.egress] : []
      await Promise.all([egress, ...searching, ...toServers.values()].map((one) => one.close()))
    },
  }
}

function logServer(log: Log, { server, tenant, workspaceId, state, restarts }: McpChange): void {
  const fields = { server, tenant, workspaceId, reason: state.replaceAll(' ', '_'), count: restarts }
  if (state === 'failed') log.warn('mcp_server', fields)
  else log.info('mcp_server', fields)
}

async function mcpScopeOf({ of, folder }: ToolParts['workspaces'], tenant: string, id: string) {
  const { mcpServers } = await of(tenant, id)
  const found = await folder(tenant, id)
  return { folder: 'path' in found ? found.path : undefined, servers: mcpServers }
}

/** The embedding program's tools replace built-in ones of the same name. */
function replaced(builtIn: readonly Tool[], own: readonly Tool[]): Tool[] {
  const named = new Set(own.map(({ name }) => name))
  return [...builtIn.filter(({ name }) => !named.has(name)), ...own]
}

function originsOf(server: McpServer): string[] {
  if (server.transport !== 'http') return []
  const urls = [server.url, ...(server.oauth?.issuer === undefined ? [] : [server.oauth.issuer])]
  return urls.map((url) => new URL(url).origin)
}

/** Where a browser on this machine finds Segno. */
function callbackUrl({ host, port }: Rooms['tools']): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/mcp/callback`
}

/** SEGNO_MCP, checked before anything is opened. */
export const serversOf = (config: Config): McpServers => readMcpServers(config.mcp ?? {})

/** Secrets that no tool may return: provider keys and credentials for other servers. */
export function secretsOf(
  { providers, searchKeys, otlp, databaseUrl, clusterSecret }: Config,
  servers: McpServers,
): (string | undefined)[] {
  const keys = secretValues(Object.entries(providers).map(([name, value = '']) => [name, value]))
  const given = Object.values(servers).flatMap((server) =>
    server.transport === 'stdio'
      ? [...secretValues(Object.entries(server.env)), ...secretValues(server.args.map((one) => one.split(/=(.*)/s)))]
      : [...secretValues(Object.entries(server.headers)).flatMap(wordsOf), server.oauth?.clientSecret],
  )
  const traces = (otlp?.headers ?? '').split(',').map((one) => one.split(/=(.*)/s)[1] ?? '')
  return [
    ...keys,
    ...searchKeys,
    ...given,
    ...traces.flatMap(wordsOf),
    clusterSecret,
    ...databasePasswords(databaseUrl),
  ]
}

/** A token is a secret with and without `Bearer`. */
const wordsOf = (header = ''): string[] => [header, ...header.split(' ')]

const secretValues = (named: readonly (readonly string[])[]): (string | undefined)[] =>
  named.flatMap(([name = '', value]) => (SECRET_NAME.test(name) ? [value] : []))

/** Finds a working sandbox by running a command in it. */
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

const NO_SEARCH: MissingTool = { name: 'web_search', how: `To search the web, ${HOW_TO_SEARCH}.` }

/** The operator's engine may have a private address, for this tool only. */
function searchOf({ engine, cost, limits, ...address }: NonNullable<Rooms['tools']['search']>, network: EgressOptions) {
  const privateOrigins = address.url === undefined ? [] : [new URL(address.url).origin]
  const egress = createEgress({ ...network, privateOrigins })
  const price = cost ?? (() => ({ cost: undefined, tokens: 0 }))
  return { egress, tool: webSearch({ engine: ENGINES[engine](address), egress, limits, cost: price }) }
}

/** The second model can do nothing but answer. */
function deepReasoningOf({ settings, models, breakers, windows }: ToolParts): Tool {
  const { timeoutMs, model: named, ...options } = settings.reasoning
  const model = () => windows.fit(models.get(named ?? models.standard))
  return deepReasoning(
    {
      async ask(question, signal) {
        const asked = model()
        const { text, usage, cost, failure } = await askModel(asked, question, {
          ...options,
          breakers,
          windows,
          signal,
        })
        if (failure) throw new Error(`The model ${asked.key} did not answer: ${failure.reason}.`)
        return { text, tokens: usage.input + usage.output, cost }
      },
      cost: (text) => maxUsageOfQuestion(model(), { system: '', text }),
    },
    timeoutMs,
  )
}

/** Queries about tools, for actors who may see the workspace. */
export function toolServices(
  deps: Deps,
  workspaces: Pick<Workspaces, 'get'>,
  limits: RoundLimits,
): Pick<Segno, 'tools' | 'explain' | 'estimateCost' | 'canInvokeTool'> {
  const explain: Segno['explain'] = async (actor, call) => {
    const { workspaceId = SYSTEM_WORKSPACE, mode = 'act', tainted = false } = call
    await workspaces.get(actor, workspaceId)
    return explainCall(deps, actor, { ...call, workspaceId, mode, tainted }, limits)
  }
  return {
    explain,
    async estimateCost(actor, tool, args, at) {
      const { estimate, because } = await explain(actor, { ...at, tool, args })
      if (!estimate) throw new Problem('VALIDATION_ERROR', because, { field: 'tool' })
      const { cost, tokens, latencyMs, confidence } = estimate
      if (confidence === 'failed') throw new Problem('TOOL_ERROR', `What ${tool} would cost could not be worked out.`)
      return {
        cost,
        estimatedCost: cost / MICRODOLLARS_PER_CENT,
        ...(tokens > 0 && { estimatedTokens: tokens }),
        estimatedLatencyMs: latencyMs,
        confidence: confidence === 'unpriced' ? 'unknown' : confidence,
      }
    },
    async canInvokeTool(actor, tool, args, at) {
      const { verdict, because } = await explain(actor, { ...at, tool, args })
      const { kind } = verdict
      return { allowed: kind === 'allow', kind, reason: because, ...(kind === 'refuse' && { code: verdict.code }) }
    },
    async tools(actor, workspaceId = SYSTEM_WORKSPACE) {
      await workspaces.get(actor, workspaceId)
      const registry = await deps.tools(actor.tenant, workspaceId)
      return offeredTools(registry, { mode: 'act', permissions: actor.permissions }).map(toolView)
    },
  }
}

const MICRODOLLARS_PER_CENT = 10_000

function toolView({ name, description, effect, jsonSchema, tool }: RegisteredTool): ToolView {
  const { kind = 'local', foreign = false } = tool
  return { name, description, kind, effect, foreign, inputSchema: jsonSchema }
}
