import type { QuarantinedTool, ServerStatus } from '../contract/mcp.ts'
import { may, OPERATOR, type Actor } from '../contract/actor.ts'
import { auditRecord } from '../contract/audit.ts'
import type { Json, JsonObject } from '../contract/message.ts'
import { need } from '../contract/need.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { Secrets } from '../secret/index.ts'
import type { AccountStore, AuditStore, SecretStore } from '../store/index.ts'
import { PINS, TOKENS } from './mcp/index.ts'
import type { Mcp, Pin, PinStore, TokenStore } from './mcp/index.ts'

/** What people can see and do about MCP servers. */
export interface McpService {
  /** The servers of the actor's tenant. */
  status(actor: Actor): Promise<readonly ServerStatus[]>
  quarantined(actor: Actor): Promise<readonly QuarantinedTool[]>
  /** Trusts this definition for everybody. */
  approve(actor: Actor, server: string, tool: string, hash: string): Promise<void>
  /** The address a person opens to log in to a server for their tenant. */
  authorize(actor: Actor, server: string): Promise<{ readonly url: string }>
  /** Takes what the browser brought back from there. */
  authorized(answer: { state: string; code: string; iss?: string }): Promise<{ readonly server: string }>
}

export function mcpService(mcp: Mcp, store: AuditStore, clock: Clock): McpService {
  type Recorded = 'definition_approved' | 'authorization_begun' | 'server_authorized'
  async function record({ id, tenant }: Pick<Actor, 'id' | 'tenant'>, action: Recorded, tool: string): Promise<void> {
    const subject = { id: newId(), at: clock.now(), userId: id, tenant }
    await store.appendAudit([auditRecord(action, subject, { tool })])
  }
  return {
    async status(actor) {
      need(actor, 'chat:read')
      const all = mcp.status(actor.tenant)
      // Only those who may log in see where.
      return may(actor, 'tool:manage') ? all : all.map(({ authorizeUrl: _, ...status }) => status)
    },
    async quarantined(actor) {
      need(actor, OPERATOR)
      return mcp.quarantined()
    },
    async approve(actor, server, tool, hash) {
      need(actor, OPERATOR)
      await mcp.approve(server, tool, hash)
      await record(actor, 'definition_approved', `${server}__${tool}`)
    },
    async authorize(actor, server) {
      need(actor, 'tool:manage')
      const begun = await mcp.beginAuthorization(actor.tenant, server)
      await record(actor, 'authorization_begun', server)
      return begun
    },
    async authorized(answer) {
      const { tenant, server } = await mcp.finishAuthorization(answer)
      // The browser does not say who used it.
      await record({ id: 'system', tenant }, 'server_authorized', server)
      return { server }
    },
  }
}

export function storedPins(store: AccountStore): PinStore {
  const area = (server: string): string => `${PINS} ${server}`
  return {
    get: async (server) => (await store.values(area(server))) as unknown as Record<string, Pin>,
    put: (server, tool, pin) => store.putValue(area(server), tool, pin as unknown as Json, pin.at),
  }
}

/** Logins are secrets; those of earlier versions are read where they were, and encrypted with their next change. */
export function storedTokens(store: AccountStore & SecretStore, secrets: Secrets, clock: Clock): TokenStore {
  const area = (tenant: string): string => `${TOKENS} ${tenant}`
  const place = (tenant: string, server: string) => ({ tenant, name: `mcp ${server}` })
  const stored = async (tenant: string, server: string): Promise<JsonObject | undefined> => {
    const text = await secrets.get(place(tenant, server))
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject)
  }
  return {
    get: async (tenant, server) =>
      (await stored(tenant, server)) ?? ((await store.values(area(tenant)))[server] as JsonObject | undefined),
    change: (tenant, server, change) =>
      store.changeValue(area(tenant), server, clock.now(), async (earlier) => {
        const changed = await change((await stored(tenant, server)) ?? ((earlier ?? {}) as JsonObject))
        if (changed === undefined) return undefined
        await secrets.put(place(tenant, server), JSON.stringify(changed), (encrypted) => store.putSecret(encrypted))
        // What is left here is the lock, and how other nodes hear of the change.
        return {}
      }),
  }
}
