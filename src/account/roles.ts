import { type Role } from '../contract/actor.ts'

const USER = ['chat:*', 'memory:*', 'knowledge:read', 'prompt:read', 'tool:invoke'] as const
const EDITOR = [...USER, 'knowledge:*', 'prompt:*'] as const
const MANAGER = ['tool:manage', 'workspace:manage', 'workflow:manage'] as const
const ADMIN = [...EDITOR, ...MANAGER, 'user:*', 'audit:read', 'trace:read'] as const

/** What each role may do. Only a super_admin gives roles away. */
export const PERMISSIONS: Readonly<Record<Role, readonly string[]>> = {
  user: USER,
  editor: EDITOR,
  reviewer: [...USER, 'knowledge:review', 'prompt:review'],
  admin: ADMIN,
  auditor: ['audit:read', 'trace:read'],
  super_admin: ['*'],
}

/** What a key may do: what its role may, narrowed to its scopes. */
export function permissionsOf(role: Role, scopes: readonly string[] | null): readonly string[] {
  const all = PERMISSIONS[role]
  if (scopes === null) return all
  return [...new Set(all.flatMap((one) => scopes.flatMap((scope) => narrower(one, scope))))]
}

/** What two permissions have in common: nothing, or the narrower one. */
function narrower(a: string, b: string): string[] {
  if (covers(a, b)) return [b]
  return covers(b, a) ? [a] : []
}

function covers(wide: string, narrow: string): boolean {
  if (wide === '*' || wide === narrow) return true
  // Who may use tools at all may use each of them.
  if (wide === 'tool:invoke') return narrow.startsWith('tool:') && narrow !== 'tool:manage' && narrow !== 'tool:*'
  return wide.endsWith(':*') && narrow.startsWith(wide.slice(0, -1))
}

/** Is everything the first may do also something the second may? */
export function within(these: readonly string[], those: readonly string[]): boolean {
  return these.every((one) => those.some((other) => covers(other, one)))
}
