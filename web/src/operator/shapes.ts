import type { JsonObject } from '../../../src/contract/message.ts'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import type { AuditRecord as StoredRecord } from '../../../src/contract/audit.ts'

/** What the server answers to who runs it, as far as these pages look at it. Times are ISO 8601. */

export interface ToolListed {
  readonly name: string
  readonly description: string
  readonly kind: string
  readonly effect: EffectClass
  /** strangers described it */
  readonly foreign: boolean
  readonly inputSchema: object
}

export interface McpServer {
  readonly name: string
  readonly transport: 'stdio' | 'http'
  readonly disabled: boolean
  readonly workspaceId?: string
  readonly state: 'starting' | 'ready' | 'failed' | 'stopped' | 'needs authorization'
  readonly since?: string
  readonly restarts: number
  readonly error?: string
  readonly tools: readonly McpTool[]
}

export interface McpTool {
  readonly name: string
  readonly as: string
  readonly state: 'pinned' | 'quarantined' | 'refused' | 'missing'
  readonly reason?: string
}

export interface Quarantined {
  readonly server: string
  readonly tool: string
  readonly hash: string
  readonly offered: JsonObject
  /** each difference on a line */
  readonly diff: string
}

export interface Explanation {
  readonly verdict: {
    readonly kind: 'allow' | 'ask' | 'refuse'
    readonly code?: string
    readonly rememberable?: boolean
  }
  readonly decidedBy: string
  readonly because: string
  readonly fitting: readonly number[]
}

export interface Budget {
  readonly userId: string
  readonly dailyTokens: number | null
  readonly dailyToolCost: number | null
  readonly dailyCost: number | null
  readonly left: { readonly tokens: number | null; readonly tools: number | null; readonly cost: number | null }
}

export type AuditRecord = Omit<StoredRecord, 'at'> & { readonly at: string }

export interface Verified {
  readonly ok: boolean
  readonly rows: number
  readonly records: number
  readonly head: { readonly seq: number; readonly hash: string }
  readonly findings: readonly string[]
}

/** An entry of a trace: everything the log says, without personal fields and keys. */
export type TraceEntry = JsonObject & { readonly at: string; readonly type: string }
