import { Problem } from '../../contract/problem.ts'
import type { Tool } from '../../contract/tool.ts'
import { keyOf } from '../../lib/key-of.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { visible } from '../../lib/visible.ts'
import { createAuthorization } from './authorization.ts'
import { diff } from './diff.ts'
import { Instance } from './instance.ts'
import { judgeTools, type JudgedTool } from './judge-tools.ts'
import { createLogRing } from './log-ring.ts'
import type { Login } from './login.ts'
import type { Mcp, McpOptions, McpPlace, QuarantinedTool, ServerStatus } from './mcp.ts'
import type { Offer } from './offer.ts'
import { openConnection } from './open-connection.ts'
import { sameWhileSame } from './same-while-same.ts'
import { isGivenFolder, type McpServer } from './servers.ts'
import { statusOf } from './status-of.ts'
import { Misbehaviour } from './trouble.ts'
import { createWatchdog } from './watchdog.ts'

interface Placed {
  readonly place: Omit<McpPlace, 'servers'>
  readonly instance: Instance
  readonly logs: () => readonly string[]
  readonly authorizeUrl: () => string | undefined
  readonly loggedIn: () => void
}

/** Segno's side of all MCP servers. Nothing is started before it is needed. */
export function createMcp(options: McpOptions): Mcp {
  const { servers, pins, clock, limits } = options
  const watchdog = createWatchdog()
  const placed = new Map<string, Placed>()
  const retiring = new Set<Promise<void>>()
  const judging = oneAtATime<readonly JudgedTool[]>()
  const authorization = createAuthorization(options)
  const joined = sameWhileSame<Tool>()
  let isClosed = false

  /** What is seen for the first time is trusted from then on. */
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
    if (found !== undefined && found.place.folder === folder) return found.instance
    if (found !== undefined) retire(found.instance)
    forgetOld()
    const log = createLogRing(limits.logLines)
    let login: Login | undefined
    const instance = new Instance({
      name,
      server,
      clock,
      limits,
      async open(signal, onToolsChanged) {
        login = authorization.loginOf(tenant, name)
        const { folder: folders } = options
        const fetch = options.fetchOf(name)
        const place = { name, server, folder, folders }
        return openConnection({ ...place, limits, fetch, watchdog, log, login, signal, onToolsChanged })
      },
      judge: (offers) => judge(name, offers),
      loginMark: () => authorization.mark(tenant, name),
      onChange: ({ state, restarts, error }) =>
        options.onHealth?.({ server: name, tenant, workspaceId, state, restarts, error }),
    })
    placed.set(key, {
      place: { tenant, workspaceId, folder },
      instance,
      logs: log.lines,
      authorizeUrl: () => login?.url,
      loggedIn: () => {
        if (login !== undefined) login.url = undefined
        instance.wake()
      },
    })
    return instance
  }

  function retire(instance: Instance): void {
    const done = instance.close().finally(() => retiring.delete(done))
    retiring.add(done)
  }

  /** Servers of workspaces nobody works in any more are not kept for ever. */
  function forgetOld(): void {
    const old = [...placed].filter(([, { instance }]) => !instance.isRunning)
    old.sort(([, a], [, b]) => a.instance.lastUsed - b.instance.lastUsed)
    for (const [key, { instance }] of old.slice(0, Math.max(0, placed.size - limits.maxRunning * 2))) {
      retire(instance)
      placed.delete(key)
    }
  }

  /** Room for one more: the server that was not needed for the longest time makes it. */
  function hasRoom(instance: Instance): boolean {
    if (instance.isRunning) return true
    const running = [...placed.values()].map((one) => one.instance).filter((one) => one.isRunning)
    if (running.length < limits.maxRunning) return true
    const [oldest] = running.filter((one) => !one.isBusy).sort((a, b) => a.lastUsed - b.lastUsed)
    void oldest?.stop()
    return oldest !== undefined
  }

  async function toolsOf(name: string, server: McpServer, place: McpPlace): Promise<readonly Tool[]> {
    const instance = instanceOf(name, server, place)
    if (!hasRoom(instance)) {
      instance.error = 'too many servers are at work'
      return []
    }
    if (instance.judged.some(({ state }) => state === 'quarantined')) await instance.judgeAgain()
    return instance.tools()
  }

  return {
    async tools(place) {
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

    status(tenant) {
      return Object.entries(servers).flatMap(([name, server]): ServerStatus[] => {
        const here = [...placed.values()].filter(
          ({ instance, place }) => instance.name === name && (tenant === undefined || place.tenant === tenant),
        )
        if (here.length === 0) return [statusOf(name, server)]
        return here.map((one) =>
          statusOf(name, server, { ...one.place, instance: one.instance, authorizeUrl: one.authorizeUrl() }),
        )
      })
    },

    quarantined() {
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

    async approve(server, tool, hash) {
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
      await Promise.all(ours.map((instance) => instance.judgeAgain()))
    },

    logs: (server, tenant, workspaceId) => placed.get(keyOf(tenant, workspaceId, server))?.logs() ?? [],

    beginAuthorization: (tenant, server) => authorization.begin(tenant, server),

    async finishAuthorization(answer) {
      const whose = await authorization.finish(answer)
      for (const { instance, place, loggedIn } of placed.values()) {
        if (instance.name === whose.server && place.tenant === whose.tenant) loggedIn()
      }
      return whose
    },

    async close() {
      isClosed = true
      for (const { instance } of placed.values()) retire(instance)
      await Promise.all(retiring)
      watchdog.close()
    },
  }
}
