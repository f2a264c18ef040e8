import type { JsonObject } from '../../contract/message.ts'
import { keyOf } from '../../lib/key-of.ts'

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

/** Forgets at the end of the process. */
export function memoryPins(): PinStore {
  const pins = new Map<string, Map<string, Pin>>()
  return {
    get: (server) => Promise.resolve(Object.fromEntries(pins.get(server) ?? [])),
    put: (server, tool, pin) => {
      pins.set(server, new Map(pins.get(server)).set(tool, pin))
      return Promise.resolve()
    },
  }
}

/** Forgets at the end of the process. */
export function memoryTokens(): TokenStore {
  const records = new Map<string, AuthRecord>()
  return {
    get: (tenant, server) => Promise.resolve(records.get(keyOf(tenant, server))),
    put: (tenant, server, record) => {
      records.set(keyOf(tenant, server), record)
      return Promise.resolve()
    },
  }
}
