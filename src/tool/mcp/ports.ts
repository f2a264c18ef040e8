import type { JsonObject } from '../../contract/message.ts'

/** A trusted definition of a tool, exactly as the server sent it. */
export interface Pin {
  /** SHA-256 of the canonical JSON of `wire` */
  readonly hash: string
  readonly wire: JsonObject
  readonly at: number
}

/** What `McpOptions.onStored` is told of. */
export const PINS = 'mcp-pins'
export const TOKENS = 'mcp-auth'

/** The trusted definitions, the same for all tenants because the operator chooses the servers. */
export interface PinStore {
  get(server: string): Promise<Readonly<Record<string, Pin>>>
  put(server: string, tool: string, pin: Pin): Promise<void>
}

/** Logins: tokens, the registered client and logins that are not finished; all of it is secret. */
export interface TokenStore {
  get(tenant: string, server: string): Promise<JsonObject | undefined>
  /** One change at a time on all nodes; undefined leaves the record as it is. */
  change(tenant: string, server: string, change: (record: JsonObject) => Promise<JsonObject | undefined>): Promise<void>
}
