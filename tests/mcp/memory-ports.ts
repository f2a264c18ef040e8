import { keyOf } from '../../src/lib/key-of.ts'
import type { AuthRecord, Pin, PinStore, TokenStore } from '../../src/tool/mcp/index.ts'

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
