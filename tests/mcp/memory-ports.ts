import { keyOf } from '../../src/lib/key-of.ts'
import { oneAtATime } from '../../src/lib/one-at-a-time.ts'
import type { Pin, PinStore, TokenStore } from '../../src/tool/mcp/index.ts'
import type { JsonObject } from '../../src/contract/message.ts'

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
  const records = new Map<string, JsonObject>()
  const inTurn = oneAtATime<void>()
  return {
    get: (tenant, server) => Promise.resolve(records.get(keyOf(tenant, server))),
    change: (tenant, server, change) =>
      inTurn(keyOf(tenant, server), async () => {
        const changed = await change(records.get(keyOf(tenant, server)) ?? {})
        if (changed !== undefined) records.set(keyOf(tenant, server), changed)
      }),
  }
}
