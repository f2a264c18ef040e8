import { covers, OPERATOR, type Role } from '../contract/actor.ts'

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

/** What a key may do: what its role may, narrowed to its scopes; `operator` is in no role and given apart. */
export function permissionsOf(role: Role, scopes: readonly string[] | null, operator = false): readonly string[] {
  const all = PERMISSIONS[role]
  const left = scopes === null ? all : all.flatMap((one) => scopes.flatMap((scope) => narrower(one, scope)))
  return operator ? [...new Set(left), OPERATOR] : [...new Set(left)]
}

/** What two permissions have in common: nothing, or the narrower one. */
function narrower(a: string, b: string): string[] {
  if (holds(a, b)) return [b]
  return holds(b, a) ? [a] : []
}

/** Who may use tools at all may use each of them; a policy that names one tool is not met by that. */
function holds(wide: string, narrow: string): boolean {
  if (covers(wide, narrow)) return true
  return wide === 'tool:invoke' && narrow.startsWith('tool:') && narrow !== 'tool:manage' && narrow !== 'tool:*'
}

/** Is everything the first may do also something the second may? */
export function within(these: readonly string[], those: readonly string[]): boolean {
  return these.every((one) => those.some((other) => holds(other, one)))
}
