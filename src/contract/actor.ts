/**
 * Who makes a request. A permission is `area:verb`, `area:*` for an area or `*` for everything in the tenant; only
 * `operator` allows running the installation, which all tenants share.
 */
export interface Actor {
  readonly id: string
  readonly kind: 'user' | 'admin' | 'system' | 'ai'
  readonly tenant: string
  readonly permissions: readonly string[]
}

/** Who made or owns something. */
export interface ActorRef {
  id: string
  tenant: string
}

export const OPERATOR = 'operator'

/** The tenant of requests without a key; it grants nothing by itself. */
export const LOCAL_TENANT = 'local'

/** The person at this machine, who needs no key. */
export const LOCAL_OWNER: Actor = { id: 'owner', kind: 'user', tenant: LOCAL_TENANT, permissions: ['*', OPERATOR] }

/** Compares the object itself, because a key with the same id and permissions may be used from anywhere. */
export const isLocalOwner = (actor: Actor): boolean => actor === LOCAL_OWNER

/** Whether the first permission includes the second; the only place that knows what `*` means. */
export function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true
  return wide === '*' ? narrow !== OPERATOR : wide.endsWith(':*') && narrow.startsWith(wide.slice(0, -1))
}

export function may({ permissions }: Pick<Actor, 'permissions'>, permission: string): boolean {
  return permissions.some((one) => covers(one, permission))
}

/** Whether these permissions allow a tool or, without a name, any tool. */
export function mayUseTool(permissions: readonly string[], name = 'invoke'): boolean {
  return may({ permissions }, 'tool:invoke') || may({ permissions }, `tool:${name}`)
}

/** Does the sender of a round let it use this tool? */
export function isEnabled(enableTools: boolean | readonly string[] | undefined, name: string): boolean {
  return typeof enableTools === 'object' ? enableTools.includes(name) : enableTools !== false
}

export const ROLES = ['user', 'editor', 'reviewer', 'admin', 'auditor', 'super_admin'] as const
export type Role = (typeof ROLES)[number]
