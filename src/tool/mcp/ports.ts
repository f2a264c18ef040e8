import type { JsonObject } from '../../contract/message.ts'

/** A definition of a tool that somebody trusts, word for word as the server sent it. */
export interface Pin {
  /** SHA-256 of the canonical JSON of `wire` */
  readonly hash: string
  readonly wire: JsonObject
  readonly at: number
}

/** Keeps which definition of a server's tool is trusted. One for all tenants: servers are the operator's. */
export interface PinStore {
  get(server: string): Promise<Readonly<Record<string, Pin>>>
  put(server: string, tool: string, pin: Pin): Promise<void>
}

/** What is known of an authorization: tokens, the registered client, logins that are under way. All of it is secret. */
export type AuthRecord = JsonObject

export interface TokenStore {
  get(tenant: string, server: string): Promise<AuthRecord | undefined>
  put(tenant: string, server: string, record: AuthRecord): Promise<void>
}
