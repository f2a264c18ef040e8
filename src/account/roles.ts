import { covers, OPERATOR, type Role } from '../contract/actor.ts'

const USER = ['chat:*', 'memory:*', 'knowledge:read', 'prompt:read', 'tool:invoke'] as const
const EDITOR = [...USER, 'knowledge:*', 'prompt:*'] as const
const MANAGER = ['tool:manage', 'workspace:manage', 'workflow:manage'] as const
const ADMIN = [...EDITOR, ...MANAGER, 'user:*', 'audit:read', 'trace:read'] as const

/** Only a super_admin may assign roles. */
export const PERMISSIONS: Readonly<Record<Role, readonly string[]>> = {
  user: USER,
  editor: EDITOR,
  reviewer: [...USER, 'knowledge:review', 'prompt:review'],
  admin: ADMIN,
  auditor: ['audit:read', 'trace:read'],
  super_admin: ['*'],
}

/** The permissions of a key: those of its role, narrowed to its scopes; `operator` is granted separately. */
export function permissionsOf(role: Role, scopes: readonly string[] | null, operator = false): readonly string[] {
  const all = PERMISSIONS[role]
  const left = scopes === null ? all : commonPermissions(all, scopes)
  return operator ? [...new Set(left), OPERATOR] : [...new Set(left)]
}

/** What both lists allow. */
export function commonPermissions(these: readonly string[], those: readonly string[]): readonly string[] {
  return [...new Set(these.flatMap((one) => those.flatMap((other) => narrower(one, other))))]
}

/** The narrower of two permissions, if they overlap. */
function narrower(a: string, b: string): string[] {
  if (holds(a, b)) return [b]
  return holds(b, a) ? [a] : []
}

/** `tool:invoke` covers every single tool, but not managing them. */
function holds(wide: string, narrow: string): boolean {
  if (covers(wide, narrow)) return true
  return wide === 'tool:invoke' && narrow.startsWith('tool:') && narrow !== 'tool:manage' && narrow !== 'tool:*'
}

/** Whether the second list covers everything in the first. */
export function isCoveredBy(these: readonly string[], those: readonly string[]): boolean {
  return these.every((one) => those.some((other) => holds(other, one)))
}
