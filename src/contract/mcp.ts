import type { JsonObject } from './message.ts'

export type ServerState = 'starting' | 'ready' | 'failed' | 'stopped' | 'needs authorization'

export interface ServerStatus {
  readonly name: string
  readonly transport: 'stdio' | 'http'
  readonly disabled: boolean
  /** missing for a server that has not been needed yet */
  readonly tenant?: string
  readonly workspaceId?: string
  readonly state: ServerState
  /** when it came into this state */
  readonly since?: number
  readonly restarts: number
  /** why it failed last, in our words */
  readonly error?: string
  readonly protocolVersion?: string
  /** where a person must authorize Segno, while that is needed */
  readonly authorizeUrl?: string
  readonly tools: readonly ToolStatus[]
}

export interface ToolStatus {
  /** the server's name for it, with invisible characters spelled out */
  readonly name: string
  /** its name for the model and in policies */
  readonly as: string
  /** `refused`: its definition cannot be used; `missing`: it was trusted, and the server no longer has it */
  readonly state: 'pinned' | 'quarantined' | 'refused' | 'missing'
  readonly hash?: string
  readonly reason?: string
  /** the server's own claims (such as `readOnlyHint`), which are shown but not trusted */
  readonly annotations?: JsonObject
}

export interface QuarantinedTool {
  readonly server: string
  /** with invisible characters spelled out */
  readonly tool: string
  /** to approve it with */
  readonly hash: string
  readonly pinned: JsonObject
  readonly offered: JsonObject
  /** one difference per line, with invisible characters spelled out */
  readonly diff: string
}
