/** Who asks. A permission is `area:verb`; `area:*` is all of an area, `*` is everything. */
export interface Actor {
  readonly id: string
  readonly kind: 'user' | 'admin' | 'system' | 'ai'
  readonly tenant: string
  readonly permissions: readonly string[]
}

/** The person at this machine, who needs no key. */
export const LOCAL_OWNER: Actor = { id: 'owner', kind: 'user', tenant: 'local', permissions: ['*'] }

/**
 * Is this the person at this machine? A key may have the same name and permissions and be used from anywhere, so that
 * only this very object is.
 */
export const isLocalOwner = (actor: Actor): boolean => actor === LOCAL_OWNER

/** The actor of what Segno does by itself: expiry, recovery, sweeps. */
export const SYSTEM: Actor = { id: 'system', kind: 'system', tenant: 'local', permissions: ['*'] }

export function may(actor: Pick<Actor, 'permissions'>, permission: string): boolean {
  const { permissions } = actor
  if (permissions.includes('*') || permissions.includes(permission)) return true
  return permissions.includes(`${permission.slice(0, permission.indexOf(':'))}:*`)
}

/** May somebody with these permissions use this tool, or, without a name, any? */
export function mayUseTool(permissions: readonly string[], name?: string): boolean {
  const any = ['*', 'tool:*', 'tool:invoke'].some((one) => permissions.includes(one))
  return any || (name !== undefined && permissions.includes(`tool:${name}`))
}

export const ROLES = ['user', 'editor', 'reviewer', 'admin', 'auditor', 'super_admin'] as const
export type Role = (typeof ROLES)[number]
