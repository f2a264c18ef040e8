import { join } from 'node:path'
import { HOW_TO_SEARCH, type Config, type Rooms } from './config/index.ts'
import type { Tool } from './contract/tool.ts'
import type { MissingTool } from './contract/views.ts'
import { asFetch, createEgress, type EgressOptions } from './egress/index.ts'
import type { Clock } from './lib/clock.ts'
import type { Memories } from './knowledge/index.ts'
import { idFrom } from './lib/id.ts'
import { askModel, maxUsageOfQuestion, type Breakers, type LearnedWindows, type Models } from './model/index.ts'
import type { Secrets } from './secret/index.ts'
import type { AccountStore, SecretStore } from './store/index.ts'
import type { Log } from './telemetry/index.ts'
import {
  bash,
  createRegistry,
  deepReasoning,
  detectSandbox,
  knowledgeSearch,
  remember,
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
  type Sandbox,
  type ToolRegistry,
} from './tool/index.ts'
import {
  createMcp,
  readMcpServers,
  toolName,
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
  readonly windows: LearnedWindows
  /** of the embedding program; the same name replaces a built-in one */
  readonly own: readonly Tool[]
  readonly servers: McpServers
  readonly store: AccountStore & SecretStore
  readonly secrets: Secrets
  readonly builtIn: boolean
  /** searches the published documents of a tenant, if it has any */
  readonly knowledge: {
    hasDocuments(tenant: string): Promise<boolean>
    find: Parameters<typeof knowledgeSearch>[0]
  }
  readonly memories: Pick<Memories, 'suggest'>
  /** the workflows of a tenant; the same array while nothing changed */
  workflows(tenant: string): Promise<readonly Tool[]>
  /** of the local tenant's system workspace */
  readonly folder: string
  /** DNS and connections, which a test may replace */
  readonly network?: Pick<EgressOptions, 'resolve' | 'dial' | 'own'> | undefined
  /** for the folder and servers of a session */
  readonly workspaces: Pick<Workspaces, 'of' | 'folder'>
  readonly log: Log
  /** this node's id */
  node(): string
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
    node: parts.node,
    onHealth: (change) => logServer(parts.log, change),
  })
  const builtIn = parts.builtIn
    ? [...localTools({ now: () => clock.now() }), deepReasoningOf(parts), rememberOf(parts)]
    : []
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
  const withWorkflows = knownTogether()
  const withForeign = knownTogether()

  const searchDocuments = knowledgeSearch(parts.knowledge.find)
  const withSearch = new WeakMap<ToolRegistry, Promise<ToolRegistry>>()

  /** Where there is nothing to find, nobody is offered to search. */
  async function ownTools(tenant: string): Promise<ToolRegistry> {
    const own = await (await (local ??= findLocal()))()
    if (!parts.builtIn || !(await parts.knowledge.hasDocuments(tenant))) return own
    let all = withSearch.get(own)
    if (!all) withSearch.set(own, (all = withTools(own, [searchDocuments])))
    return all
  }

  /** The tools of a workspace now. */
  async function of(tenant: string, workspaceId: string): Promise<ToolRegistry> {
    const own = await withWorkflows(await ownTools(tenant), await parts.workflows(tenant))
    if (!hasServers) return own
    const foreign = await mcp.tools({
      tenant,
      workspaceId,
      ...(await mcpScopeOf(parts.workspaces, tenant, workspaceId)),
    })
    return withForeign(own, foreign)
  }

  return {
    of,
    mcp,
    /** what a server's tool is called here */
    nameOf: toolName,
    /** built-in tools that are not offered, and what is missing for them */
    missing: parts.builtIn && !registry.get('web_search') ? [NO_SEARCH] : [],
    async close(): Promise<void> {
      await mcp.close()
      const searching = search ? [search.egress] : []
      await Promise.all([egress, ...searching, ...toServers.values()].map((one) => one.close()))
    },
  }
}

/** Joins tools with a registry, once while neither has changed. */
function knownTogether(): (own: ToolRegistry, more: readonly Tool[]) => ToolRegistry | Promise<ToolRegistry> {
  const known = new WeakMap<readonly Tool[], { readonly own: ToolRegistry; readonly all: Promise<ToolRegistry> }>()
  return (own, more) => {
    if (more.length === 0) return own
    let found = known.get(more)
    if (found?.own !== own) known.set(more, (found = { own, all: withTools(own, more) }))
    return found.all
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

function rememberOf({ memories, clock }: ToolParts): Tool {
  return remember(async ({ context, ...said }) => {
    const { idempotencyKey, tenant, actorId: userId, sessionId, messageId: eventId, isTainted } = context
    const whose = { id: idFrom(idempotencyKey), tenant, userId, method: 'tool', sessionId } as const
    const noted = await memories.suggest({
      ...whose,
      ...said,
      ...(eventId !== undefined && { eventId }),
      isTainted,
      at: clock.now(),
    })
    if (!noted) return undefined
    const { status, supersedes } = noted.memory
    return { proposed: status === 'proposed', known: noted.known, replaced: supersedes !== undefined }
  })
}
