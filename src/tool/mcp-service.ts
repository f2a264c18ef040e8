import { may, OPERATOR, type Actor } from '../contract/actor.ts'
import { auditRecord } from '../contract/audit.ts'
import type { Json, JsonObject } from '../contract/message.ts'
import { need } from '../contract/need.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { AccountStore, AuditStore } from '../store/index.ts'
import type { Mcp, Pin, PinStore, QuarantinedTool, ServerStatus, TokenStore } from './mcp/index.ts'

/** MCP servers, for people: how they are, what they want to change, and who lets them. */
export interface McpService {
  /** How the servers of a tenant are. */
  status(actor: Actor): Promise<readonly ServerStatus[]>
  quarantined(actor: Actor): Promise<readonly QuarantinedTool[]>
  /** Trusts exactly this definition, for everybody. */
  approve(actor: Actor, server: string, tool: string, hash: string): Promise<void>
  /** The address to open so that a server may be used for this tenant. */
  authorize(actor: Actor, server: string): Promise<{ readonly url: string }>
  /** What the browser brought back from there. */
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
      // Where a person logs in is for those who may.
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
      // A browser came back with what only it could know; who sat before it, it does not say.
      await record({ id: 'system', tenant }, 'server_authorized', server)
      return { server }
    },
  }
}

/** Trusted definitions, kept with the installation. */
export function storedPins(store: AccountStore): PinStore {
  const area = (server: string): string => `mcp-pins ${server}`
  return {
    get: async (server) => (await store.kept(area(server))) as unknown as Record<string, Pin>,
    put: (server, tool, pin) => store.keep(area(server), tool, pin as unknown as Json, pin.at),
  }
}

/** Authorizations, kept with the installation: they are as secret as its database. */
export function storedTokens(store: AccountStore, clock: Clock): TokenStore {
  const area = (tenant: string): string => `mcp-auth ${tenant}`
  return {
    get: async (tenant, server) => (await store.kept(area(tenant)))[server] as JsonObject | undefined,
    put: (tenant, server, record) => store.keep(area(tenant), server, record, clock.now()),
  }
}
