import type { QuarantinedTool, ServerStatus } from '../../contract/mcp.ts'
import { Problem } from '../../contract/problem.ts'
import type { Tool } from '../../contract/tool.ts'
import { keyOf } from '../../lib/key-of.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { visible } from '../../lib/visible.ts'
import { askTask, inDoubt, notNow, type TaskNews, type TaskQuestion } from './ask-task.ts'
import { createAuthorization } from './authorization.ts'
import { diff } from './diff.ts'
import { Instance } from './instance.ts'
import { judgeTools, type JudgedTool } from './judge-tools.ts'
import { createLogRing, type LogRing } from './log-ring.ts'
import type { Login } from './login.ts'
import type { McpOptions, McpPlace } from './mcp.ts'
import { PINS, TOKENS } from './ports.ts'
import type { Offer } from './offer.ts'
import { openConnection } from './open-connection.ts'
import { OpenTasks } from './open-tasks.ts'
import { sameWhileSame } from './same-while-same.ts'
import { isGivenFolder, type McpServer } from './servers.ts'
import { statusOf } from './status-of.ts'
import { Misbehaviour } from './trouble.ts'
import { createWatchdog } from './watchdog.ts'

/** A server of one workspace. */
export interface PlacedServer extends Omit<McpPlace, 'servers'> {
  readonly instance: Instance
  readonly log: LogRing
  login: Login | undefined
}

export type Mcp = ReturnType<typeof createMcp>

/** All MCP servers; each is started when it is first needed. */
export function createMcp(options: McpOptions) {
  const { servers, pins, clock, limits } = options
  const watchdog = createWatchdog()
  const placed = new Map<string, PlacedServer>()
  const retiring = new Set<Promise<void>>()
  const judging = oneAtATime<readonly JudgedTool[]>()
  const authorization = createAuthorization(options)
  const joined = sameWhileSame<Tool>()
  let isClosed = false
  const forgetStored = options.onStored?.((what) => {
    for (const { instance } of placed.values()) {
      if (what === PINS) void instance.judge().catch(() => {})
      if (what === TOKENS) instance.seeLogin()
    }
  })

  /** A tool that is seen for the first time is trusted from then on. */
  function judge(name: string, offers: readonly Offer[]): Promise<readonly JudgedTool[]> {
    return judging(name, async () => {
      const { tools, fresh } = await judgeTools(name, offers, await pins.get(name), limits.maxTools * 2)
      for (const { name: tool, hash, wire } of fresh) await pins.put(name, tool, { hash, wire, at: clock.now() })
      return tools
    }).catch((cause: unknown) => {
      throw new Misbehaviour('its tools cannot be compared with the trusted ones', { cause })
    })
  }

  function instanceOf(name: string, server: McpServer, { tenant, workspaceId, folder }: McpPlace): Instance {
    const key = keyOf(tenant, workspaceId, name)
    const found = placed.get(key)
    if (found !== undefined && found.folder === folder) return found.instance
    if (found !== undefined) retire(found.instance)
    forgetOld()
    const log = createLogRing(limits.logLines)
    const instance = new Instance({
      name,
      server,
      clock,
      limits,
      async open(signal, onToolsChanged) {
        one.login = authorization.loginOf(tenant, name)
        const { folder: folders } = options
        const fetch = options.fetchOf(name)
        const place = { name, server, folder, folders }
        return openConnection({ ...place, limits, fetch, watchdog, log, login: one.login, signal, onToolsChanged })
      },
      judge: (offers) => judge(name, offers),
      tasks: new OpenTasks(clock, options.node ?? (() => '')),
      loginMark: () => authorization.mark(tenant, name),
      onChange: ({ state, restarts, error }) =>
        options.onHealth?.({ server: name, tenant, workspaceId, state, restarts, error }),
    })
    const one: PlacedServer = { tenant, workspaceId, folder, instance, log, login: undefined }
    placed.set(key, one)
    return instance
  }

  function retire(instance: Instance): void {
    const done = instance.close().finally(() => retiring.delete(done))
    retiring.add(done)
  }

  /** Stopped servers are forgotten when there are too many, the least recently used first. */
  function forgetOld(): void {
    const old = [...placed].filter(([, { instance }]) => !instance.isRunning)
    old.sort(([, a], [, b]) => a.instance.lastUsed - b.instance.lastUsed)
    for (const [key, { instance }] of old.slice(0, Math.max(0, placed.size - limits.maxRunning * 2))) {
      retire(instance)
      placed.delete(key)
    }
  }

  /** Whether one more may run; if not, the least recently used idle one is stopped for it. */
  function hasRoom(instance: Instance): boolean {
    if (instance.isRunning) return true
    const running = [...placed.values()].map((one) => one.instance).filter((one) => one.isRunning)
    if (running.length < limits.maxRunning) return true
    const [oldest] = running.filter((one) => !one.isBusy && !one.tasks.isAny).sort((a, b) => a.lastUsed - b.lastUsed)
    void oldest?.stop()
    return oldest !== undefined
  }

  async function toolsOf(name: string, server: McpServer, place: McpPlace): Promise<readonly Tool[]> {
    const instance = instanceOf(name, server, place)
    if (!hasRoom(instance)) {
      instance.error = 'too many servers are at work'
      return []
    }
    if (instance.judged.some(({ state }) => state === 'quarantined')) await instance.judge()
    return instance.tools()
  }

  return {
    /**
     * The trusted tools of a workspace's servers, which are started if necessary; a server that takes longer than
     * `connectMs` joins a later round. Never rejects because of a server, and returns the same list until it changes.
     */
    async tools(place: McpPlace): Promise<readonly Tool[]> {
      if (isClosed) return []
      const wanted = Object.entries(servers).filter(
        ([name, server]) =>
          !server.disabled &&
          (place.servers.length === 0 || place.servers.includes(name)) &&
          (place.folder !== undefined || !isGivenFolder(server)),
      )
      const found = await Promise.all(wanted.map(([name, server]) => toolsOf(name, server, place).catch(() => [])))
      return joined(found)
    },

    /** Asks a server about a task that a call of this workspace waits for; rejects if it cannot be asked now. */
    async askTask(place: Omit<McpPlace, 'servers'>, name: string, question: TaskQuestion): Promise<TaskNews> {
      const server = Object.hasOwn(servers, name) ? servers[name] : undefined
      if (server === undefined || server.disabled)
        return inDoubt(`Nobody can ask about the task: the MCP server "${name}" is not set up here any more.`)
      if (isClosed || (place.folder === undefined && isGivenFolder(server))) throw notNow(name)
      const instance = instanceOf(name, server, { ...place, servers: [] })
      if (!hasRoom(instance)) throw notNow(name)
      return askTask(instance, question)
    },

    /** Every configured server, once for each workspace it runs in; only of this tenant, if one is named. */
    status(tenant?: string): readonly ServerStatus[] {
      return Object.entries(servers).flatMap(([name, server]) => {
        const here = [...placed.values()].filter(
          (one) => one.instance.name === name && (tenant === undefined || one.tenant === tenant),
        )
        return here.length === 0 ? [statusOf(name, server)] : here.map((one) => statusOf(name, server, one))
      })
    },

    /** Tools that are kept back because their definition is not the trusted one. */
    quarantined(): readonly QuarantinedTool[] {
      const found = new Map<string, QuarantinedTool>()
      for (const { instance } of placed.values()) {
        for (const { name: tool, state, hash, wire, pin } of instance.judged) {
          if (state !== 'quarantined' || hash === undefined || wire === undefined || pin === undefined) continue
          const server = instance.name
          const wires = { pinned: pin.wire, offered: wire, diff: diff(pin.wire, wire) }
          found.set(keyOf(server, tool, hash), { server, tool: visible(tool), hash, ...wires })
        }
      }
      return [...found.values()]
    },

    /** Trusts the definition with this hash, if the server offers it now; the tool is named as in `status`. */
    async approve(server: string, tool: string, hash: string): Promise<void> {
      if (!Object.hasOwn(servers, server)) {
        throw new Problem('NOT_FOUND', `There is no MCP server "${server}".`, { field: 'server' })
      }
      const ours = [...placed.values()].map((one) => one.instance).filter(({ name }) => name === server)
      const offered = ours.flatMap(({ judged }) => judged).find((one) => one.hash === hash)
      const { name = '', wire } = offered ?? {}
      if (wire === undefined || (name !== tool && visible(name) !== tool)) {
        const message = `The server does not offer this definition of "${tool}" now; look at what it offers and approve that.`
        throw new Problem('CONFLICT', message, { field: 'hash' })
      }
      await pins.put(server, name, { hash, wire, at: clock.now() })
      await Promise.all(ours.map((instance) => instance.judge()))
    },

    /** The last lines that a server wrote to standard error; they may contain what was said in conversations. */
    logs: (server: string, tenant: string, workspaceId: string): readonly string[] =>
      placed.get(keyOf(tenant, workspaceId, server))?.log.lines() ?? [],

    beginAuthorization: authorization.begin,

    async finishAuthorization(answer: Parameters<typeof authorization.finish>[0]) {
      const whose = await authorization.finish(answer)
      for (const one of placed.values()) {
        if (one.instance.name !== whose.server || one.tenant !== whose.tenant) continue
        if (one.login !== undefined) one.login.url = undefined
        one.instance.wake()
      }
      return whose
    },

    async close(): Promise<void> {
      isClosed = true
      forgetStored?.()
      for (const { instance } of placed.values()) retire(instance)
      await Promise.all(retiring)
      watchdog.close()
    },
  }
}
