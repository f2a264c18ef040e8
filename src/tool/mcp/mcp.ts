import type { JsonObject } from '../../contract/message.ts'
import type { Tool } from '../../contract/tool.ts'
import type { Clock } from '../../lib/clock.ts'
import type { McpLimits } from './limits.ts'
import type { PinStore, TokenStore } from './ports.ts'
import type { McpServer, McpServers } from './servers.ts'

export interface McpOptions {
  readonly servers: McpServers
  readonly clock: Clock
  readonly pins: PinStore
  readonly tokens: TokenStore
  /** The guarded way to a server, and to where it sends us for authorization: used for every HTTP request. */
  fetchOf(server: string): typeof fetch
  /** where a person's browser comes back to after a login; without it only servers that say so themselves can have one */
  readonly redirectUrl?: string
  /**
   * Where servers that run here get empty folders of their own to start in; best where nobody else can write, nor in a
   * folder above. Without it, or where it is inside a workspace: the system's temporary one.
   */
  readonly folder?: string
  readonly limits: McpLimits
  /** called when a server changes its state; says nothing of what was asked or answered */
  onHealth?(change: McpChange): void
}

export interface Mcp {
  /**
   * The tools of this workspace's servers that are trusted and can be called. Starts what is not running and waits at
   * most `connectMs` for it, once; a server that takes longer joins a later round. Never rejects because of a server.
   * The same list comes back as long as nothing changed.
   */
  tools(place: McpPlace): Promise<readonly Tool[]>
  /** Every configured server, once for each workspace it runs in; of one tenant if it is named. */
  status(tenant?: string): readonly ServerStatus[]
  /** Tools that are kept back because their definition is not the trusted one. */
  quarantined(): readonly QuarantinedTool[]
  /** Trusts exactly the definition with this hash; the tool is named as in `status`. Problem CONFLICT if it is not what the server offers now. */
  approve(server: string, tool: string, hash: string): Promise<void>
  /** What servers wrote to their standard error, the last lines. It may hold content: for people who may see that. */
  logs(server: string, tenant: string, workspaceId: string): readonly string[]
  /** The address a person opens to let Segno use a server in their tenant's name. */
  beginAuthorization(tenant: string, server: string): Promise<{ readonly url: string }>
  /** What the browser brought back. The tenant and the server are in `state`. */
  finishAuthorization(answer: {
    readonly state: string
    readonly code: string
    readonly iss?: string
  }): Promise<{ readonly tenant: string; readonly server: string }>
  /** Stops everything that was started. */
  close(): Promise<void>
}

export interface McpPlace {
  readonly tenant: string
  readonly workspaceId: string
  /** undefined: nobody may touch it. Servers are told of none then, and those that are given it do not run. */
  readonly folder: string | undefined
  /** names of servers; empty: all */
  readonly servers: readonly string[]
}

export type ServerState = 'starting' | 'ready' | 'failed' | 'stopped' | 'needs authorization'

export interface ServerStatus {
  readonly name: string
  readonly transport: McpServer['transport']
  readonly disabled: boolean
  /** left out for a server that has not been needed yet */
  readonly tenant?: string
  readonly workspaceId?: string
  readonly state: ServerState
  /** when it came into this state */
  readonly since?: number
  readonly restarts: number
  /** why it failed last, in our words */
  readonly error?: string
  readonly protocolVersion?: string
  /** where a person lets Segno in, or gives it more rights, while one is wanted */
  readonly authorizeUrl?: string
  readonly tools: readonly ToolStatus[]
}

export interface ToolStatus {
  /** as the server calls it, with what cannot be seen spelled out */
  readonly name: string
  /** as the model and policies call it */
  readonly as: string
  /** `refused`: its definition cannot be used; `missing`: it was trusted and the server has it no more */
  readonly state: 'pinned' | 'quarantined' | 'refused' | 'missing'
  readonly hash?: string
  readonly reason?: string
  /** what the server says of itself (`readOnlyHint` and the like): shown, never believed */
  readonly annotations?: JsonObject
}

export interface QuarantinedTool {
  readonly server: string
  /** with what cannot be seen spelled out */
  readonly tool: string
  /** to approve it with */
  readonly hash: string
  readonly pinned: JsonObject
  readonly offered: JsonObject
  /** each difference on a line, with what cannot be seen spelled out */
  readonly diff: string
}

export interface McpChange extends Pick<McpPlace, 'tenant' | 'workspaceId'>, Pick<ServerStatus, 'state' | 'restarts'> {
  readonly server: string
  readonly error: string | undefined
}
