/**
 * Who asks. A permission is `area:verb`; `area:*` is all of an area, and `*` is everything within one's tenant. Running
 * the installation, with what all tenants share, is `operator`: no other permission holds it.
 */
export interface Actor {
  readonly id: string
  readonly kind: 'user' | 'admin' | 'system' | 'ai'
  readonly tenant: string
  readonly permissions: readonly string[]
}

export const OPERATOR = 'operator'

/** The tenant of who needs no key. It gives no rights. */
export const LOCAL_TENANT = 'local'

/** The person at this machine, who needs no key. */
export const LOCAL_OWNER: Actor = { id: 'owner', kind: 'user', tenant: LOCAL_TENANT, permissions: ['*', OPERATOR] }

/**
 * Is this the person at this machine? A key may have the same name and permissions and be used from anywhere, so that
 * only this very object is.
 */
export const isLocalOwner = (actor: Actor): boolean => actor === LOCAL_OWNER

/** Does the first permission hold the second? What `*` means is decided here and nowhere else. */
export function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true
  return wide === '*' ? narrow !== OPERATOR : wide.endsWith(':*') && narrow.startsWith(wide.slice(0, -1))
}

export function may({ permissions }: Pick<Actor, 'permissions'>, permission: string): boolean {
  return permissions.some((one) => covers(one, permission))
}

/** May somebody with these permissions use this tool, or, without a name, any? */
export function mayUseTool(permissions: readonly string[], name = 'invoke'): boolean {
  return may({ permissions }, 'tool:invoke') || may({ permissions }, `tool:${name}`)
}

export const ROLES = ['user', 'editor', 'reviewer', 'admin', 'auditor', 'super_admin'] as const
export type Role = (typeof ROLES)[number]
