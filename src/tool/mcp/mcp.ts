import type { ServerStatus } from '../../contract/mcp.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PinStore, TokenStore } from './ports.ts'
import type { McpServers } from './servers.ts'

/** What a server may use; the limits MCP_… of the config say what each of them means. */
export interface McpLimits {
  readonly connectMs: number
  readonly startMs: number
  readonly probeMs: number
  readonly healthMs: number
  readonly pingMs: number
  readonly restartMs: number
  readonly breakerFailures: number
  readonly breakerMs: number
  readonly idleMs: number
  readonly stopMs: number
  readonly maxRunning: number
  readonly maxTools: number
  readonly definitionBytes: number
  readonly descriptionChars: number
  readonly messageBytes: number
  readonly floodMessages: number
  readonly logLines: number
  readonly maxQuestions: number
  readonly taskMs: number
}

export interface McpOptions {
  readonly servers: McpServers
  readonly clock: Clock
  readonly pins: PinStore
  readonly tokens: TokenStore
  /** For every HTTP request to a server and to its authorization server. */
  fetchOf(server: string): typeof fetch
  /** where a browser returns to after a login; servers may set their own */
  readonly redirectUrl?: string
  /** where local servers get an empty folder to start in; by default, or if it is inside a workspace, the system's */
  readonly folder?: string
  readonly limits: McpLimits
  /** this node, which asks about the tasks that begin here */
  node?(): string
  /** Calls the listener when another node may have stored pins or tokens. */
  onStored?(listener: (what: string) => void): () => void
  /** Called when a server's state changes. */
  onHealth?(change: McpChange): void
}

export interface McpPlace {
  readonly tenant: string
  readonly workspaceId: string
  /** undefined if it may not be used: servers are told of none, and those that need it do not run */
  readonly folder: string | undefined
  /** names of servers; all if empty */
  readonly servers: readonly string[]
}

export interface McpChange extends Pick<McpPlace, 'tenant' | 'workspaceId'>, Pick<ServerStatus, 'state' | 'restarts'> {
  readonly server: string
  readonly error: string | undefined
}
